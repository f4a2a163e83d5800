import HDRCore
import HDRPlan
import Kernels

extension Plan {
  /// A plan without passes, for work that is no picture's.
  static let none = Plan(passes: [], constants: [], tables: [], report: PlanReport())
}

extension JPEGDecodeFlags {
  /// Takes the flags that groups of chunks have in the output of a band.
  init(_ output: UnsafeRawPointer, _ place: Range<Int>) {
    let words = UnsafeRawBufferPointer(start: output + place.lowerBound, count: place.count)
      .assumingMemoryBound(to: UInt32.self)
    self.init(rawValue: words.reduce(0, |))
  }
}

/// A band that decodes scans: all chunks at once, as each needs the one before.
struct JPEGDecodeBand {
  /// The output is flags of groups of chunks, scan after scan; of a scan whose planes are not kept then the planes.
  let band: Band
  /// The places of each scan's flags.
  let flags: [Range<Int>]

  /// Makes the band of a scan whose planes go to the host.
  ///
  /// - Throws: `.tooLarge`.
  init(_ decoding: JPEGDecoding, _ limits: BandLimits) throws(GPUError) { try self.init([(decoding, nil)], limits) }

  /// Makes the band of scans whose planes stay on the device.
  ///
  /// - Throws: `.tooLarge`.
  init(keeping scans: [(decoding: JPEGDecoding, planes: DevicePlanes)], _ limits: BandLimits) throws(GPUError) {
    try self.init(scans.map { ($0.decoding, Optional($0.planes)) }, limits)
  }

  /// Returns the first scan, with its planes copied from the band's output.
  func decoded(_ decoding: JPEGDecoding, _ output: UnsafeRawPointer, _ image: SampleImage) -> DecodedScan {
    let flags = JPEGDecodeFlags(output, flags[0])
    if flags.isEmpty { band.copyOutput(output, to: image) }
    return DecodedScan(flags: flags, image: image)
  }

  /// - Parameter scans: a scan without kept planes is the only one.
  private init(
    _ scans: [(decoding: JPEGDecoding, planes: DevicePlanes?)], _ limits: BandLimits
  ) throws(GPUError) {
    var build = BandBuild(planner: BandPlanner(decodingWithin: limits)), bytes = 0, flags: [Range<Int>] = []
    var planes: [BandPlane] = []
    for (decoding, kept) in scans {
      let tables = build.add(PixelBuffer(words: decoding.words))
      let place = bytes..<bytes + 4 * decoding.groups
      bytes = build.planner.align(place.upperBound)
      let coefficients = try build.decode(
        decoding, tables, flags: .output(offset: place.lowerBound, bytes: place.count))
      flags.append(place)
      let layout = kept?.layout ?? PlanesLayout(decoding, alignment: limits.alignment, from: bytes)
      if kept == nil {
        (bytes, planes) = (layout.bytes, layout.planes)
        try build.planner.fits(bytes, "planes of a scan")
      }
      for (index, plane) in layout.planes.enumerated() {
        let output =
          kept.map { Region.planes($0, offset: plane.offset, bytes: plane.bytes) }
          ?? .output(offset: plane.offset, bytes: plane.bytes)
        try build.samples(of: index, decoding, coefficients, tables, output)
      }
      // The next scan's coefficients take the place of these.
      build.scratch.giveAll()
    }
    let size = scans[0].decoding.layout
    self.flags = flags
    band = Band(
      rows: 0..<size.height, dispatches: build.dispatches, copies: build.copies, uploadBytes: build.uploadBytes,
      scratchBytes: build.scratch.size, images: [], outputBytes: bytes, outputPlanes: planes, usesImage: false,
      width: size.width, bytesRead: build.bytesRead, bytesWritten: build.bytesWritten)
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

  /// Adds the dispatch that makes the samples of a component.
  fileprivate mutating func samples(
    of index: Int, _ decoding: JPEGDecoding, _ coefficients: Region, _ tables: Region, _ output: Region
  ) throws(GPUError) {
    let layout = decoding.layout, component = layout.components[index], size = decoding.blocks(component)
    try follow(
      .samples,
      [
        size.columns, size.rows, index, component.blocksX, component.blocksY, component.firstInMCU,
        layout.blocksOfMCU, layout.mcuColumns,
      ].map { UInt32($0) }, columns: size.columns, rows: size.rows, [coefficients, tables], output)
  }
}
