// Llama 3.1 and later (Meta's prompt format pages): `<|python_tag|>` before built-in tools and code, bare JSON for custom
// tools, `<function=name>{…}</function>` when asked for, `[f(x=1)]` from 3.2 on.
extension DialectGrammar {
  static let llama3 = DialectGrammar(llamaMarkers, readsBareCalls: true)

  static let llamaMarkers: [Marker] =
    [
      .calls(PythonTag.opening, endsThinking: true) { PythonTag() },
      .calls("<function=", .notQuoted) { FunctionTag() },
      .calls("<|python_start|>") { PythonSection(.closers([Array("<|python_end|>".utf8)]), offeredOnly: false) },
      .drop("</function>", .start),
    ] + PythonTag.ends.map { .drop($0) }
}
