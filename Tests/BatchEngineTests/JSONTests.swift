import BatchEngine
import Testing

@Test func jsonKeepsKeyOrderAndEscapes() {
  let value: JSON = [
    "z": .int(1), "a": .string("q\"\\\n\u{1}é😀"), "list": .array([.number(0.5), .number(2), .bool(true), .null]),
    "nothing": .number(.nan),
  ]
  #expect(
    value.line
      == #"{"z":1,"a":"q\"\\\n\u0001\u00e9\ud83d\ude00","list":[0.5,2,true,null],"nothing":null}"#)
}
