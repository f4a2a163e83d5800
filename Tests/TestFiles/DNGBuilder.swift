import Foundation
import HDRCore
import ImageFiles

/// DNG files out of plain values: a first directory, a raw one below it, tiles, profiles.
package struct DNGBuilder {
  /// A value of a directory; numbers are laid down in the order of the file.
  package struct Value {
    package var type: Int
    package var words: [UInt64]
    /// Bytes of a word, and words of a value.
    package var size: Int
    package var wordsEach = 1

    package static func bytes(_ values: [UInt8], type: Int = 1) -> Value {
      Value(type: type, words: values.map(UInt64.init), size: 1)
    }
    package static func text(_ value: String) -> Value { bytes(Array(value.utf8) + [0], type: 2) }
    package static func shorts(_ values: Int...) -> Value { Value(type: 3, words: values.map { UInt64($0) }, size: 2) }
    package static func table(_ values: [Int]) -> Value { Value(type: 3, words: values.map { UInt64($0) }, size: 2) }
    package static func longs(_ values: Int...) -> Value { Value(type: 4, words: values.map { UInt64($0) }, size: 4) }
    package static func places(_ values: [Int]) -> Value { Value(type: 4, words: values.map { UInt64($0) }, size: 4) }
    /// Signed or unsigned fractions over 10 000.
    package static func fractions(_ values: [Double], isSigned: Bool = false) -> Value {
      let words = values.flatMap { value in
        [UInt64(UInt32(truncatingIfNeeded: Int((value * 10_000).rounded()))), 10_000]
      }
      return Value(type: isSigned ? 10 : 5, words: words, size: 4, wordsEach: 2)
    }
    /// Fractions 0/0.
    package static func undefined(_ count: Int) -> Value {
      Value(type: 5, words: [UInt64](repeating: 0, count: 2 * count), size: 4, wordsEach: 2)
    }
    package static func floats(_ values: [Double]) -> Value {
      Value(type: 11, words: values.map { UInt64(Float($0).bitPattern) }, size: 4)
    }
    package static func doubles(_ values: [Double]) -> Value {
      Value(type: 12, words: values.map { UInt64($0.bitPattern) }, size: 8)
    }
  }

  package var isLittleEndian = false
  package var main: [Int: Value] = [:]
  package var raw: [Int: Value] = [:]
  package var tiles: [[UInt8]] = []
  /// A JPEG that the first directory names as its strip.
  package var preview: [UInt8] = []
  /// More directories below the first, besides the raw one.
  package var children: [[Int: Value]] = []
  /// Camera profiles, as blocks of their own.
  package var profiles: [[Int: Value]] = []
  /// Position of the next directory after the first; `-1`: itself.
  package var next = 0

  package func number(_ value: UInt64, _ count: Int) -> [UInt8] {
    let least = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
    return isLittleEndian ? least : least.reversed()
  }

  /// Adds a directory and gives its position; offsets count from `base`.
  private func lay(_ values: [Int: Value], into file: inout [UInt8], base: Int = 0, next: Int = 0) -> Int {
    var table: [UInt8] = []
    for (tag, value) in values.sorted(by: { $0.key < $1.key }) {
      let bytes = value.words.flatMap { number($0, value.size) }
      table += number(UInt64(tag), 2) + number(UInt64(value.type), 2)
      table += number(UInt64(value.words.count / value.wordsEach), 4)
      if bytes.count <= 4 {
        table += bytes + Array(repeating: 0, count: 4 - bytes.count)
      } else {
        table += number(UInt64(file.count - base), 4)
        file += bytes + (bytes.count & 1 == 1 ? [0] : [])
      }
    }
    if (file.count - base) & 1 == 1 { file.append(0) }
    let position = file.count
    file += number(UInt64(values.count), 2) + table
    file += number(UInt64(next == -1 ? position : next), 4)
    return position
  }

  package var bytes: [UInt8] {
    var file: [UInt8] = (isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + number(42, 2) + number(0, 4)
    var main = main, raw = raw
    var places: [Int] = []
    for tile in tiles {
      places.append(file.count)
      file += tile + (tile.count & 1 == 1 ? [0] : [])
    }
    let isTiled = raw[322] != nil
    if raw[isTiled ? 324 : 273] == nil { raw[isTiled ? 324 : 273] = .places(places) }
    if raw[isTiled ? 325 : 279] == nil { raw[isTiled ? 325 : 279] = .places(tiles.map(\.count)) }
    if !preview.isEmpty {
      main[273] = .longs(file.count)
      main[279] = .longs(preview.count)
      file += preview + (preview.count & 1 == 1 ? [0] : [])
    }
    if !profiles.isEmpty {
      var positions: [Int] = []
      for profile in profiles {
        let base = file.count
        positions.append(base)
        file += (isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]) + number(0x4352, 2) + number(0, 4)
        let position = lay(profile, into: &file, base: base)
        file.replaceSubrange(base + 4..<base + 8, with: number(UInt64(position - base), 4))
      }
      main[50933] = .places(positions)
    }
    var below = [lay(raw, into: &file)]
    for child in children { below.append(lay(child, into: &file)) }
    if main[330] == nil { main[330] = .places(below) }
    let first = lay(main, into: &file, next: next)
    file.replaceSubrange(4..<8, with: number(UInt64(first), 4))
    return file
  }

  // MARK: Files

  package static let illuminantA = 17, illuminantD65 = 21
  package static let matrix1 = [0.9, -0.3, -0.1, -0.4, 1.2, 0.2, 0.0, 0.1, 0.6]
  package static let matrix2 = [0.8, -0.2, -0.1, -0.5, 1.3, 0.2, -0.1, 0.2, 0.7]

  private init() {}

  package static func mainValues() -> [Int: Value] {
    [
      254: .longs(1), 274: .shorts(6), 271: .text("Maker"), 272: .text("Model 1"), 50706: .bytes([1, 7, 1, 0]),
      50708: .text("Maker Model 1"), 50721: .fractions(matrix1, isSigned: true),
      50722: .fractions(matrix2, isSigned: true), 50728: .fractions([0.45, 1, 0.54]),
      50730: .fractions([-0.3], isSigned: true), 50778: .shorts(illuminantA), 50779: .shorts(illuminantD65),
    ]
  }

  /// A filter array of 16 bits in one strip.
  package static func filterArray(_ width: Int, _ height: Int, _ change: (inout DNGBuilder) -> Void = { _ in })
    -> DNGBuilder
  {
    var builder = DNGBuilder()
    builder.main = mainValues()
    builder.raw = [
      254: .longs(0), 256: .longs(width), 257: .longs(height), 258: .shorts(16), 259: .shorts(1), 262: .shorts(32803),
      277: .shorts(1), 278: .longs(height), 33421: .shorts(2, 2), 33422: .bytes([0, 1, 1, 2]), 50714: .shorts(64),
      50717: .shorts(4000),
    ]
    change(&builder)
    builder.tiles = [samples(width * height, below: 4000).flatMap { builder.number(UInt64($0), 2) }]
    return builder
  }

  /// A list of opcodes of one kind on all of a picture.
  ///
  /// - Parameter data: the bytes of each opcode after its area of `planes` planes.
  package static func opcodes(
    _ count: Int, id: Int, width: Int, height: Int, planes: Int = 1, _ data: [UInt8]
  ) -> [UInt8] {
    let area = [0, 0, height, width, 0, planes, 1, 1].flatMap(TinyICC.word)
    let one = [id, 0x0103_0000, 0, area.count + data.count].flatMap(TinyICC.word) + area + data
    return TinyICC.word(count) + (0..<count).flatMap { _ in one }
  }

  /// MapPolynomial of degree 8 that changes nothing.
  package static func polynomials(_ count: Int, width: Int, height: Int, planes: Int = 1) -> [UInt8] {
    let numbers = [0.0, 1, 0, 0, 0, 0, 0, 0, 0].flatMap { value in
      (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(56 - 8 * $0)) }
    }
    return opcodes(count, id: 8, width: width, height: height, planes: planes, TinyICC.word(8) + numbers)
  }

  /// GainMap of `side` by `side` gains of 1.
  package func gainMaps(_ count: Int, side: Int) -> [UInt8] {
    let spacing = (0..<4).flatMap { index -> [UInt8] in
      let value = index < 2 ? 1 / Double(side) : 0
      return (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(56 - 8 * $0)) }
    }
    let one = TinyICC.word(Int(Float(1).bitPattern))
    let gains = [[UInt8]](repeating: one, count: side * side).flatMap { $0 }
    return Self.opcodes(
      count, id: 9, width: 16, height: 16, [side, side].flatMap(TinyICC.word) + spacing + TinyICC.word(1) + gains)
  }

  package static func samples(_ count: Int, below most: Int) -> [Int] {
    (0..<count).map { ($0 * 397 + $0 / 7 * 811 + $0 * $0 % 61) % most }
  }

  package static let proRAWWidth = 70, proRAWHeight = 40

  /// Codes of the synthetic ProRAW, pixel by pixel, before its table.
  package static func proRAWCodes() -> [Int] { samples(3 * proRAWWidth * proRAWHeight, below: 4096) }

  /// Builds a file as a telephone writes it: lossless JPEG tiles of three planes, a table to 16 bits, gains by place, a
  /// preview with a gain map.
  package static func proRAW(preview: [UInt8] = []) -> DNGBuilder {
    var builder = DNGBuilder()
    let (width, height) = (proRAWWidth, proRAWHeight)
    builder.main = mainValues()
    builder.main[51110] = .longs(1)
    builder.main[50940] = .floats((0...256).flatMap { [Double($0) / 256, (Double($0) / 256).squareRoot()] })
    if !preview.isEmpty {
      builder.preview = preview
      for (tag, value) in [
        256: Value.longs(48), 257: .longs(32), 258: .shorts(8, 8, 8), 259: .shorts(7), 262: .shorts(6),
        277: .shorts(3), 278: .longs(32),
      ] { builder.main[tag] = value }
    }
    let tile = (width: 40, height: 24), codes = proRAWCodes()
    builder.raw = [
      254: .longs(0), 256: .longs(width), 257: .longs(height), 258: .shorts(12, 12, 12), 259: .shorts(7),
      262: .shorts(34892), 277: .shorts(3), 322: .longs(tile.width), 323: .longs(tile.height),
      50712: .table((0..<4096).map { $0 * 65_535 / 4095 }), 50714: .shorts(0, 0, 0),
      50717: .longs(65_535, 65_535, 65_535),
      52525: .bytes(builder.gainTable(), type: 7),
    ]
    for top in stride(from: 0, to: height, by: tile.height) {
      for left in stride(from: 0, to: width, by: tile.width) {
        let block = (0..<tile.width * tile.height).flatMap { at -> [Int] in
          let x = min(left + at % tile.width, width - 1), y = min(top + at / tile.width, height - 1)
          return (0..<3).map { codes[(y * width + x) * 3 + $0] }
        }
        builder.tiles.append(
          LosslessJPEG.encode(block, width: tile.width, height: tile.height, components: 3, bits: 12))
      }
    }
    return builder
  }

  /// Bytes of a ProfileGainTableMap of 2 x 3 x 5.
  package func gainTable(rows: Int = 2, columns: Int = 3, depth: Int = 5, gain: Float = 1.5) -> [UInt8] {
    var bytes = number(UInt64(rows), 4) + number(UInt64(columns), 4)
    for value in [0.8, 0.4, 0.1, 0.1] { bytes += number(value.bitPattern, 8) }
    bytes += number(UInt64(depth), 4)
    for value in [0.1, 0.2, 0.05, 0, 0.15] as [Float] { bytes += number(UInt64(value.bitPattern), 4) }
    for index in 0..<min(rows * columns * depth, 30) {
      bytes += number(UInt64((gain + Float(index) / 64).bitPattern), 4)
    }
    return bytes
  }

  /// Returns the gain table as a ProfileGainTableMap2 with a storage of 0 to 3.
  package func gainTable2(storage: Int, gamma: Float = 0.5, least: Float = 0.5, most: Float = 4) -> [UInt8] {
    var bytes = Array(gainTable().prefix(64)) + number(UInt64(storage), 4)
    for value in [gamma, least, most] { bytes += number(UInt64(value.bitPattern), 4) }
    for index in 0..<30 {
      switch storage {
      case 0: bytes.append(UInt8(index * 8))
      case 1: bytes += number(UInt64(index * 2000), 2)
      case 2: bytes += number(UInt64(Float16(0.5 + Double(index) / 16).bitPattern), 2)
      default: bytes += number(UInt64(Float(0.5 + Double(index) / 16).bitPattern), 4)
      }
    }
    return bytes
  }
}

