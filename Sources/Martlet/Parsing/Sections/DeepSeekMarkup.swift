/// DeepSeek V3.2 and V4: its markup language, with each argument an element that says whether it is a string.
enum DeepSeekMarkup {
  static let openings = ["<｜DSML｜function_calls>", "<｜DSML｜tool_calls>"]
  static let syntax = TagSyntax(
    call: "<｜DSML｜invoke name=", callEnd: "</｜DSML｜invoke>", parameter: "<｜DSML｜parameter name=",
    parameterEnd: "</｜DSML｜parameter>", sectionEnds: ["</｜DSML｜function_calls>", "</｜DSML｜tool_calls>"])
}
