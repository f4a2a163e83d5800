import HDRCore
import HDRPlan
import Kernels

/// A band that is being built: cursors in the slot's buffers and the lists that go with them.
struct BandBuild {
  let planner: BandPlanner
  var dispatches: [BandDispatch] = []
  var copies: [SlabCopy] = []
  var uploadBytes = 0
  var scratch = ScratchSpace()
  var images = ImagePool()
  var bytesRead = 0
  var bytesWritten = 0
  /// Pictures of passes that are still read, by pass.
  private var intermediates: [Int: Intermediate] = [:]

  /// The picture of a pass, in memory of the device.
  struct Intermediate {
    var pass: Pass
    var rows: Range<Int>
    var planes: [BandPlane]
    var place: Region
    var bytes: Int
  }

  init(planner: BandPlanner) { self.planner = planner }

  /// Adds the dispatch of a pass for some of its rows; those of the passes it reads are there.
  mutating func dispatch(
    _ index: Int, rows: Range<Int>, output: Region, planes: [BandPlane]
  ) throws(GPUError) {
    let pass = planner.plan.passes[index]
    var frame = [UInt32](repeating: 0, count: FrameLayout.words)
    frame[FrameLayout.firstRow] = UInt32(rows.lowerBound)
    frame[FrameLayout.rowCount] = UInt32(rows.count)
    frame[FrameLayout.width] = UInt32(pass.width)
    frame[FrameLayout.height] = UInt32(pass.height)
    let m = pass.mapping
    for (word, value) in [m.x0, m.y0, m.columnX, m.columnY, m.rowX, m.rowY].enumerated() {
      frame[FrameLayout.mapping + word] = UInt32(truncatingIfNeeded: value)
    }
    for (word, plane) in planes.enumerated() {
      frame[FrameLayout.output + word * FrameLayout.planeWords] = UInt32(truncatingIfNeeded: plane.offset)
      frame[FrameLayout.output + word * FrameLayout.planeWords + 1] = UInt32(truncatingIfNeeded: plane.rowBytes)
    }

    let base = size(of: pass.sources.first)
    let rect = pass.mapping.sourceRect(width: pass.width, rows: rows, within: base)
      .grown(by: pass.stages.reduce(0) { max($0, $1.kind.reach) }, within: base)
    var regions: [Region] = []
    for (place, source) in pass.sources.enumerated() {
      let words = FrameLayout.sources + place * FrameLayout.sourceWords
      switch source {
      case .image(let image):
        // Other pictures of source 0's size are read at the same pixels. Only stages know where the rest are read: they
        // go up whole.
        let isAligned = place == 0 || (image.width == base.width && image.height == base.height)
        let whole = SampleRect(x: 0..<image.width, y: 0..<image.height)
        let part = isAligned ? rect : whole
        if let planes = planner.heldPlanes(image) {
          regions.append(bind(planes, of: image, part, &frame, words: words))
        } else {
          regions.append(try add(image, part, frame: &frame, words: words))
        }
      case .earlier(let from, _):
        guard let planes = intermediates[from] else { throw .badPlan("pass \(pass.name) reads pass \(from) too late") }
        regions.append(bind(planes, &frame, words: words))
      }
    }

    guard pass.constantsSpan * 4 <= SharedLayout.constantBytes else {
      throw .tooLarge(
        what: "constants of a pass", value: pass.constantsSpan * 4, limit: SharedLayout.constantBytes)
    }
    let frameOffset = take(SharedLayout.frameBytes), constantsOffset = take(SharedLayout.constantBytes)
    let block = pass.sink.block
    dispatches.append(
      BandDispatch(
        kernel: index, frame: frame, frameOffset: frameOffset, constantsOffset: constantsOffset, sources: regions,
        output: output,
        columns: (pass.width + block.width - 1) / block.width, rows: (rows.count + block.height - 1) / block.height))
    let last = dispatches[dispatches.count - 1], limits = planner.limits
    if (last.rows + limits.localSize.y - 1) / limits.localSize.y > limits.groups.y
      || (last.columns + limits.localSize.x - 1) / limits.localSize.x > limits.groups.x
    {
      throw .tooLarge(what: "work-groups of a band", value: last.rows, limit: limits.groups.y)
    }
  }

  private func size(of source: PassSource?) -> (width: Int, height: Int) {
    switch source {
    case .image(let image): (max(1, image.width), max(1, image.height))
    case .earlier(let from, _): (planner.plan.passes[from].width, planner.plan.passes[from].height)
    case nil: (1, 1)
    }
  }

  /// Adds the dispatch of a pass that others read, into scratch memory.
  mutating func dispatch(intermediate index: Int, rows: Range<Int>) throws(GPUError) {
    let pass = planner.plan.passes[index]
    var picture = Intermediate(pass: pass, rows: rows, planes: [], place: .image, bytes: 0)
    if pass.sink.kind == .rgba16f {
      let size = ImageSize(width: pass.width, height: rows.count), side = planner.limits.imageSide
      guard size.width <= side, size.height <= side else {
        throw .tooLarge(what: "sides of an intermediate image", value: max(size.width, size.height), limit: side)
      }
      (picture.place, picture.bytes) = (.intermediate(images.take(size)), size.bytes)
    } else {
      picture.planes = planner.planes(of: pass, rows: rows)
      picture.bytes = planner.align(picture.planes.map { $0.offset + $0.rowBytes * rows.count }.max() ?? 0)
      try planner.fits(picture.bytes, "intermediate planes of a band")
      picture.place = .scratch(offset: scratch.take(picture.bytes), bytes: picture.bytes)
    }
    bytesWritten += picture.bytes
    try dispatch(index, rows: rows, output: picture.place, planes: picture.planes)
    intermediates[index] = picture
  }

  /// Marks a pass's picture as no longer read.
  mutating func release(_ index: Int) {
    switch intermediates[index]?.place {
    case .scratch(let offset, let bytes): scratch.give(offset, bytes)
    case .intermediate(let image): images.give(image)
    default: return
    }
    intermediates[index] = nil
  }

  /// Takes room in the input buffer, aligned for a binding.
  mutating func take(_ bytes: Int) -> Int {
    let start = planner.align(uploadBytes)
    uploadBytes = start + bytes
    return start
  }
}