/// Lossless JPEG of predictor 1 (ITU-T T.81 process 14), with one table of codes of five bits.
package enum LosslessJPEG {
  package static func encode(_ samples: [Int], width: Int, height: Int, components: Int, bits: Int) -> [UInt8] {
    func u16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
    // Categories 0 to 16, all of five bits.
    var out: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC4] + u16(2 + 1 + 16 + 17) + [0]
    out += [0, 0, 0, 0, 17] + [UInt8](repeating: 0, count: 11) + (0...16).map { UInt8($0) }
    out += [0xFF, 0xC3] + u16(8 + 3 * components) + [UInt8(bits)] + u16(height) + u16(width) + [UInt8(components)]
    for index in 0..<components { out += [UInt8(index), 0x11, 0] }
    out += [0xFF, 0xDA] + u16(6 + 2 * components) + [UInt8(components)]
    for index in 0..<components { out += [UInt8(index), 0] }
    out += [1, 0, 0]
    var held = 0, count = 0
    func put(_ value: Int, _ size: Int) {
      for bit in stride(from: size - 1, through: 0, by: -1) {
        held = held << 1 | value >> bit & 1
        count += 1
        guard count == 8 else { continue }
        out.append(UInt8(held))
        if held == 255 { out.append(0) }
        (held, count) = (0, 0)
      }
    }
    for y in 0..<height {
      for x in 0..<width {
        for c in 0..<components {
          let at = (y * width + x) * components + c
          let predicted = x > 0 ? samples[at - components] : y > 0 ? samples[at - width * components] : 1 << (bits - 1)
          let difference = samples[at] - predicted
          let category = Int.bitWidth - abs(difference).leadingZeroBitCount
          put(category, 5)
          put(difference >= 0 ? difference : difference + 1 << category - 1, category)
        }
      }
    }
    while count != 0 { put(1, 1) }
    return out + [0xFF, 0xD9]
  }
}
