import HDRCore
import HDRPlan
import Kernels

/// The layout and the tables with which a device encodes a picture.
package struct JPEGCoding: Sendable {
  package let layout: JPEGLayout
  package let tables: JPEGTables
  /// True if the samples are wanted, too.
  package let keepsPixels: Bool
  /// The words of the tables, which go up with each band.
  let words: PixelBuffer

  /// The kernels that run on each band, in order.
  package var kernels: [JPEGKernel] { JPEGKernel.allCases }

  package init(_ layout: JPEGLayout, _ tables: JPEGTables, keepsPixels: Bool = false) {
    self.layout = layout
    self.tables = tables
    self.keepsPixels = keepsPixels
    let list = tables.words
    words = PixelBuffer(byteCount: 4 * list.count)
    list.withUnsafeBytes { words.base.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
  }
}

/// The head and the codes that the kernels of JPEG leave in a band's output. The codes of the first MCU are missing: its
/// DC values depend on the band before.
package struct JPEGBand: Sendable {
  // Numbers of jpeg_codes.glsl.
  private static let run = 32, group = 64, firstWord = 4, headWords = 196
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
  let blocksOfMCU: Int
  let components: Int
  let runs: Int
  let pixels: Int
  let parts: Int
  /// The first byte of the sums of light, and of the seams.
  let lightOffset: Int
  let seamsOffset: Int
  /// The first byte of the stream.
  let streamOffset: Int
  /// The bytes of the band's output.
  let byteCount: Int
  /// The end of the head.
  let headEnd: Int

  init(_ layout: JPEGLayout, alignment: Int, behind start: Int) {
    self.start = start
    blocksOfMCU = layout.blocksOfMCU
    components = layout.components.count
    runs = (layout.blockCount + Self.run - 1) / Self.run
    pixels = layout.width * layout.height
    parts = min(Self.mostParts, (pixels + 63) / 64)
    func aligned(_ bytes: Int) -> Int { (bytes + alignment - 1) / alignment * alignment }
    lightOffset = start + aligned(4 * Self.headWords)
    headEnd = lightOffset + 8 * parts
    seamsOffset = aligned(headEnd)
    streamOffset = aligned(seamsOffset + 8 * runs)
    byteCount = aligned(streamOffset + layout.blockCount * Self.mostBlockBytes)
  }

  /// Places of bits are 32-bit numbers.
  var mostBits: Int { 8 * (byteCount - streamOffset) }
  var groups: Int { (runs + Self.group - 1) / Self.group }

  /// The head of a band.
  struct Head {
    /// The bits of the stream; at most as many as it has room for.
    let bits: Int
    /// The bytes of the output that hold the stream, whole words.
    let stream: Range<Int>
    let first: [JPEGBlock]
    let lastDC: [Int]
    let light: Light
  }

  /// Reads the head; `nil` if its numbers are impossible: a device may fail.
  ///
  /// - Parameter output: the band's output up to `headEnd`.
  func head(_ output: UnsafeRawPointer) -> Head? {
    let words = UnsafeRawBufferPointer(start: output + start, count: headEnd - start).bindMemory(to: UInt32.self)
    let bits = Int(words[0]), end = streamOffset + (bits + 31) / 32 * 4
    guard end <= byteCount else { return nil }
    let first = (0..<blocksOfMCU).map {
      JPEGBlock(words: words[Self.firstWord + 32 * $0..<Self.firstWord + 32 * $0 + 32])
    }
    let lastDC = (1...components).map { Int(Int32(bitPattern: words[$0])) }
    // Codes exist for values of at most 10 bits, and differences of 11.
    guard first.allSatisfy({ $0.values.allSatisfy { abs(Int($0)) < 1 << 10 + 1 } }),
      lastDC.allSatisfy({ abs($0) < 1 << 10 + 1 })
    else { return nil }
    var light = Light()
    for part in 0..<parts {
      light.largest = max(light.largest, Int(words[(lightOffset - start) / 4 + 2 * part]))
      light.full += Int(words[(lightOffset - start) / 4 + 2 * part + 1])
    }
    guard light.largest < 256, light.full <= pixels else { return nil }
    return Head(bits: bits, stream: streamOffset..<end, first: first, lastDC: lastDC, light: light)
  }
}
