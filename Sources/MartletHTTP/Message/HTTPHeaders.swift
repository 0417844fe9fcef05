/// Header fields in the order they were added; names compare without regard to (ASCII) case.
///
/// Printing a value of this type shows names only: values may be keys.
public struct HTTPHeaders: Sendable, Hashable {
  /// One field.
  public struct Field: Sendable, Hashable {
    /// The name as it is written; case does not matter.
    public var name: String
    /// The value, without white space around it.
    public var value: String

    /// A field.
    public init(name: String, value: String) {
      self.name = name
      self.value = value
    }

    public static func == (left: Self, right: Self) -> Bool {
      left.value == right.value && left.name.equalsIgnoringASCIICase(right.name)
    }

    public func hash(into hasher: inout Hasher) {
      for byte in name.utf8 { hasher.combine(byte.asciiLowercased) }
      hasher.combine(value)
    }
  }

  private var fields: [Field]

  /// No headers.
  public init() { fields = [] }

  /// Headers in the order they are sent in.
  public init(_ fields: some Sequence<(String, String)>) {
    self.fields = fields.map { Field(name: $0.0, value: $0.1) }
  }

  /// The first field of that name. Setting replaces the first, removes any others, and appends if there was none;
  /// setting `nil` removes all.
  public subscript(name: String) -> String? {
    get { fields.first { $0.name.equalsIgnoringASCIICase(name) }?.value }
    set {
      guard let newValue else { return fields.removeAll { $0.name.equalsIgnoringASCIICase(name) } }
      guard let first = fields.firstIndex(where: { $0.name.equalsIgnoringASCIICase(name) }) else {
        return add(name, newValue)
      }
      fields[first].value = newValue
      var index = fields.count - 1
      while index > first {
        if fields[index].name.equalsIgnoringASCIICase(name) { fields.remove(at: index) }
        index -= 1
      }
    }
  }

  /// Every field of that name, in order.
  public func values(for name: String) -> [String] {
    fields.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
  }

  /// Appends a field and keeps earlier ones of the same name.
  public mutating func add(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  mutating func replaceLast(value: String) {
    if !fields.isEmpty { fields[fields.count - 1].value = value }
  }

  /// Removes every field of one of these names.
  public mutating func remove(_ names: some Sequence<String>) {
    for name in names { self[name] = nil }
  }
}

extension HTTPHeaders: RandomAccessCollection {
  public var startIndex: Int { fields.startIndex }
  public var endIndex: Int { fields.endIndex }
  public subscript(position: Int) -> Field { fields[position] }
}

extension HTTPHeaders: ExpressibleByDictionaryLiteral {
  public init(dictionaryLiteral elements: (String, String)...) { self.init(elements) }
}

extension HTTPHeaders: CustomStringConvertible, CustomReflectable {
  public var description: String { "[\(fields.map(\.name).joined(separator: ", "))]" }
  public var customMirror: Mirror { Mirror(self, unlabeledChildren: fields.map(\.name)) }
}

extension HTTPHeaders.Field: CustomStringConvertible, CustomReflectable {
  public var description: String { name }
  public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
