import MartletJSON
import Testing

@testable import MartletLocal

@Suite struct SaidCoordinatesTests {
  @Test(arguments: [
    "from (33.4484 N, 112.0740 W) to (34 S, 118.2437 E)", "33.4484° N 112.0740° W, and 34° S, 118.2437° E",
    "33.4484N,112.0740W; 34S,118.2437E", "33.4484 north, 112.0740 west and 34 South, 118.2437 East",
  ])
  func `south and west become negative, wherever they stand in a value`(_ text: String) {
    let said = SaidCoordinates(text)
    let value: JSONValue = ["a": [33.4484, 112.074], "b": 34.0, "c": 118.2437, "d": "34"]
    #expect(said.signed(value) == ["a": [33.4484, -112.074], "b": -34.0, "c": 118.2437, "d": "34"])
    #expect(said.signed(said.signed(value)) == said.signed(value))
  }

  @Test(arguments: ["", "a lamp of 60 W", "60 W and 40 W", "5 N of force", "10 W, 20 N", "size 60, W"])
  func `units are no directions`(_ text: String) {
    #expect(SaidCoordinates(text).signed([60, 40, 5, 10, 20]) == [60, 40, 5, 10, 20])
  }
}
