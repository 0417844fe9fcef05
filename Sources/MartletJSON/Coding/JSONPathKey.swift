/// A coding key for places that have none of the user's: array elements, `super`.
struct JSONPathKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  static let `super` = JSONPathKey(stringValue: "super")

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = "Index \(intValue)"
    self.intValue = intValue
  }
}
