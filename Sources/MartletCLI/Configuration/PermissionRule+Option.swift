import Martlet

extension ValueKind where Value == [PermissionRule] {
  static let rules = Self(
    expected: "rules such as shell(git status*), read_* or effect:readOnly",
    reason: { text in
      do throws(PermissionRuleError) {
        _ = try PermissionRule.list(text)
        return nil
      } catch {
        return error.message
      }
    },
    parse: { text in
      // The reason is asked for apart.
      try? PermissionRule.list(text)
    })
}
