import MartletMCP
import MartletSQLite

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Looks at everything that Martlet can use, and changes nothing.
struct Examination: Sendable {
  let context: CommandContext

  func findings() async -> [Finding] {
    var findings = [martlet, toolchain]
    findings += LoadedLibraries.findings
    findings += await models
    findings += keys
    findings += [configuration, servers, data]
    findings.append(await store)
    findings.append(sandbox)
    return findings
  }

  private var martlet: Finding { .ok("martlet", Version.current) }

  private var toolchain: Finding {
    if let path = find("swift") { return .ok("Swift toolchain", path) }
    return .missing("Swift toolchain", "no swift in PATH", "only needed to build: swift.org/install")
  }

  private var models: [Finding] {
    get async {
      #if MARTLET_LOCAL
        var findings = [Finding.ok("engine", "llama.cpp, built in")]
        do {
          let models = try LocalModels(context)
          for (index, entry) in models.entries.enumerated() {
            findings.append(finding(try await models.verified(entry.name), isDefault: index == 0))
          }
        } catch let failure as CommandFailure {
          findings.append(.wrong("models", failure.message, "repair it and look again", isNeeded: true))
        } catch {
          findings.append(.wrong("models", "\(error)", "look again", isNeeded: true))
        }
        return findings
      #else
        return [
          .missing("engine", "built without llama.cpp", "run scripts/setup, then build again", isNeeded: true)
        ]
      #endif
    }
  }

  private func finding(_ entry: LocalModelEntry, isDefault: Bool) -> Finding {
    let subject = "model \(entry.name)"
    let pull = "run `martlet models pull \(entry.name)`"
    switch entry.state {
    case .verified:
      let prepared = entry.prepared == nil ? "" : ", prepared for this processor"
      return .ok(subject, "verified\(prepared), \(context.places.short(entry.path))")
    case .missing: return .missing(subject, entry.use, pull, isNeeded: isDefault)
    case .partial: return .missing(subject, entry.word, pull + " to go on", isNeeded: isDefault)
    case .unverified: return .wrong(subject, "could not be verified", pull, isNeeded: isDefault)
    case .wrong:
      return .wrong(
        subject, "\(context.places.short(entry.path)) is not the right file", "delete it and \(pull)",
        isNeeded: isDefault)
    }
  }

  /// Present or not, never a value.
  private var keys: [Finding] {
    var providers: [String: ProviderSettings] = [:]
    do {
      providers = try settingsReader().providers()
    } catch {
      // Said where the configuration is looked at.
    }
    var without: [String] = []
    let findings = ModelProviders.all.filter { !$0.keyVariables.isEmpty }.compactMap { provider -> Finding? in
      let finder = ProviderKey(
        provider: provider, settings: providers[provider.name] ?? ProviderSettings(), places: context.places,
        environment: context.environment)
      let subject = "key \(provider.name)"
      do throws(CommandFailure) {
        if let found = try finder.find() { return .ok(subject, "from \(found.origin)") }
        if !ModelProviders.main.contains(provider.name) {
          without.append(provider.name)
          return nil
        }
        return .missing(subject, "none", "only needed for \(provider.title): \(finder.advice)")
      } catch {
        return .wrong(subject, error.message, "repair it")
      }
    }
    guard !without.isEmpty else { return findings }
    return findings + [.missing("other keys", "none for \(without.joined(separator: ", "))", "only needed for those")]
  }

  private var configuration: Finding {
    do throws(CommandFailure) {
      let reader = try settingsReader()
      _ = try Settings(reader)
      let files = [reader.user, reader.project].compactMap { $0?.name }
      return .ok("configuration", files.isEmpty ? "none, defaults hold" : files.joined(separator: ", "))
    } catch {
      return .wrong("configuration", error.message, "repair it", isNeeded: true)
    }
  }

  /// Configured, not reached: that is `martlet mcp list`'s.
  private var servers: Finding {
    do throws(CommandFailure) {
      let list = try MCPSources(try settingsReader(), context).list
      if let problem = list.problems.first {
        return .wrong("MCP servers", "\(problem.name): \(problem.reason)", "repair it")
      }
      let names = list.servers.map { $0.isDisabled ? "\($0.name) (off)" : $0.name }
      return .ok(
        "MCP servers",
        names.isEmpty ? "none configured" : "\(names.joined(separator: ", ")); `martlet mcp list` reaches them")
    } catch {
      return .wrong("MCP servers", error.message, "repair it")
    }
  }

  /// The files' settings, with the project's not trusted.
  private func settingsReader() throws(CommandFailure) -> SettingsReader {
    func file(_ path: String?) throws(CommandFailure) -> ConfigurationFile? {
      guard let path else { return nil }
      return try ConfigurationFile(path: path, places: context.places)
    }
    return SettingsReader(
      user: try file(context.places.userConfiguration), project: try file(context.places.projectConfiguration),
      isProjectTrusted: false, environment: context.environment, arguments: ParsedArguments())
  }

  private var data: Finding {
    guard let path = context.places.data else {
      return .missing("data directory", "HOME is not set", "set HOME or MARTLET_DATA", isNeeded: true)
    }
    let name = context.places.short(path)
    guard let mode = FileAccess.mode(path) else { return .ok("data directory", "\(name), made when it is needed") }
    if mode & 0o077 != 0 {
      return .wrong("data directory", "\(name) is open to others (mode \(String(mode, radix: 8)))", "chmod 700 \(name)")
    }
    guard access(path, W_OK) == 0 else {
      return .wrong("data directory", "\(name) cannot be written", "chown it, or set MARTLET_DATA", isNeeded: true)
    }
    return .ok("data directory", name)
  }

  private var store: Finding {
    get async {
      guard let version = SQLiteSessionStore.engineVersion else {
        return .missing("session store", "libsqlite3 cannot be loaded", "install libsqlite3-0", isNeeded: true)
      }
      guard let data = context.places.data else { return .missing("session store", "there is no data directory") }
      let path = data + "/" + StoreChoice.standardName
      let name = context.places.short(path)
      guard FileAccess.exists(path) else { return .ok("session store", "SQLite \(version), \(name) made when needed") }
      let store = SQLiteSessionStore(path: path)
      let problems = await store.problems()
      guard problems.isEmpty else {
        return .wrong(
          "session store", problems.joined(separator: "; "),
          "keep a copy of \(name); `martlet sessions export` saves what can be read", isNeeded: true)
      }
      do {
        let count = try await store.sessions(owner: StoredSessions.owner).count
        let size = ["", "-wal"].reduce(0) { $0 + (FileAccess.size(path + $1) ?? 0) }
        return .ok(
          "session store",
          "SQLite \(version), \(name), \(count) session\(count == 1 ? "" : "s"), \(ResultSize.short(size))")
      } catch {
        return .wrong("session store", "\(error)", "repair it, or use another --store", isNeeded: true)
      }
    }
  }

  private var sandbox: Finding {
    .missing("sandbox", "not available yet", "tools that change things ask first (--approve)")
  }

  private func find(_ program: String) -> String? {
    (context.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
      .first { access($0, X_OK) == 0 }
  }
}
