import HDRCore
import Kernels

/// JPEGs of drawn coefficients, with any layout, tables and restarts: also those that no encoder makes. They are
/// baseline, or the first scan of progressive ones.
package struct BaselineJPEG: CustomStringConvertible, Sendable {
  package var width: Int
  package var height: Int
  package var chroma = ChromaSubsampling.s420
  package var restartInterval = 0
  /// The share of coefficients that are not zero, and the bits of the largest.
  package var density = 0.15
  package var largestBits = 6
  package var seed: UInt64 = 1
  /// True for codes that are not those of annex K.
  package var hasOwnCodes = false
  /// True for a progressive file of DC values alone.
  package var isProgressive = false
  /// The quantisers of all components, one after another from the start again.
  package var quantisers: [UInt16] = [3]

  package init(width: Int, height: Int, chroma: ChromaSubsampling = .s420) {
    self.width = width
    self.height = height
    self.chroma = chroma
  }

  package var description: String {
    "\(width)x\(height) \(chroma.rawValue) restarts \(restartInterval) density \(density) own codes \(hasOwnCodes)"
  }

  package var layout: JPEGLayout { JPEGLayout(width: width, height: height, chroma: chroma) }

  /// The tables of each component.
  package var tables: [JPEGSourceScan.Tables] {
    var random = SplitMix64(seed: seed)
    let standard = JPEGTables(quality: 50).codes
    func codes(_ table: JPEGCodeTable) -> JPEGCodes {
      var codes = standard[table.rawValue]
      if hasOwnCodes {
        for place in codes.values.indices.dropFirst() {
          codes.values.swapAt(place, Int(random.next() % UInt64(place + 1)))
        }
      }
      return codes
    }
    let luma = (codes(.lumaDC), codes(.lumaAC)), color = (codes(.chromaDC), codes(.chromaAC))
    return layout.components.indices.map { index in
      let own = index == 0 ? luma : color
      return JPEGSourceScan.Tables(
        quantisers: (0..<64).map { quantisers[(64 * index + $0) % quantisers.count] }, dc: own.0, ac: own.1)
    }
  }

  /// The bytes of the file.
  package var file: [UInt8] {
    var bytes: [UInt8] = [0xFF, 0xD8]
    func segment(_ marker: UInt8, _ payload: [UInt8]) {
      bytes += [0xFF, marker] + number(payload.count + 2) + payload
    }
    func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
    let tables = tables
    for (index, table) in tables.enumerated() {
      segment(0xDB, [UInt8(0x10 + index)] + table.quantisers.flatMap { number(Int($0)) })
    }
    var frame = [8] + number(height) + number(width) + [UInt8(tables.count)]
    for (index, component) in layout.components.enumerated() {
      frame += [UInt8(index + 1), UInt8(component.blocksX << 4 + component.blocksY), UInt8(index)]
    }
    segment(isProgressive ? 0xC2 : 0xC1, frame)
    for (index, table) in tables.enumerated() {
      for (kind, codes) in [(0, table.dc), (0x10, table.ac)] {
        segment(0xC4, [UInt8(kind + index)] + codes.counts + codes.values)
      }
    }
    if restartInterval > 0 { segment(0xDD, number(restartInterval)) }
    segment(
      0xDA,
      [UInt8(tables.count)] + tables.indices.flatMap { [UInt8($0 + 1), UInt8($0 * 0x11)] }
        + [0, isProgressive ? 0 : 63, 0])
    return bytes + stream(tables) + [0xFF, 0xD9]
  }

  private func stream(_ tables: [JPEGSourceScan.Tables]) -> [UInt8] {
    var writer = BitWriter(), random = SplitMix64(seed: seed &+ 77)
    let codes = tables.map { (dc: $0.dc.words(count: 256), ac: $0.ac.words(count: 256)) }
    func put(_ value: Int, _ run: Int, _ codes: [UInt32]) {
      let size = Int.bitWidth - value.magnitude.leadingZeroBitCount, word = codes[run << 4 | size]
      writer.put(Int(word & 0xFFFF), Int(word >> 16))
      writer.put((value < 0 ? value - 1 : value) & (1 << size - 1), size)
    }
    func drawn() -> Int {
      let bits = 1 + Int(random.next() % UInt64(largestBits)),
        value = 1 << (bits - 1) | Int(random.next() % (1 << (bits - 1)))
      return random.next() & 1 == 0 ? value : -value
    }
    let interval = restartInterval > 0 ? restartInterval : .max
    for mcu in 0..<layout.mcuColumns * layout.mcuRows {
      if mcu > 0, mcu % interval == 0 { writer.restart(mcu / interval - 1) }
      for (index, component) in layout.components.enumerated() {
        for _ in 0..<component.blocks {
          // Differences go back to the middle as often as away from it.
          let difference = drawn()
          put(difference, 0, codes[index].dc)
          var zeros = 0
          for _ in 1..<(isProgressive ? 1 : 64) {
            guard Double(random.next() >> 11) * 0x1p-53 < density else {
              zeros += 1
              continue
            }
            while zeros > 15 {
              put(0, 15, codes[index].ac)
              zeros -= 16
            }
            put(drawn(), zeros, codes[index].ac)
            zeros = 0
          }
          if zeros > 0 { put(0, 0, codes[index].ac) }
        }
      }
    }
    writer.fill()
    return writer.bytes
  }
}

/// Writes bits with stuffing.
private struct BitWriter {
  var bytes: [UInt8] = []
  private var held = 0
  private var count = 0

  mutating func put(_ bits: Int, _ number: Int) {
    held = held << number | bits
    count += number
    while count >= 8 {
      let byte = UInt8(held >> (count - 8) & 255)
      bytes += byte == 0xFF ? [0xFF, 0] : [byte]
      count -= 8
    }
    held &= 1 << count - 1
  }

  mutating func fill() { if count > 0 { put(1 << (8 - count) - 1, 8 - count) } }

  mutating func restart(_ number: Int) {
    fill()
    bytes += [0xFF, UInt8(0xD0 + number % 8)]
  }
}
