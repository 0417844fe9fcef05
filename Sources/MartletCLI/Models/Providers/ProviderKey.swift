import MartletProviders

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Finds the key of a provider: in the environment, in a file that is the user's alone, in the keychain on Apple platforms.
/// The key itself is never shown.
struct ProviderKey {
  let provider: ModelProvider
  let settings: ProviderSettings
  let places: Places
  let environment: [String: String]

  /// A key and where it is from, in words.
  struct Found {
    let key: APIKey
    let origin: String
  }

  /// The key, if there is one.
  /// - Throws: when the place that is named for it has none, or when its file is open to others.
  func find() throws(CommandFailure) -> Found? {
    if let name = settings.keyVariable {
      guard let key = key(in: name) else {
        throw .usage("the environment variable \(ControlFilter.line(name)) for the key of \(provider.title) is not set")
      }
      return Found(key: key, origin: ControlFilter.line(name))
    }
    if let path = settings.keyFile {
      guard let found = try read(places.path(path)) else {
        throw .usage("there is no file \(path.quotedShort) with the key of \(provider.title)")
      }
      return found
    }
    for name in provider.keyVariables {
      if let key = key(in: name) { return Found(key: key, origin: name) }
    }
    if let path = places.keyFile(of: provider.name), let found = try read(path) { return found }
    #if canImport(Security)
      if let key = Keychain.key(of: provider.name) { return Found(key: key, origin: "the keychain") }
    #endif
    return nil
  }

  /// What stands for the key in a replay, which sends nothing but asks as if it did. A provider that asks for no key by
  /// itself, such as a local server, had one only if its place was named; prices may depend on it.
  var replayed: APIKey? {
    let hasKey = !provider.keyVariables.isEmpty || settings.keyVariable != nil || settings.keyFile != nil
    return hasKey ? APIKey("replayed") : nil
  }

  /// What to do about a key that is missing.
  var advice: String {
    var ways: [String] = []
    if let name = provider.keyVariables.first { ways.append("set \(name)") }
    if let path = places.keyFile(of: provider.name) {
      ways.append("write it into \(places.short(path)) and chmod that file to 600")
    }
    return ways.joined(separator: ", or ")
  }

  private func key(in name: String) -> APIKey? {
    guard let value = environment[name] else { return nil }
    let key = APIKey(value)
    return key.value.isEmpty ? nil : key
  }

  /// The key in a file; nil when there is no such file.
  private func read(_ path: String) throws(CommandFailure) -> Found? {
    let name = places.short(path)
    guard let mode = FileAccess.mode(path) else { return nil }
    guard mode & 0o077 == 0 else {
      throw .usage(
        "the key file \(ControlFilter.line(name)) is open to others (mode \(String(mode, radix: 8))); make it yours alone "
          + "with chmod 600, and replace the key if others could have read it")
    }
    let text: String
    do {
      text = String(decoding: try FileAccess.read(path, limit: 64 << 10), as: UTF8.self)
    } catch {
      throw .usage("the key file \(ControlFilter.line(name)) cannot be read: \(error.reason)")
    }
    let key = APIKey(text)
    guard !key.value.isEmpty, key.value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .usage("the key file \(ControlFilter.line(name)) must hold the key and nothing else")
    }
    return Found(key: key, origin: name)
  }
}
