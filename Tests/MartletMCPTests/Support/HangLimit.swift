import Testing

extension Trait where Self == TimeLimitTrait {
  /// Ends a test that hangs. No slow or busy machine gets here.
  static var hangLimit: Self { .timeLimit(.minutes(10)) }
}
