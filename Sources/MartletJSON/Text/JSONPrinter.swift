/// The writer at work.
struct JSONPrinter {
  let style: JSONWriter.Style
  var output: JSONOutput

  mutating func write(_ value: JSONValue, indent: Int) {
    switch value {
    case .null: output.append("null")
    case .bool(let value): output.append(value ? "true" : "false")
    case .number(let number):
      switch number.storage {
      case .integer(let integer): output.append(integer)
      case .text(let text): output.append(style.isCanonical ? JSONDecimal(text).canonicalText : text)
      }
    case .string(let string): output.append(quoted: string)
    case .array(let elements): write(elements, indent: indent)
    case .object(let object): write(object, indent: indent)
    }
  }

  private mutating func write(_ elements: [JSONValue], indent: Int) {
    output.append(UInt8(ascii: "["))
    var isFirst = true
    for element in elements {
      begin(&isFirst, indent + 1)
      write(element, indent: indent + 1)
    }
    end(isFirst, indent)
    output.append(UInt8(ascii: "]"))
  }

  private mutating func write(_ object: JSONObject, indent: Int) {
    output.append(UInt8(ascii: "{"))
    var isFirst = true
    for entry in style.isCanonical ? object.sortedEntries : object.entries {
      begin(&isFirst, indent + 1)
      output.append(quoted: entry.key)
      output.append(UInt8(ascii: ":"))
      if style.isPretty { output.append(UInt8(ascii: " ")) }
      write(entry.value, indent: indent + 1)
    }
    end(isFirst, indent)
    output.append(UInt8(ascii: "}"))
  }

  @inline(__always)
  private mutating func begin(_ isFirst: inout Bool, _ indent: Int) {
    if !isFirst { output.append(UInt8(ascii: ",")) }
    isFirst = false
    if style.isPretty { newLine(indent) }
  }

  @inline(__always)
  private mutating func end(_ isEmpty: Bool, _ indent: Int) {
    if style.isPretty, !isEmpty { newLine(indent) }
  }

  private mutating func newLine(_ indent: Int) {
    output.append(UInt8(ascii: "\n"))
    output.append(UInt8(ascii: " "), count: 2 * indent)
  }
}
