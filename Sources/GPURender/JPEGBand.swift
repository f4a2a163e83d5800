import HDRCore
import HDRPlan
import Kernels

/// The layout and the tables with which a device encodes a picture.
package struct JPEGCoding: Sendable {
  package let layout: JPEGLayout
  package let tables: JPEGTables
  /// True if the samples are wanted, too.
  package let keepsPixels: Bool
  /// True if the picture gets codes of its own: its symbols are counted before.
  package let isOptimized: Bool
  /// True if symbols are counted, and no scan is made.
  private(set) var counts = false
  /// The words of the tables, which go up with each band.
  let words: PixelBuffer

  /// The kernels that run on each band, in order.
  package var kernels: [JPEGKernel] { counts ? JPEGKernel.symbols : JPEGKernel.scan }

  package init(
    _ layout: JPEGLayout, _ tables: JPEGTables, keepsPixels: Bool = false, isOptimized: Bool = false
  ) {
    self.layout = layout
    self.tables = tables
    self.keepsPixels = keepsPixels
    self.isOptimized = isOptimized
    let list = tables.words
    words = PixelBuffer(byteCount: 4 * list.count)
    list.withUnsafeBytes { words.base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
  }

  /// What comes before codes of the picture's own: the count of its symbols.
  package var counting: JPEGCoding {
    var coding = JPEGCoding(layout, tables, isOptimized: isOptimized)
    coding.counts = true
    return coding
  }

  /// Returns the coding of some rows as a picture of their own, whose samples are known.
  package func rows(_ rows: Range<Int>) -> JPEGCoding {
    JPEGCoding(layout.rows(rows), tables, isOptimized: isOptimized)
  }

  /// Returns the coding with other codes.
  package func with(_ codes: [JPEGCodes]) -> JPEGCoding {
    var tables = tables
    tables.codes = codes
    return JPEGCoding(layout, tables, keepsPixels: keepsPixels, isOptimized: isOptimized)
  }
}

/// The head and the codes, or the counts of symbols, that the kernels of JPEG leave in a band's output. The first MCU
/// is missing in both: its DC values depend on the band before.
package struct JPEGBand: Sendable {
  // Numbers of jpeg_codes.glsl.
  private static let run = 32, group = 64, firstWord = 4, headWords = 196
  /// The most parts in which symbols are counted, and the number of groups whose sums are made first.
  private static let mostCounts = 4096, countGroups = 64
  /// The most parts in which light is measured: as many as keep a large device busy.
  private static let mostParts = 8192
  /// The most bytes of a block's codes: a DC code of 20 bits, and 63 of 26.
  private static let mostBlockBytes = 208

  /// The light of a band or a picture, as `JPEGKernel.light` measures it.
  package struct Light: Sendable, Hashable {
    /// The largest code of R, G and B.
    package var largest = 0
    /// The number of pixels with the code 255.
    package var full = 0
    package init() {}
  }

  /// The first byte of the head; the samples lie before it, if they are kept.
  let start: Int
  /// True if symbols are counted, and there is no stream.
  let isCount: Bool
  let blocksOfMCU: Int
  let components: Int
  let runs: Int
  let pixels: Int
  let parts: Int
  /// The words that the host adds up for each band: of light two a part, or of symbols one each.
  let sums: Int
  /// The first byte of the sums, and of the seams.
  let sumsOffset: Int
  let seamsOffset: Int
  /// The first byte of the stream.
  let streamOffset: Int
  /// The bytes of the band's output.
  let byteCount: Int
  /// The end of the head.
  let headEnd: Int

  init(_ coding: JPEGCoding, rows: Range<Int>, alignment: Int, behind start: Int) {
    let layout = coding.layout.rows(rows)
    self.start = start
    blocksOfMCU = layout.blocksOfMCU
    components = layout.components.count
    runs = (layout.blockCount + Self.run - 1) / Self.run
    pixels = layout.width * layout.height
    parts = coding.counts ? min(Self.mostCounts, runs) : min(Self.mostParts, (pixels + 63) / 64)
    sums = coding.counts ? JPEGSymbolCounts.count : 2 * parts
    isCount = coding.counts
    func aligned(_ bytes: Int) -> Int { (bytes + alignment - 1) / alignment * alignment }
    sumsOffset = start + aligned(4 * Self.headWords)
    headEnd = sumsOffset + 4 * sums
    seamsOffset = aligned(headEnd)
    streamOffset = aligned(seamsOffset + (isCount ? 0 : 8 * runs))
    byteCount = aligned(streamOffset + (isCount ? 0 : layout.blockCount * Self.mostBlockBytes))
  }

  /// Places of bits are 32-bit numbers.
  var mostBits: Int { 8 * (byteCount - streamOffset) }
  var groups: Int { (runs + Self.group - 1) / Self.group }
  var countGroups: Int { min(parts, Self.countGroups) }

  /// The head of a band.
  struct Head {
    /// The bits of the stream; at most as many as it has room for.
    let bits: Int
    /// The bytes of the output that hold the stream, whole words.
    let stream: Range<Int>
    let first: [JPEGBlock]
    let lastDC: [Int]
    let light: Light
    /// The number of times that each symbol occurs (`JPEGSymbolCounts`); empty beside a stream.
    let counts: [UInt32]
  }

  /// Reads the head; `nil` if its numbers are impossible: a device may fail.
  ///
  /// - Parameter output: the band's output up to `headEnd`.
  func head(_ output: UnsafeRawPointer) -> Head? {
    let words = UnsafeRawBufferPointer(start: output + start, count: headEnd - start).bindMemory(to: UInt32.self)
    let bits = isCount ? 0 : Int(words[0]), end = streamOffset + (bits + 31) / 32 * 4
    guard end <= byteCount else { return nil }
    let first = (0..<blocksOfMCU).map {
      JPEGBlock(words: words[Self.firstWord + 32 * $0..<Self.firstWord + 32 * $0 + 32])
    }
    let lastDC = (1...components).map { Int(Int32(bitPattern: words[$0])) }
    // Codes exist for values of at most 10 bits, and differences of 11.
    guard first.allSatisfy({ $0.values.allSatisfy { abs(Int($0)) < 1 << 10 + 1 } }),
      lastDC.allSatisfy({ abs($0) < 1 << 10 + 1 })
    else { return nil }
    let sums = words[(sumsOffset - start) / 4..<words.count]
    if isCount {
      return Head(
        bits: 0, stream: streamOffset..<end, first: first, lastDC: lastDC, light: Light(), counts: Array(sums))
    }
    var light = Light()
    for (place, word) in sums.enumerated() {
      if place % 2 == 0 { light.largest = max(light.largest, Int(word)) } else { light.full += Int(word) }
    }
    guard light.largest < 256, light.full <= pixels else { return nil }
    return Head(bits: bits, stream: streamOffset..<end, first: first, lastDC: lastDC, light: light, counts: [])
  }
}
