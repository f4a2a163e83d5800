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
  fileprivate let words: PixelBuffer

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
  // Numbers of jpeg_codes.glsl; the head's words end at `firstSeam`.
  private static let run = 32, group = 64, firstWord = 4, firstSeam = 196
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
  fileprivate let runs: Int
  fileprivate let pixels: Int
  fileprivate let parts: Int
  /// The first byte of the sums of light, and of the seams.
  fileprivate let lightOffset: Int
  fileprivate let seamsOffset: Int
  /// The first byte of the stream.
  let streamOffset: Int
  /// The bytes of the band's output.
  let byteCount: Int
  /// The end of the head.
  let headEnd: Int

  fileprivate init(_ layout: JPEGLayout, alignment: Int, behind start: Int) {
    self.start = start
    blocksOfMCU = layout.blocksOfMCU
    components = layout.components.count
    runs = (layout.blockCount + Self.run - 1) / Self.run
    pixels = layout.width * layout.height
    parts = min(Self.mostParts, (pixels + 63) / 64)
    func aligned(_ bytes: Int) -> Int { (bytes + alignment - 1) / alignment * alignment }
    lightOffset = start + aligned(4 * Self.firstSeam)
    headEnd = lightOffset + 8 * parts
    seamsOffset = aligned(headEnd)
    streamOffset = aligned(seamsOffset + 8 * runs)
    byteCount = aligned(streamOffset + layout.blockCount * Self.mostBlockBytes)
  }

  /// Places of bits are 32-bit numbers.
  fileprivate var mostBits: Int { 8 * (byteCount - streamOffset) }
  fileprivate var groups: Int { (runs + Self.group - 1) / Self.group }

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

extension BandBuild {
  /// Adds the dispatches that encode a band's pixels.
  ///
  /// - Parameters:
  ///   - pixels: R G B x of 8 bits, rows without padding; in the output if they are kept.
  ///   - firstKernel: the number of kernels before those of JPEG.
  mutating func encode(
    _ pixels: Region, _ coding: JPEGCoding, rows: Range<Int>, firstKernel: Int
  ) throws(GPUError) -> JPEGBand {
    let layout = coding.layout.rows(rows)
    let kept = if case .output(_, let bytes) = pixels { bytes } else { 0 }
    let scan = JPEGBand(layout, alignment: planner.limits.alignment, behind: kept)
    let blocks = layout.blockCount
    func room(_ words: Int, _ what: String) throws(GPUError) -> Region {
      let bytes = planner.align(4 * words)
      try planner.fits(bytes, what)
      return .scratch(offset: scratch.take(bytes), bytes: bytes)
    }
    let coefficients = try room(33 * blocks, "coefficients of a band")
    let runBits = try room(scan.runs, "runs of a band"), groupBits = try room(scan.groups, "groups of a band")
    try planner.fits(scan.byteCount, "scan of a band")
    guard scan.mostBits <= UInt32.max else {
      throw .tooLarge(what: "bits of a band's scan", value: scan.mostBits, limit: Int(UInt32.max))
    }
    let tables = add(coding.words)
    // Constants are not read.
    let constants = dispatches.last?.constantsOffset ?? 0

    func dispatch(
      _ kernel: JPEGKernel, _ words: [Int], columns: Int, rows: Int, _ sources: [Region], _ output: Region
    ) throws(GPUError) {
      var frame = [UInt32](repeating: 0, count: FrameLayout.words)
      for (place, word) in words.enumerated() { frame[place] = UInt32(word) }
      dispatches.append(
        BandDispatch(
          kernel: firstKernel + kernel.index, frame: frame, frameOffset: take(SharedLayout.frameBytes),
          constantsOffset: constants, sources: sources, output: output, columns: columns, rows: rows))
    }
    for (index, component) in layout.components.enumerated() {
      let size = layout.samples(component)
      let columns = layout.mcuColumns * component.blocksX, rows = layout.mcuRows * component.blocksY
      // As in jpeg_blocks.glsl: luma, Cb, Cr, grey.
      let kind = layout.chroma == .none ? 3 : index
      try dispatch(
        .blocks,
        [
          columns, rows, (size.width + 7) / 8, (size.height + 7) / 8, layout.width, layout.height, size.height,
          4 * layout.width, kind, component.blocksX, component.blocksY,
          component.shiftX, component.shiftY, component.firstInMCU, layout.blocksOfMCU, layout.mcuColumns, blocks,
        ], columns: columns, rows: rows, [pixels, tables], coefficients)
    }
    let grid = 1024, stream = Region.output(offset: scan.streamOffset, bytes: scan.byteCount - scan.streamOffset)
    let words = [
      grid, blocks, layout.blocksOfMCU, layout.lumaOfMCU, scan.runs, scan.groups, (scan.streamOffset - kept) / 4,
      (scan.seamsOffset - kept) / 4,
    ]
    let sources = [coefficients, tables, runBits, groupBits]
    let steps: [(kernel: JPEGKernel, count: Int, sources: [Region], output: Region)] = [
      (.runBits, scan.runs, sources.dropLast(2) + [tables, tables], runBits),
      (.groupBits, scan.groups, sources.dropLast() + [tables], groupBits),
      (.codes, scan.runs, sources, .output(offset: kept, bytes: scan.byteCount - kept)),
      (.seams, scan.runs + 1, [.output(offset: kept, bytes: scan.streamOffset - kept)] + sources.dropFirst(), stream),
    ]
    for step in steps {
      try dispatch(
        step.kernel, words, columns: min(step.count, grid), rows: (step.count + grid - 1) / grid, step.sources,
        step.output)
    }
    try dispatch(
      .light, [grid, scan.parts, scan.pixels], columns: min(scan.parts, grid),
      rows: (scan.parts + grid - 1) / grid, [pixels], .output(offset: scan.lightOffset, bytes: 8 * scan.parts))
    bytesWritten += 4 * 33 * blocks
    bytesRead += 4 * 33 * blocks
    return scan
  }

  /// Adds bytes that go up as they are.
  private mutating func add(_ words: PixelBuffer) -> Region {
    let start = take(words.byteCount)
    copies.append(
      SlabCopy(
        buffer: words, offset: 0, rowBytes: words.byteCount, target: start, targetRowBytes: words.byteCount, rows: 1,
        bytes: words.byteCount))
    return .input(offset: start, bytes: words.byteCount)
  }
}
