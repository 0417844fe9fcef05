/// The tags of a dialect that writes each argument as an element: `<invoke name="f"><parameter name="x">1</parameter>…`.
struct TagSyntax: Sendable {
  /// Up to the tool's name.
  var call: [UInt8]
  var callEnd: [UInt8]
  /// Up to the parameter's name.
  var parameter: [UInt8]
  var parameterEnd: [UInt8]
  /// What closes the section around the calls, if anything does.
  var sectionEnds: [[UInt8]]
  /// Whether values stand on lines of their own, so that one line break on each side is markup.
  var hasValueLines: Bool

  init(
    call: String, callEnd: String, parameter: String, parameterEnd: String, sectionEnds: [String],
    hasValueLines: Bool = false
  ) {
    self.call = Array(call.utf8)
    self.callEnd = Array(callEnd.utf8)
    self.parameter = Array(parameter.utf8)
    self.parameterEnd = Array(parameterEnd.utf8)
    self.sectionEnds = sectionEnds.map { Array($0.utf8) }
    self.hasValueLines = hasValueLines
  }
}
