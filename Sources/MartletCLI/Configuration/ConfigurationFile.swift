import MartletJSON

/// A configuration file that was read.
struct ConfigurationFile: Sendable {
  /// As shown in messages.
  let name: String
  let path: String
  let bytes: [UInt8]
  let values: JSONObject

  /// Nil when there is no such file.
  /// - Parameter pipes: whether it may be a pipe, because the user named it.
  init?(path: String, places: Places, pipes: Bool = false) throws(CommandFailure) {
    self.path = path
    name = places.short(path)
    do {
      bytes = try FileAccess.read(path, limit: 1 << 20, pipes: pipes)
    } catch {
      if error.isMissing { return nil }
      throw .usage("\(name) cannot be read: \(error.reason)")
    }
    do {
      guard case .object(let values) = try JSONValue(parsing: bytes, options: .init(duplicateKeys: .error)) else {
        throw CommandFailure.usage("\(name):1: a JSON object is expected; write {} for no settings")
      }
      self.values = values
    } catch let error as JSONError {
      throw .usage(
        "\(name):\(error.position.line):\(error.position.column): \(error.message.lowercasedFirst); repair the file")
    } catch let error as CommandFailure {
      throw error
    } catch {
      throw .usage("\(name) cannot be read: \(error)")
    }
  }

  /// The value under a path of keys.
  func value(_ path: [String]) -> JSONValue? {
    path.dropFirst().reduce(values[path[0]]) { value, key in value?[key] }
  }

  /// `file:line` of the value under a path of keys.
  func place(_ path: [String]) -> String {
    "\(name):\(JSONLocator(bytes).line(of: path) ?? 1)"
  }
}
