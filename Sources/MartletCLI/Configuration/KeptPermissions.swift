import Martlet
import MartletJSON
import MartletSync

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Keeps rules in the configuration files: the user's, and the project's where that is trusted.
struct KeptPermissions: PermissionStore {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  let places: Places
  let scopes: Set<ApprovalScope>
  private let added = Locked(PermissionRules())

  /// - Parameter isProjectTrusted: whether the project's file counts as the user's own, or there is none that asks for more.
  init(places: Places, isProjectTrusted: Bool) {
    self.places = places
    var scopes: Set<ApprovalScope> = []
    if places.userConfiguration != nil { scopes.insert(.user) }
    // A rule that is not trusted would be ignored the next time.
    if isProjectTrusted, places.data != nil, !places.isProjectFileTheUsers { scopes.insert(.project) }
    self.scopes = scopes
  }

  /// The rules kept since the program started.
  var rules: PermissionRules { added.withLock { $0 } }

  func keep(_ rule: PermissionRule, _ verdict: ApprovalVerdict, for scope: ApprovalScope) async throws {
    switch scope {
    case .user:
      guard let path = places.userConfiguration else { throw Failure(description: "there is no home directory") }
      try await add(rule, verdict, to: path)
    case .project: try await add(rule, verdict, to: places.projectConfiguration, trusting: true)
    case .once, .session: return
    }
    added.withLock { $0.add(rule, verdict) }
  }

  private func add(
    _ rule: PermissionRule, _ verdict: ApprovalVerdict, to path: String, trusting: Bool = false
  ) async throws {
    // A link stays a link: what it points to is written.
    let path = FileAccess.canonical(path) ?? path
    let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    do {
      try FileAccess.makePrivateDirectory(directory)
      try await FileAccess.locked(directory) {
        let file = try ConfigurationFile(path: path, places: places)
        var trust: TrustStore?
        if trusting, let data = places.data {
          let store = TrustStore(path: data + "/trust.json")
          // The user may have been asked about another content than the one that is there now.
          if let file, !ConfigurationLoader.wishes(file).isEmpty, store.standing(of: file) != .trusted {
            throw Failure(description: "\(file.name) is not trusted as it is now")
          }
          trust = store
        }
        let document = try Self.adding(rule, verdict, to: file?.values ?? [:], places.short(path))
        guard let document else { return }
        try FileAccess.writePrivate(JSONValue.object(document).bytes(.pretty) + [0x0A], to: path)
        if let trust, let file = try ConfigurationFile(path: path, places: places) {
          _ = try places.makeData()
          try trust.remember(true, file)
        }
      }
    } catch let error as FileAccess.Failure {
      throw Failure(description: "\(places.short(path)) cannot be written: \(error.reason)")
    } catch let error as CommandFailure {
      throw Failure(description: error.message)
    }
  }

  /// The settings with the rule in them; nil when it is there already.
  static func adding(
    _ rule: PermissionRule, _ verdict: ApprovalVerdict, to values: JSONObject, _ name: String
  ) throws(Failure) -> JSONObject? {
    let key = verdict.rawValue
    var values = values
    var permissions: JSONObject = [:]
    if let there = values["permissions"], !there.isNull {
      guard case .object(let object) = there else {
        throw Failure(description: "permissions in \(name) is no object")
      }
      permissions = object
    }
    var rules: [String] = []
    if let there = permissions[key], !there.isNull {
      guard let read = ValueKind<[PermissionRule]>.rules.read(there) else {
        throw Failure(description: "permissions.\(key) in \(name) cannot be read")
      }
      rules = read.map(\.text)
    }
    if rules.contains(rule.text) { return nil }
    permissions[key] = .array((rules + [rule.text]).map { .string($0) })
    values["permissions"] = .object(permissions)
    return values
  }
}
