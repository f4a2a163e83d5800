import HDRCore
import PlainData

extension EXRPart.Attribute {
  var json: JSON { ["name": .string(name), "type": .string(type), "value": .string(text)] }

  /// The value in words, by its type; the size of a value that has another length or type.
  var text: String {
    switch type {
    case "string": return String(decoding: value.prefix(4096), as: UTF8.self)
    case "int": return numbers(1) ?? size
    case "v2i": return numbers(2) ?? size
    case "v3i": return numbers(3) ?? size
    case "box2i": return numbers(4) ?? size
    case "float": return floats(1) ?? size
    case "v2f": return floats(2) ?? size
    case "v3f": return floats(3) ?? size
    case "v4f", "box2f": return floats(4) ?? size
    case "chromaticities": return floats(8) ?? size
    case "m33f": return floats(9) ?? size
    case "m44f": return floats(16) ?? size
    case "double": return doubles(1) ?? size
    case "v2d": return doubles(2) ?? size
    case "v3d": return doubles(3) ?? size
    case "m33d": return doubles(9) ?? size
    case "m44d": return doubles(16) ?? size
    case "rational":
      guard value.count == 8 else { return size }
      return "\(Int32(bitPattern: word(0)))/\(word(1))"
    case "timecode": return timeCode ?? size
    case "keycode": return numbers(7) ?? size
    case "envmap": return choice(["latlong", "cube"])
    case "deepImageState": return choice(["messy", "sorted", "non-overlapping", "tidy"])
    case "preview":
      guard value.count >= 8 else { return size }
      return "\(word(0))x\(word(1)) pixels"
    case "stringvector": return strings ?? size
    default: return size
    }
  }

  private var size: String { "\(type), \(value.count) bytes" }

  private func word(_ index: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(value[4 * index + $1]) << UInt32(8 * $1) }
  }

  private func numbers(_ count: Int) -> String? {
    guard value.count == 4 * count else { return nil }
    return (0..<count).map { "\(Int32(bitPattern: word($0)))" }.joined(separator: " ")
  }

  private func floats(_ count: Int) -> String? {
    guard value.count == 4 * count else { return nil }
    return (0..<count).map { "\(Float(bitPattern: word($0)))" }.joined(separator: " ")
  }

  private func doubles(_ count: Int) -> String? {
    guard value.count == 8 * count else { return nil }
    return (0..<count).map { index in
      "\(Double(bitPattern: UInt64(word(2 * index)) | UInt64(word(2 * index + 1)) << 32))"
    }.joined(separator: " ")
  }

  private func choice(_ names: [String]) -> String {
    value.count == 1 && names.indices.contains(Int(value[0])) ? names[Int(value[0])] : size
  }

  /// Hours, minutes, seconds and frames of SMPTE ST 12, as digits of four bits; `;` for drop frames.
  private var timeCode: String? {
    guard value.count == 8 else { return nil }
    let time = word(0)
    func digits(_ shift: UInt32, _ mask: UInt32) -> String {
      let field = time >> shift & mask
      return "\(field >> 4)\(field & 15)"
    }
    let drops = time >> 6 & 1 == 1
    return digits(24, 0x3F) + ":" + digits(16, 0x7F) + ":" + digits(8, 0x7F) + (drops ? ";" : ":") + digits(0, 0x3F)
  }

  private var strings: String? {
    var at = 0, found: [String] = []
    while at < value.count {
      guard value.count - at >= 4 else { return nil }
      let count = (0..<4).reduce(0) { $0 | Int(value[at + $1]) << (8 * $1) }
      guard count <= value.count - at - 4 else { return nil }
      if found.count < 64 { found.append(String(decoding: value[at + 4..<at + 4 + count], as: UTF8.self)) }
      at += 4 + count
    }
    return found.joined(separator: ", ")
  }
}
