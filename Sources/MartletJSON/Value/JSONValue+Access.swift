extension JSONValue {
  /// A number.
  public init(_ value: some BinaryInteger) {
    self = .number(JSONNumber(value))
  }

  /// A number, or `nil` for NaN and the infinities.
  public init?(_ value: Double) {
    guard let number = JSONNumber(value) else { return nil }
    self = .number(number)
  }

  /// A string.
  public init(_ value: some StringProtocol) {
    self = .string(String(value))
  }

  /// A truth value.
  public init(_ value: Bool) {
    self = .bool(value)
  }

  /// Whether this is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The truth value, or `nil` for any other kind.
  public var boolValue: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The string, or `nil` for any other kind.
  public var stringValue: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The number when it is an integer that `Int` holds (`3.0` and `3e0` are 3), otherwise `nil`.
  public var intValue: Int? {
    if case .number(let value) = self { value.int } else { nil }
  }

  /// The nearest double of a number, or `nil` for any other kind and for numbers beyond the range of `Double`.
  public var doubleValue: Double? {
    guard case .number(let value) = self else { return nil }
    let double = value.double
    return double.isFinite ? double : nil
  }

  /// The number, or `nil` for any other kind.
  public var numberValue: JSONNumber? {
    if case .number(let value) = self { value } else { nil }
  }

  /// The elements, or `nil` for any other kind.
  public var arrayValue: [JSONValue]? {
    if case .array(let value) = self { value } else { nil }
  }

  /// The object, or `nil` for any other kind.
  public var objectValue: JSONObject? {
    if case .object(let value) = self { value } else { nil }
  }

  /// The value of a key; `nil` when it is missing or this is no object.
  ///
  /// Setting a key on a value that is no object replaces that value by an object with this one key. Setting `nil`
  /// removes the key.
  public subscript(key: String) -> JSONValue? {
    get {
      if case .object(let object) = self { object[key] } else { nil }
    }
    set {
      guard case .object(var object) = self else {
        if let newValue { self = .object([key: newValue]) }
        return
      }
      self = .null  // so that `object` is the only owner and changes in place
      object[key] = newValue
      self = .object(object)
    }
    _modify {
      guard case .object(var object) = self else {
        var value: JSONValue?
        yield &value
        if let value { self = .object([key: value]) }
        return
      }
      self = .null
      defer { self = .object(object) }
      yield &object[key]
    }
  }

  /// The element at an index; `nil` when there is none or this is no array.
  ///
  /// Setting the index one past the end appends, setting `nil` removes. Setting anything else outside the array, or
  /// on a value that is no array, is a programmer's error and traps.
  public subscript(index: Int) -> JSONValue? {
    get {
      guard case .array(let array) = self, array.indices.contains(index) else { return nil }
      return array[index]
    }
    set {
      guard case .array(var array) = self else { preconditionFailure("set by index on a JSON value that is no array") }
      self = .null
      if let newValue {
        if index == array.count { array.append(newValue) } else { array[index] = newValue }
      } else {
        array.remove(at: index)
      }
      self = .array(array)
    }
    _modify {
      guard case .array(var array) = self, array.indices.contains(index) else {
        var value: JSONValue?
        yield &value
        if let value { self[index] = value }
        return
      }
      self = .null
      var value: JSONValue? = array[index]
      array[index] = .null
      defer {
        if let value { array[index] = value } else { array.remove(at: index) }
        self = .array(array)
      }
      yield &value
    }
  }
}
