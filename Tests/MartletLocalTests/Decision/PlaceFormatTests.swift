import Testing

@testable import MartletLocal

@Suite struct PlaceFormatTests {
  @Test(arguments: [
    "The city and state, e.g. San Francisco, CA", "The place as City, State.",
    "in the format 'City, Country' where there is no state",
  ])
  func `a place in two parts lacks the second`(_ description: String) {
    let format = PlaceFormat(description)
    #expect(format.lacksPart("Los Angeles"))
    #expect(!format.lacksPart("Los Angeles, CA"))
    #expect(!format.lacksPart(""))
    #expect(!format.lacksPart("94105"))
  }

  @Test(arguments: [
    "", "The city", "The city and state", "Tags, for example XY, ZZ", "The city, in capitals, of a state",
  ])
  func `other descriptions ask for nothing more`(_ description: String) {
    #expect(!PlaceFormat(description).lacksPart("Los Angeles"))
  }
}
