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
    findings += libraries
    findings += await models
    findings += keys
    findings += [configuration, data, store, sandbox]
    return findings
  }

  private var martlet: Finding { .ok("martlet", Version.current) }

  private var toolchain: Finding {
    if let path = find("swift") { return .ok("Swift toolchain", path) }
    return .missing("Swift toolchain", "no swift in PATH", "only needed to build: swift.org/install")
  }

  /// Each is linked, or this program would not have started; what is asked is which version is here.
  private var libraries: [Finding] {
    var findings = [Finding.ok("libcrypto", LinkedLibraries.crypto)]
    if let curl = LinkedLibraries.curl { findings.append(.ok("libcurl", curl)) }
    return findings
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
    case .verified: return .ok(subject, "verified, \(context.places.short(entry.path))")
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
    ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "INFERENCE_API_KEY"].map { name in
      context.environment[name].map { !$0.isEmpty } ?? false
        ? .ok("key \(name)", "set")
        : .missing("key \(name)", "not set", "only needed for that provider")
    }
  }

  private var configuration: Finding {
    do {
      let places = context.places
      var files: [ConfigurationFile] = []
      for path in [places.userConfiguration, places.projectConfiguration] {
        if let path, let file = try ConfigurationFile(path: path, places: places) { files.append(file) }
      }
      let reader = SettingsReader(
        user: files.first, project: files.count > 1 ? files[1] : nil, isProjectTrusted: false,
        environment: context.environment, arguments: ParsedArguments())
      _ = try Settings(reader)
      return .ok("configuration", files.isEmpty ? "none, defaults hold" : files.map(\.name).joined(separator: ", "))
    } catch {
      return .wrong("configuration", error.message, "repair it", isNeeded: true)
    }
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

  private var store: Finding { .missing("session store", "sessions live as long as the process; not available yet") }

  private var sandbox: Finding {
    .missing("sandbox", "not available yet", "tools that change things ask first (--approve)")
  }

  private func find(_ program: String) -> String? {
    (context.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(program)" }
      .first { access($0, X_OK) == 0 }
  }
}
