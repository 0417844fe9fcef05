import MartletJSON
import Testing

@Suite struct JSONValueTests {
  @Test func `literals of every kind work`() {
    let name = "Oslo"
    let value: JSONValue = [
      "null": nil, "bool": true, "int": 3, "double": 2.5, "list": [1, "a"], "text": "in \(name)",
    ]
    #expect(value.text() == #"{"null":null,"bool":true,"int":3,"double":2.5,"list":[1,"a"],"text":"in Oslo"}"#)
    #expect(JSONValue.number(3) == 3)
    #expect(JSONValue(Int8(-3)) == -3)
    #expect(JSONValue(2.5) == 2.5)
    #expect(JSONValue("ab".dropFirst()) == "b")
    #expect(JSONValue(true) == true)
  }

  @Test func `each accessor sees its own kind only`() {
    let values: [JSONValue] = [nil, true, 3, "3", [3], ["3": 3]]
    #expect(values.map(\.isNull) == [true, false, false, false, false, false])
    #expect(values.map(\.boolValue) == [nil, true, nil, nil, nil, nil])
    #expect(values.map(\.intValue) == [nil, nil, 3, nil, nil, nil])
    #expect(values.map(\.doubleValue) == [nil, nil, 3, nil, nil, nil])
    #expect(values.map(\.numberValue) == [nil, nil, 3, nil, nil, nil])
    #expect(values.map(\.stringValue) == [nil, nil, nil, "3", nil, nil])
    #expect(values.map(\.arrayValue) == [nil, nil, nil, nil, [3], nil])
    #expect(values.map(\.objectValue) == [nil, nil, nil, nil, nil, ["3": 3]])
    #expect(values.map { $0["3"] } == [nil, nil, nil, nil, nil, 3])
    #expect(values.map { $0[0] } == [nil, nil, nil, nil, 3, nil])
    #expect(Set(values).count == values.count)
  }

  @Test func `subscripts change a value`() {
    var value: JSONValue = nil
    value["a"] = 1
    value["b"] = []
    value["b"]?[0] = "x"
    value["b"]?[1] = ["y": nil]
    value["b"]?[0] = nil
    value["c"] = nil
    #expect(value.text() == #"{"a":1,"b":[{"y":null}]}"#)
    var text: JSONValue = "text"
    text["a"] = nil
    #expect(text == "text")
    text["a"] = 1
    #expect(text == ["a": 1])
    #expect(value["b"]?[7] == nil)
    #expect(value["b"]?[-1] == nil)
  }

  @Test func `a value that nobody else holds changes without a copy`() {
    // 100,000 changes of an array of 100,000 would take minutes if each copied it.
    var value: JSONValue = ["list": .array(Array(repeating: 0, count: 100_000))]
    for index in 0..<100_000 { value["list"]?[index] = JSONValue(index) }
    #expect(value["list"]?[99_999] == 99_999)
  }
}
