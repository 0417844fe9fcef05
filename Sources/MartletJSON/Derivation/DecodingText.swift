/// Decoding errors as sentences about the value.
enum DecodingText {
  static func message(of error: any Error) -> String {
    guard let error = error as? DecodingError else { return "\(error)" }
    switch error {
    case .keyNotFound(let key, let context):
      return "\(path(context).subject(of: key.stringValue)) is required but missing"
    case .valueNotFound(_, let context): return "\(path(context).subject) must not be null"
    case .typeMismatch(_, let context), .dataCorrupted(let context):
      return "\(path(context).subject) does not fit: \(context.debugDescription)"
    @unknown default: return "\(error)"
    }
  }

  private static func path(_ context: DecodingError.Context) -> ValuePath {
    var path = ValuePath()
    for key in context.codingPath { path.push(key.intValue.map(ValuePath.Step.item) ?? .member(key.stringValue)) }
    return path
  }
}
