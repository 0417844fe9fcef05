/// The vendors that are known, after their documentation and recorded traffic as of November 2026.
extension ChatVendor {
  /// All of them.
  public static let known: [Self] = [
    openAI, azure, deepSeek, mistral, groq, xAI, together, openRouter, moonshot, zAI, cerebras, cohere, perplexity,
    huggingFace, alibaba, geminiCompatible, fireworks, nvidia, writer, snowflake, crusoe, llamaServer, vLLM, lmStudio,
    ollamaCompatible,
  ]

  /// The vendor of a name.
  public static func named(_ name: String) -> Self? { known.first { $0.name == name } }

  private static func make(
    _ name: String, _ title: String, _ baseURL: String, _ keyVariables: [String], model: String? = nil,
    _ change: (inout Self) -> Void = { _ in }
  ) -> Self {
    var vendor = Self(name: name, title: title, baseURL: baseURL, keyVariables: keyVariables, defaultModel: model)
    change(&vendor)
    return vendor
  }

  /// OpenAI itself.
  public static let openAI = make(
    "openai-chat", "OpenAI", "https://api.openai.com/v1", ["OPENAI_API_KEY"], model: "gpt-5.1"
  ) {
    $0.instructionRole = .developerWhenReasoning
    $0.takesStrictTools = true
    $0.media = [.images, .files]
    $0.takesCacheKey = true
  }

  /// OpenAI's models at Azure. The base URL is the resource's own: `https://NAME.openai.azure.com/openai/v1`, or
  /// `…/openai/deployments/DEPLOYMENT?api-version=VERSION`.
  public static let azure = make("azure", "Azure", "", ["AZURE_OPENAI_API_KEY"]) {
    $0.authentication = .header("api-key")
    $0.instructionRole = .developerWhenReasoning
    $0.takesStrictTools = true
  }

  /// Wants the reasoning of turns with calls back (else 400), ignores it elsewhere.
  public static let deepSeek = make(
    "deepseek", "DeepSeek", "https://api.deepseek.com", ["DEEPSEEK_API_KEY"], model: "deepseek-chat"
  ) {
    $0.outputLimitField = "max_tokens"
    $0.takesParallelToolCalls = false
    $0.typedAnswers = .jsonObject
    $0.thinkingControl = .type(withEffort: true)
    $0.reasoningReplay = .sameField
    $0.seedField = nil
    $0.media = []
  }

  /// Ids of nine letters and digits, a strict order of roles, no `stream_options`.
  public static let mistral = make(
    "mistral", "Mistral", "https://api.mistral.ai/v1", ["MISTRAL_API_KEY"], model: "mistral-large-latest"
  ) {
    $0.outputLimitField = "max_tokens"
    $0.asksForUsage = false
    $0.roleOrder = .replyAfterResults
    $0.callIdRule = .alphanumeric(9)
    $0.thinkingControl = .none
    $0.reasoningReplay = .contentParts
    $0.seedField = "random_seed"
  }

  /// Gives usage twice, which the client counts once.
  public static let groq = make(
    "groq", "Groq", "https://api.groq.com/openai/v1", ["GROQ_API_KEY"], model: "openai/gpt-oss-120b")

  /// Leaves reasoning out of its count of completion tokens, which the client adds.
  public static let xAI = make("xai", "xAI", "https://api.x.ai/v1", ["XAI_API_KEY"], model: "grok-4")

  /// Together AI.
  public static let together = make(
    "together", "Together", "https://api.together.xyz/v1", ["TOGETHER_API_KEY"]
  ) {
    $0.outputLimitField = "max_tokens"
    $0.takesParallelToolCalls = false
  }

  /// Wants `reasoning_details` back for signatures.
  public static let openRouter = make(
    "openrouter", "OpenRouter", "https://openrouter.ai/api/v1", ["OPENROUTER_API_KEY"]
  ) {
    $0.outputLimitField = "max_tokens"
    $0.takesStrictTools = true
    $0.thinkingControl = .object
    $0.reasoningReplay = .sameField
    $0.media = [.images, .audio, .files]
  }

  /// Kimi: wants its reasoning back, refuses `required` and, for its own models, sampling parameters.
  public static let moonshot = make(
    "moonshot", "Moonshot", "https://api.moonshot.ai/v1", ["MOONSHOT_API_KEY"], model: "kimi-k3"
  ) {
    $0.forcedToolChoice = .none
    $0.takesParallelToolCalls = false
    $0.typedAnswers = .jsonObject
    $0.thinkingControl = .type(withEffort: true)
    $0.reasoningReplay = .sameField
    $0.seedField = nil
    $0.fixedSamplingModels = ["kimi-"]
  }

  /// GLM: wants its reasoning back, takes no forced choice of tools.
  public static let zAI = make("zai", "Z.ai", "https://api.z.ai/api/paas/v4", ["ZAI_API_KEY"], model: "glm-5") {
    $0.outputLimitField = "max_tokens"
    $0.forcedToolChoice = .none
    $0.takesParallelToolCalls = false
    $0.typedAnswers = .jsonObject
    $0.thinkingControl = .type(withEffort: false)
    $0.reasoningReplay = .sameField
    $0.seedField = nil
  }

  /// Text only.
  public static let cerebras = make(
    "cerebras", "Cerebras", "https://api.cerebras.ai/v1", ["CEREBRAS_API_KEY"], model: "gpt-oss-120b"
  ) {
    $0.takesStrictTools = true
    $0.media = []
  }

