import HDRCore
import HDRPlan
import Kernels

extension DecodedScan {
  /// Takes the planes of a band's output.
  init(_ decoding: JPEGDecoding, _ band: Band, _ output: UnsafeRawPointer, _ image: SampleImage) {
    let words = UnsafeBufferPointer(start: output.assumingMemoryBound(to: UInt32.self), count: decoding.groups)
    self.init(flags: JPEGDecodeFlags(rawValue: words.reduce(0, |)), image: image)
    if flags.isEmpty { band.copyOutput(output, to: image) }
  }
}

extension Plan {
  /// A plan without passes, for work that is no picture's.
  static let none = Plan(passes: [], constants: [], tables: [], report: PlanReport())
}

extension Band {
  /// Makes the band that decodes a scan: all chunks at once, as each needs the one before. Its output is the flags of
  /// groups of chunks, then the planes in rows of whole blocks.
  ///
  /// - Throws: `.tooLarge`.
  init(_ decoding: JPEGDecoding, _ limits: BandLimits) throws(GPUError) {
    var build = BandBuild(planner: BandPlanner(decodingWithin: limits))
    let planner = build.planner, layout = decoding.layout
    let tables = build.add(PixelBuffer(words: decoding.words))
    var bytes = planner.align(4 * decoding.groups)
    let coefficients = try build.decode(decoding, tables, flags: .output(bytes: bytes))
    var planes: [BandPlane] = []
    for (index, component) in layout.components.enumerated() {
      let size = decoding.blocks(component)
      let plane = BandPlane(offset: bytes, rowBytes: 8 * size.columns, rows: 0..<8 * size.rows)
      bytes = planner.align(bytes + plane.bytes)
      try planner.fits(bytes, "planes of a scan")
      try build.follow(
        .samples,
        [
          size.columns, size.rows, index, component.blocksX, component.blocksY, component.firstInMCU,
          layout.blocksOfMCU, layout.mcuColumns,
        ].map { UInt32($0) }, columns: size.columns, rows: size.rows, [coefficients, tables],
        .output(offset: plane.offset, bytes: plane.bytes))
      planes.append(plane)
    }
    self.init(
      rows: 0..<layout.height, dispatches: build.dispatches, copies: build.copies, uploadBytes: build.uploadBytes,
      scratchBytes: build.scratch.size, images: [], outputBytes: bytes, outputPlanes: planes, usesImage: false,
      width: layout.width, bytesRead: build.bytesRead, bytesWritten: build.bytesWritten)
  }
}

extension BandBuild {
  /// Adds the dispatches that make the coefficients of a scan, and its flags.
  ///
  /// - Returns: the coefficients of all blocks.
  fileprivate mutating func decode(
    _ decoding: JPEGDecoding, _ tables: Region, flags: Region
  ) throws(GPUError) -> Region {
    let layout = decoding.layout, blocks = layout.blockCount, chunks = decoding.chunks
    let stream = add(PixelBuffer(words: decoding.scan.words))
    let states = [
      try room(JPEGDecoding.stateWords * chunks, "states of a scan"),
      try room(JPEGDecoding.stateWords * chunks, "states of a scan"),
    ]
    let sums = try room(JPEGDecoding.groupWords * decoding.groups, "sums of a scan")
    let bases = try room(JPEGDecoding.groupWords * decoding.groups, "sums of a scan")
    let coefficients = try room(32 * blocks + chunks, "coefficients of a scan")
    func words(round: Int) -> [Int] {
      [
        chunks, layout.blocksOfMCU, layout.lumaOfMCU, decoding.blocksOfInterval, blocks, decoding.groups, round,
      ]
    }
    for round in 0..<JPEGDecoding.rounds {
      try follow(
        .states, count: chunks, words(round: round), [stream, tables, states[(round + 1) % 2]],
        states[round % 2])
    }
    let last = states[(JPEGDecoding.rounds + 1) % 2]
    let steps: [(kernel: BandKernel, count: Int, sources: [Region], output: Region)] = [
      (.stateSums, decoding.groups, [stream, tables, last], sums),
      (.stateBases, decoding.groups, [stream, tables, last, sums], bases),
      (.coefficients, chunks, [stream, tables, last, bases], coefficients),
      (.flags, decoding.groups, [coefficients], flags),
    ]
    for step in steps {
      try follow(step.kernel, count: step.count, words(round: 0), step.sources, step.output)
    }
    bytesWritten += 128 * blocks
    bytesRead += 128 * blocks
    return coefficients
  }
}
