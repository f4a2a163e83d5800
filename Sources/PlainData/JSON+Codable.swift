extension JSON: Codable {
  private struct Key: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  package init(from decoder: any Decoder) throws {
    if let map = try? decoder.container(keyedBy: Key.self) {
      // A decoder has keys in any order.
      self = .object(Self.sorted(try map.allKeys.map { Field($0.stringValue, try map.decode(JSON.self, forKey: $0)) }))
    } else if var list = try? decoder.unkeyedContainer() {
      var values: [JSON] = []
      while !list.isAtEnd { values.append(try list.decode(JSON.self)) }
      self = .array(values)
    } else {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let flag = try? value.decode(Bool.self) {
        self = .bool(flag)
      } else if let number = try? value.decode(Double.self) {
        self = .number(number)
      } else {
        self = .string(try value.decode(String.self))
      }
    }
  }

  package func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let fields):
      var container = encoder.container(keyedBy: Key.self)
      for field in fields { try container.encode(field.value, forKey: Key(stringValue: field.key)) }
    case .array(let list):
      var container = encoder.unkeyedContainer()
      for value in list { try container.encode(value) }
    case .null, .bool, .int, .number, .string:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let flag): try container.encode(flag)
      case .int(let value): try container.encode(value)
      case .number(let x): try container.encode(x)
      case .string(let text): try container.encode(text)
      default: try container.encodeNil()
      }
    }
  }
}
