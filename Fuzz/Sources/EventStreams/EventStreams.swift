import MartletHTTP

/// Reads server-sent events and lines of JSON, whole and in pieces of the size that the first byte says.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let input = UnsafeBufferPointer(start: start, count: count)
  guard let choice = input.first else { return 0 }
  let bytes = Array(input[1...])
  let limit = choice & 0x80 == 0 ? 1 << 20 : 16
  let size = max(1, Int(choice & 0x7F))
  precondition(events(bytes, of: bytes.count, limit) == events(bytes, of: size, limit), "other events in pieces")
  precondition(lines(bytes, of: bytes.count, limit) == lines(bytes, of: size, limit), "other lines in pieces")
  return 0
}

/// What was read, and whether the end was an error.
private struct Reading<Item: Equatable>: Equatable {
  var items: [Item] = []
  var hasFailed = false
}

private func events(_ bytes: [UInt8], of size: Int, _ limit: Int) -> Reading<ServerSentEvent> {
  var decoder = ServerSentEventDecoder(limit: limit)
  return read(bytes, of: size, { decoder.append($0) }, { try decoder.next() }, { try decoder.finish() })
}

private func lines(_ bytes: [UInt8], of size: Int, _ limit: Int) -> Reading<[UInt8]> {
  var decoder = NDJSONDecoder(limit: limit)
  return read(
    bytes, of: size, { decoder.append($0) }, { try decoder.next().map(Array.init) },
    { try decoder.finish().map(Array.init) })
}

private func read<Item>(
  _ bytes: [UInt8], of size: Int, _ append: ([UInt8]) -> Void, _ next: () throws -> Item?,
  _ finish: () throws -> Item?
) -> Reading<Item> {
  var reading = Reading<Item>()
  do {
    var rest = bytes[...]
    while !rest.isEmpty {
      append(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
      while let item = try next() { reading.items.append(item) }
    }
    while let item = try finish() { reading.items.append(item) }
  } catch {
    reading.hasFailed = true
  }
  return reading
}
