extension Parameter where Value: BoundedParameter {
  /// A number within bounds, which may be open at one end.
  /// - Parameters:
  ///   - description: what it means; the model reads this.
  ///   - range: `1...14`, `0..<1`, `1...`, `...100`.
  ///   - examples: values to show the model.
  public init(_ description: String, in range: some ParameterRange<Value.ParameterBound>, examples: [Value] = []) {
    self.init(
      value: nil, text: description, rules: range.limits.numberRules, examples: examples, hasDefault: false)
  }

  /// A number within bounds, which may be open at one end, with a default.
  public init(
    wrappedValue: Value, _ description: String, in range: some ParameterRange<Value.ParameterBound>,
    examples: [Value] = []
  ) {
    self.init(
      value: wrappedValue, text: description, rules: range.limits.numberRules, examples: examples, hasDefault: true)
  }
}

extension Parameter where Value: TextParameter {
  /// A text of a certain length, and of a certain form.
  /// - Parameters:
  ///   - description: what it means; the model reads this.
  ///   - length: how many code points: `1...80`, `1...`, `...80`.
  ///   - pattern: a regular expression (ECMA-262) that must match somewhere in it.
  ///   - examples: values to show the model.
  public init(
    _ description: String, length: some ParameterRange<Int>, pattern: String? = nil, examples: [Value] = []
  ) {
    let rules = length.limits.countRules("Length", pattern: pattern)
    self.init(value: nil, text: description, rules: rules, examples: examples, hasDefault: false)
  }

  /// A text of a certain length, and of a certain form, with a default.
  public init(
    wrappedValue: Value, _ description: String, length: some ParameterRange<Int>, pattern: String? = nil,
    examples: [Value] = []
  ) {
    let rules = length.limits.countRules("Length", pattern: pattern)
    self.init(value: wrappedValue, text: description, rules: rules, examples: examples, hasDefault: true)
  }

  /// A text of a certain form.
  /// - Parameters:
  ///   - description: what it means; the model reads this.
  ///   - pattern: a regular expression (ECMA-262) that must match somewhere in it.
  ///   - examples: values to show the model.
  public init(_ description: String, pattern: String, examples: [Value] = []) {
    self.init(
      value: nil, text: description, rules: ["pattern": .string(pattern)], examples: examples, hasDefault: false)
  }

  /// A text of a certain form, with a default.
  public init(wrappedValue: Value, _ description: String, pattern: String, examples: [Value] = []) {
    self.init(
      value: wrappedValue, text: description, rules: ["pattern": .string(pattern)], examples: examples,
      hasDefault: true)
  }
}

extension Parameter where Value: FormattedParameter {
  /// A text or date of a known format.
  /// - Parameters:
  ///   - description: what it means; the model reads this.
  ///   - format: for a `Date`, `.dateTime` (the default) or `.date`, which is midnight UTC.
  ///   - examples: values to show the model.
  public init(_ description: String, format: ParameterFormat, examples: [Value] = []) {
    self.init(
      value: nil, text: description, rules: ["format": .string(format.rawValue)], examples: examples,
      hasDefault: false)
  }

  /// A text or date of a known format, with a default.
  public init(wrappedValue: Value, _ description: String, format: ParameterFormat, examples: [Value] = []) {
    self.init(
      value: wrappedValue, text: description, rules: ["format": .string(format.rawValue)], examples: examples,
      hasDefault: true)
  }
}

extension Parameter where Value: ListParameter {
  /// A list of a certain length.
  /// - Parameters:
  ///   - description: what it means; the model reads this.
  ///   - count: how many items: `1...10`, `1...`, `...10`.
  ///   - examples: values to show the model.
  public init(_ description: String, count: some ParameterRange<Int>, examples: [Value] = []) {
    let rules = count.limits.countRules("Items", pattern: nil)
    self.init(value: nil, text: description, rules: rules, examples: examples, hasDefault: false)
  }

  /// A list of a certain length, with a default.
  public init(wrappedValue: Value, _ description: String, count: some ParameterRange<Int>, examples: [Value] = []) {
    let rules = count.limits.countRules("Items", pattern: nil)
    self.init(value: wrappedValue, text: description, rules: rules, examples: examples, hasDefault: true)
  }
}
