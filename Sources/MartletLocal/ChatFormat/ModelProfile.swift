import MartletJSON

/// How to talk to a model: its chat format, how it writes calls, and what it must be told.
///
/// A profile holds what was measured for a model; `detect` finds it by the file's metadata.
public struct ModelProfile: Sendable, Hashable {
  package var format: ChatFormat
  package var dialect: CallDialect
  /// Said at the end of a turn that brings tool results. Without it Qwen2.5-Coder-0.5B repeats its call 60 times of 60;
  /// with it SmolLM2 answers worse.
  package var afterResults: String?
  /// Said at the end of a turn in which no tool is called although there are some: the model would else call in text.
  package var withoutCall: String?
  /// What a system message says where the request has none.
  package var system: String
  /// When the evidence for a call is enough.
  package var rule: CallRule

  package init(
    format: ChatFormat, dialect: CallDialect, afterResults: String? = nil, withoutCall: String? = nil,
    system: String = "You are a helpful assistant.", rule: CallRule = CallRule()
  ) {
    self.format = format
    self.dialect = dialect
    self.afterResults = afterResults
    self.withoutCall = withoutCall
    self.system = system
    self.rule = rule
  }

  /// The profile for a model file, from its metadata and its own chat template.
  package static func detect(name: String?, architecture: String?, template: String?) -> ModelProfile {
    let format = ChatFormat.detect(template: template, architecture: architecture)
    let name = name?.lowercased() ?? ""
    if format == .chatML {
      if architecture?.hasPrefix("qwen") == true {
        return ModelProfile(
          format: format, dialect: name.contains("coder") ? .python : .hermes,
          afterResults: "Now answer my question in one short sentence, in plain words.",
          withoutCall: "No function is needed. Answer in plain words, in one or two sentences if that is enough.")
      }
      return ModelProfile(format: format, dialect: name.contains("smollm") ? .json : .hermes)
    }
    return switch format {
    case .llama3: ModelProfile(format: format, dialect: .llama3)
    case .mistral: ModelProfile(format: format, dialect: .mistral)
    default: ModelProfile(format: format, dialect: .json)
    }
  }
}
