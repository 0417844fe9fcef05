import MartletJSON
import Testing

@Suite struct JSONObjectTests {
  @Test func `keys keep the order in which they came`() {
    var object: JSONObject = ["z": 1, "a": 2, "m": 3]
    object["a"] = 4
    object["n"] = .null
    object["b"] = 5
    object["z"] = nil
    #expect(Array(object.keys) == ["a", "m", "n", "b"])
    #expect(Array(object.values) == [4, 3, nil, 5])
    #expect(object.count == 4)
    #expect(object.map(\.key) == ["a", "m", "n", "b"])
    #expect(object.description == #"{"a":4,"m":3,"n":null,"b":5}"#)
  }

  @Test func `a repeated key keeps its first place and its last value`() {
    let object: JSONObject = ["a": 1, "b": 2, "a": 3]
    #expect(object.description == #"{"a":3,"b":2}"#)
    #expect(
      JSONObject([(key: "a", value: 1), (key: "b", value: 2), (key: "a", value: 3)]).description == #"{"a":3,"b":2}"#)
  }

  @Test func `order counts for the text but not for equality`() {
    let left: JSONObject = ["a": 1, "b": ["c": 1, "d": 2]]
    let right: JSONObject = ["b": ["d": 2.0, "c": 1], "a": 1]
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left.description != right.description)
    #expect(left != ["a": 1])
    #expect(left != ["a": 1, "b": nil])
    #expect(left != ["a": 1, "c": ["c": 1, "d": 2]])
  }

  @Test func `keys are told apart by code points`() {
    let object: JSONObject = ["\u{e9}": 1, "e\u{301}": 2]
    #expect(object.count == 2)
    #expect(object["\u{e9}"] == 1)
    #expect(object["e\u{301}"] == 2)
    #expect(JSONValue.string("\u{e9}") != JSONValue.string("e\u{301}"))
  }

  @Test(arguments: [0, 1, 11, 12, 13, 14, 31, 32, 33, 1_000])
  func `objects behave alike at every size`(count: Int) {
    var object = JSONObject()
    var model: [String: Int] = [:]
    for index in 0..<count {
      object["key \(index)"] = JSONValue(index)
      model["key \(index)"] = index
    }
    func check() {
      #expect(object.count == model.count)
      for index in 0...count { #expect(object["key \(index)"]?.intValue == model["key \(index)"]) }
    }
    check()
    for index in stride(from: 0, to: count, by: 3) {
      #expect(object.removeValue(forKey: "key \(index)")?.intValue == model.removeValue(forKey: "key \(index)"))
    }
    check()
    object.removeAll { _, value in (value.intValue ?? 0) % 2 == 0 }
    model = model.filter { $0.value % 2 != 0 }
    check()
    #expect(object.map(\.key) == model.sorted { $0.value < $1.value }.map(\.key))
    object.merge(["new": 1, "key 1": -1])
    #expect(object["new"] == 1)
    #expect(object["key 1"] == -1)
  }

  @Test func `a value changes in place`() {
    var object: JSONObject = ["list": [1]]
    object["list"]?[1] = 2
    object["list"]?[2] = 3
    object["deep"] = ["a": 1]
    object["deep"]?["b"] = 2
    object["none"]?["b"] = 2
    #expect(object.description == #"{"list":[1,2,3],"deep":{"a":1,"b":2}}"#)
    object["deep"]?["a"] = nil
    #expect(object["deep"] == ["b": 2])
  }

  @Test func `keys that mean to collide do not slow an object down`() throws {
    // Every key has the same length and ends; a quadratic object would not come back from this.
    let members = (0..<100_000).map { "\"prefix--\($0 + 100_000)--suffix\":\($0)" }
    let object = try JSONValue(parsing: "{\(members.joined(separator: ","))}")
    #expect(object.objectValue?.count == 100_000)
    #expect(object["prefix--199999--suffix"] == 99_999)
    let repeated = String(repeating: #""same":1,"#, count: 100_000)
    #expect(try JSONValue(parsing: "{\(repeated)\"same\":2}") == ["same": 2])
  }
}
