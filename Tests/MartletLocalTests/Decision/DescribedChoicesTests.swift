import Testing

@testable import MartletLocal

@Suite struct DescribedChoicesTests {
  @Test(arguments: [
    ("Choices are 'trapezoid' or 'simpson'. Default is 'trapezoid'.", ["trapezoid", "simpson"]),
    ("Phase transition. Can be 'melting', 'freezing', and 'boiling'.", ["melting", "freezing", "boiling"]),
    ("Choose between \"imperial\" / \"metric\"", ["imperial", "metric"]),
    ("The user's role: either `owner`, `guest`", ["owner", "guest"]),
    ("The object's unit, one of 'm' or 'driver's seats'", ["m", "driver's seats"]),
  ])
  func `lists of all that is allowed are choices`(_ description: String, _ values: [String]) {
    #expect(DescribedChoices(description).values == values)
  }

  @Test(arguments: [
    "", "A city.", "The unit. Default is 'cm'.", "Options such as 'a', 'b'", "For example 'a' or 'b' are possible",
    "Can be 'vegan', 'halal', etc.", "'a' or 'b'", "Can be 'a'. The rest is up to you, say 'b'", "can be '",
    "can be ''",
    "One of 'the' 12 'more' 13 'things'",
  ])
  func `examples, defaults and single values are none`(_ description: String) {
    #expect(DescribedChoices(description).values == [])
  }
}
