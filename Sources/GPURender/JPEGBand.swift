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
  package var kernels: [BandKernel] { counts ? BandKernel.symbols : BandKernel.scan }

  package init(
    _ layout: JPEGLayout, _ tables: JPEGTables, keepsPixels: Bool = false, isOptimized: Bool = false
  ) {
    self.layout = layout
    self.tables = tables
    self.keepsPixels = keepsPixels
    self.isOptimized = isOptimized
    words = PixelBuffer(words: tables.words)
  }

  /// This coding counts the picture's symbols, from which codes of its own are made.
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
  /// The most bytes of a block's codes: a DC code of 20 bits, and 63 of 26.
  private static let mostBlockBytes = 208

  /// The first byte of the head; the samples lie before it, if they are kept.
  let start: Int
  let blocksOfMCU: Int
  let components: Int
  let runs: Int
  /// The light of the pixels; `nil` if symbols are counted.
  let light: BandSums?
  /// The parts in which symbols are counted.
  let parts: Int
  /// The blocks of luma and of chroma beyond the first MCU.
  package let laterBlocks: (luma: Int, chroma: Int)
  /// The first byte of light or of the counts of symbols, and of the seams.
  package let sumsOffset: Int
  let seamsOffset: Int
  /// The first byte of the stream.
  let streamOffset: Int
  /// The bytes of the band's output.
  package let byteCount: Int
  /// The end of the head.
  let headEnd: Int

  package init(_ coding: JPEGCoding, rows: Range<Int>, alignment: Int, behind start: Int) {
    let layout = coding.layout.rows(rows)
    self.start = start
    blocksOfMCU = layout.blocksOfMCU
    components = layout.components.count
    runs = (layout.blockCount + Self.run - 1) / Self.run
    parts = min(Self.mostCounts, runs)
    let laterMCUs = layout.mcuColumns * layout.mcuRows - 1
    laterBlocks = (laterMCUs * layout.lumaOfMCU, laterMCUs * (layout.blocksOfMCU - layout.lumaOfMCU))
    func aligned(_ bytes: Int) -> Int { (bytes + alignment - 1) / alignment * alignment }
    sumsOffset = start + aligned(4 * Self.headWords)
    light = coding.counts ? nil : BandSums(.codes, width: layout.width, height: layout.height, at: sumsOffset)
    headEnd = light?.bytes.upperBound ?? sumsOffset + 4 * JPEGSymbolCounts.count
    seamsOffset = aligned(headEnd)
    streamOffset = aligned(seamsOffset + (coding.counts ? 0 : 8 * runs))
    byteCount = aligned(streamOffset + (coding.counts ? 0 : layout.blockCount * Self.mostBlockBytes))
  }

  /// Places of bits are 32-bit numbers.
  var mostBits: Int { 8 * (byteCount - streamOffset) }
  var groups: Int { (runs + Self.group - 1) / Self.group }
  var countGroups: Int { min(parts, Self.countGroups) }

  /// The head of a band.
  package struct Head {
    /// The bits of the stream; at most as many as it has room for.
    let bits: Int
    /// The bytes of the output that hold the stream, whole words.
    let stream: Range<Int>
    let first: [JPEGBlock]
    let lastDC: [Int]
    let light: PixelSums
    /// The number of times that each symbol occurs (`JPEGSymbolCounts`); empty beside a stream.
    let counts: [UInt32]
  }

  /// Reads the head; `nil` if its numbers are impossible: a device may fail.
  ///
  /// - Parameter output: the band's output up to `headEnd`.
  package func head(_ output: UnsafeRawPointer) -> Head? {
    let words = UnsafeRawBufferPointer(start: output + start, count: headEnd - start).bindMemory(to: UInt32.self)
    let bits = light == nil ? 0 : Int(words[0]), end = streamOffset + (bits + 31) / 32 * 4
    guard end <= byteCount else { return nil }
    let first = (0..<blocksOfMCU).map {
      JPEGBlock(words: words[Self.firstWord + 32 * $0..<Self.firstWord + 32 * $0 + 32])
    }
    let lastDC = (1...components).map { Int(Int32(bitPattern: words[$0])) }
    // Codes exist for values of at most 10 bits, and differences of 11.
    guard first.allSatisfy({ $0.values.allSatisfy { abs(Int($0)) < 1 << 10 + 1 } }),
      lastDC.allSatisfy({ abs($0) < 1 << 10 + 1 })
    else { return nil }
    guard let light else {
      let counts = Array(words[(sumsOffset - start) / 4..<words.count])
      guard JPEGSymbolCounts.arePossible(counts, luma: laterBlocks.luma, chroma: laterBlocks.chroma) else { return nil }
      return Head(
        bits: 0, stream: streamOffset..<end, first: first, lastDC: lastDC, light: PixelSums(.codes),
        counts: counts)
    }
    guard let sums = light.sums(output) else { return nil }
    return Head(bits: bits, stream: streamOffset..<end, first: first, lastDC: lastDC, light: sums, counts: [])
  }
}
