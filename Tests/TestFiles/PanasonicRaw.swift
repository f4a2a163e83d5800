/// A small camera raw file as Panasonic's cameras write it (RW2): LibRaw takes its samples in blocks and does not see by
/// itself where they end.
package enum PanasonicRaw {
  package static let width = 224, height = 128
  /// The bytes of a block of samples; this picture fills two.
  private static let block = 0x4000
  /// A block is stored from here on, then from its beginning.
  private static let split = 0x2008

  /// - Parameter brightness: of 2047.
  package static func file(brightness: Int) -> [UInt8] {
    let samples = stored((0..<width * height / 14).flatMap { packet($0, brightness) })
    return directory + samples
  }

  /// The position where samples begin.
  package static var start: Int { directory.count }

  /// Fourteen pixels in 16 bytes, whose bits are read from the last byte's highest down: two samples of 12 bits, then
  /// differences of eight from 128, with two bits of scale in front of every third.
  private static func packet(_ number: Int, _ brightness: Int) -> [UInt8] {
    var bits: [Bool] = []
    func put(_ value: Int, _ count: Int) {
      for shift in (0..<count).reversed() { bits.append(value >> shift & 1 == 1) }
    }
    for pixel in 0..<14 {
      if pixel % 3 == 2 { put(0, 2) }
      put(pixel < 2 ? brightness + number % 61 : 120 + (number &* 7 &+ pixel &* 5) % 17, pixel < 2 ? 12 : 8)
    }
    return stride(from: 120, through: 0, by: -8).map { at in bits[at..<at + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) } }
  }

  private static func stored(_ samples: [UInt8]) -> [UInt8] {
    stride(from: 0, to: samples.count, by: block).flatMap { at in
      Array(samples[at + split..<at + block] + samples[at..<at + split])
    }
  }

  /// The header and its only directory, little endian.
  private static var directory: [UInt8] {
    func word(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    let maker = Array("Panasonic\0".utf8), model = Array("DMC-G5\0\0".utf8)
    // Version; sizes and borders; RGGB; 12 bits; compression and coding; where the samples are.
    let numbers = [
      (2, width), (3, height), (4, 0), (5, 0), (6, height), (7, width), (9, 1), (10, 12), (11, 34_316), (0x2D, 4),
    ]
    let texts = 8 + 2 + 12 * (numbers.count + 4) + 4, samples = (texts + maker.count + model.count + 15) & ~15
    var file = Array("IIU\0".utf8) + word(8, 4) + word(numbers.count + 4, 2)
    file += word(1, 2) + word(7, 2) + word(4, 4) + Array("0310".utf8)
    for (tag, value) in numbers { file += word(tag, 2) + word(3, 2) + word(1, 4) + word(value, 4) }
    file += word(0x10F, 2) + word(2, 2) + word(maker.count, 4) + word(texts, 4)
    file += word(0x110, 2) + word(2, 2) + word(model.count, 4) + word(texts + maker.count, 4)
    file += word(0x118, 2) + word(4, 2) + word(1, 4) + word(samples, 4)
    file += word(0, 4) + maker + model
    return file + [UInt8](repeating: 0, count: samples - file.count)
  }
}