  /// Cohere's compatibility API, which refuses `stream_options`.
  public static let cohere = make(
    "cohere", "Cohere", "https://api.cohere.ai/compatibility/v1", ["COHERE_API_KEY", "CO_API_KEY"]
  ) {
    $0.outputLimitField = "max_tokens"
    $0.asksForUsage = false
    $0.forcedToolChoice = .required
    $0.takesParallelToolCalls = false
    $0.thinkingControl = .effort(off: "none")
  }

  /// No tools; user and model must take turns; usage comes with every chunk.
  public static let perplexity = make(
    "perplexity", "Perplexity", "https://api.perplexity.ai", ["PERPLEXITY_API_KEY"], model: "sonar-pro"
  ) {
    $0.outputLimitField = "max_tokens"
    $0.asksForUsage = false
    $0.roleOrder = .alternating
    $0.takesTools = false
    $0.takesParallelToolCalls = false
    $0.seedField = nil
  }

  /// Hugging Face's router to many providers.
  public static let huggingFace = make(
    "huggingface", "Hugging Face", "https://router.huggingface.co/v1", ["HF_TOKEN"]
  ) {
    $0.outputLimitField = "max_tokens"
    $0.takesParallelToolCalls = false
    $0.thinkingControl = .none
  }

  /// Qwen at Alibaba Cloud: repeats empty ids, refuses `required`.
  public static let alibaba = make(
    "alibaba", "Alibaba Cloud", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    ["DASHSCOPE_API_KEY", "ALIBABA_API_KEY"], model: "qwen3-max"
  ) {
    $0.outputLimitField = "max_tokens"
    $0.forcedToolChoice = .byName
    $0.typedAnswers = .jsonObject
    $0.thinkingControl = .flag
  }

  /// Gemini through Google's OpenAI-compatible endpoint: empty ids; signatures of calls in `extra_content` go back.
  public static let geminiCompatible = make(
    "gemini-openai", "Gemini", "https://generativelanguage.googleapis.com/v1beta/openai",
    ["GEMINI_API_KEY", "GOOGLE_API_KEY"]
  ) {
    $0.takesParallelToolCalls = false
    $0.thinkingControl = .effort(off: "none")
    $0.seedField = nil
    $0.media = [.images, .audio]
  }

  /// Fireworks AI.
  public static let fireworks = make(
    "fireworks", "Fireworks", "https://api.fireworks.ai/inference/v1", ["FIREWORKS_API_KEY"]
  ) {
    $0.outputLimitField = "max_tokens"
    $0.takesParallelToolCalls = false
    $0.reasoningReplay = .sameField
  }

  /// NVIDIA's hosted NIM.
  public static let nvidia = make("nvidia", "NVIDIA", "https://integrate.api.nvidia.com/v1", ["NVIDIA_API_KEY"]) {
    $0.outputLimitField = "max_tokens"
    $0.takesParallelToolCalls = false
    $0.thinkingControl = .template
  }

  /// Its chat has a path of its own; streams may end without a mark.
  public static let writer = make("writer", "Writer", "https://api.writer.com/v1", ["WRITER_API_KEY"]) {
    $0.path = "/chat"
    $0.outputLimitField = "max_tokens"
    $0.takesParallelToolCalls = false
    $0.thinkingControl = .none
    $0.media = []
  }

  /// Snowflake Cortex. The base URL is the account's own: `https://ACCOUNT.snowflakecomputing.com/api/v2/cortex/v1`.
  public static let snowflake = make("snowflake", "Snowflake", "", ["SNOWFLAKE_TOKEN"]) {
    $0.takesParallelToolCalls = false
    $0.reasoningReplay = .sameField
  }

  /// Crusoe's managed inference.
  public static let crusoe = make(
    "crusoe", "Crusoe", "https://managed-inference-api-proxy.crusoecloud.com/v1", ["CRUSOE_API_KEY"]
  ) {
    $0.outputLimitField = "max_tokens"
    $0.takesParallelToolCalls = false
  }

  /// llama.cpp's server.
  public static let llamaServer = make("llama-server", "llama-server", "http://127.0.0.1:8080/v1", []) {
    $0.outputLimitField = "max_tokens"
    $0.thinkingControl = .template
    $0.reasoningReplay = .sameField
    $0.media = [.images, .audio]
  }

  /// A vLLM server; tools need its flags `--enable-auto-tool-choice` and `--tool-call-parser`.
  public static let vLLM = make("vllm", "vLLM", "http://127.0.0.1:8000/v1", ["VLLM_API_KEY"]) {
    $0.outputLimitField = "max_tokens"
    $0.thinkingControl = .template
    $0.reasoningReplay = .sameField
    $0.media = [.images, .audio]
  }

  /// LM Studio.
  public static let lmStudio = make("lmstudio", "LM Studio", "http://127.0.0.1:1234/v1", []) {
    $0.outputLimitField = "max_tokens"
    $0.forcedToolChoice = .required
    $0.takesParallelToolCalls = false
    $0.thinkingControl = .none
  }

  /// Ollama's compatible endpoint, which cannot be told the size of the context: `Ollama` is the better client.
  public static let ollamaCompatible = make("ollama-openai", "Ollama", "http://127.0.0.1:11434/v1", []) {
    $0.outputLimitField = "max_tokens"
    $0.forcedToolChoice = .none
    $0.takesParallelToolCalls = false
    $0.reasoningReplay = .sameField
  }
}
