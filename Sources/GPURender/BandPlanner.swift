import HDRCore
import HDRPlan
import Kernels

/// Cuts a plan into bands of output rows that fit a device, with the uploads and dispatches of each.
///
/// Intermediate pictures are computed once more for each band, for the rows that all their readers in the band need:
/// bands stay independent, and rows at the edges are done twice.
package struct BandPlanner {
  let plan: Plan
  let limits: BandLimits
  /// The coding of a picture that the device encodes; `nil` if its pixels are the result.
  let coding: DeviceCoding?
  /// The measurement of the pixels; `nil` for none, and for JPEGs, which `coding` describes.
  let measurement: Measurement?

  /// False if the pixels stay on the device and only what is measured of them comes back.
  let returnsPixels: Bool
  /// True if a scan is decoded, without a plan.
  let decodes: Bool
  /// The device whose planes (`DevicePlanes`) are read where they are; `nil`: all pictures go up from the host.
  let holder: GPUContext?

  package init(
    plan: Plan, limits: BandLimits, coding: DeviceCoding? = nil, measurement: Measurement? = nil,
    returnsPixels: Bool = true
  ) {
    self.init(plan, limits, coding, measurement, returnsPixels: returnsPixels, decodes: false, nil)
  }

  /// Makes a planner of what a device renders.
  init(
    plan: Plan, limits: BandLimits, coding: DeviceCoding?, measurement: Measurement?, returnsPixels: Bool,
    on device: GPUContext
  ) {
    self.init(plan, limits, coding, measurement, returnsPixels: returnsPixels, decodes: false, device)
  }

  /// Makes a planner of what decodes scans.
  init(decodingWithin limits: BandLimits) {
    self.init(.none, limits, nil, nil, returnsPixels: true, decodes: true, nil)
  }

  private init(
    _ plan: Plan, _ limits: BandLimits, _ coding: DeviceCoding?, _ measurement: Measurement?, returnsPixels: Bool,
    decodes: Bool, _ holder: GPUContext?
  ) {
    self.plan = plan
    self.limits = limits
    self.coding = coding
    self.measurement = measurement
    self.returnsPixels = returnsPixels
    self.decodes = decodes
    self.holder = holder
  }

  /// Returns a planner of the same work within other limits.
  func within(_ limits: BandLimits) -> BandPlanner {
    BandPlanner(plan, limits, coding, measurement, returnsPixels: returnsPixels, decodes: decodes, holder)
  }

  /// Returns the planes of a picture that this device holds; `nil` for a picture that goes up.
  func heldPlanes(_ image: SampleImage) -> DevicePlanes? {
    image.devicePlanes.flatMap { $0.context === holder ? $0 : nil }
  }

  /// The kernels that follow those of the plan's passes, or decode a scan.
  var followers: [BandKernel] {
    decodes ? BandKernel.planes : (coding?.kernels ?? []) + (measurement.map { [$0.kernel] } ?? [])
  }

  /// True if no pixels cross the bus: all pictures are on the device, and codes come back.
  var movesNoPixels: Bool {
    guard let coding, !coding.keepsPixels else { return false }
    return plan.passes.allSatisfy { pass in
      pass.sources.allSatisfy { if case .image(let image) = $0 { heldPlanes(image) != nil } else { true } }
    }
  }

  /// - Throws: `.badPlan`, or `.tooLarge` when even the smallest band does not fit.
  package func bands() throws(GPUError) -> [Band] {
    try check()
    guard let last = plan.passes.last else { throw .badPlan("it has no passes") }
    if let coding, !coding.suits(last) {
      throw .badPlan("its last pass makes no pixels that are encoded so, of \(last.width)x\(last.height)")
    }
    let isHeld = coding != nil || !returnsPixels
    if let measurement,
      coding?.allows(measurement) == false || !isHeld && measurement.staysOnDevice || !measurement.suits(last.sink)
    {
      throw .badPlan("its last pass makes no pixels to measure so")
    }
    if last.sink.kind == .rgba16f && last.width > limits.imageSide {
      throw .tooLarge(what: "image width", value: last.width, limit: limits.imageSide)
    }
    let unit = coding?.rows ?? last.sink.block.height
    var step = (last.height + unit - 1) / unit * unit
    if last.sink.kind == .rgba16f { step = max(unit, min(step, limits.imageSide / unit * unit)) }
    var bands: [Band] = []
    var row = 0
    while row < last.height {
      let rows = row..<min(row + step, last.height)
      let smaller = max(unit, (step / 2 + unit - 1) / unit * unit)
      do throws(GPUError) {
        let band = try makeBand(rows)
        if band.cost > limits.slotBytes && smaller < step {
          // Aim at the budget at once: cost is about linear in the rows.
          let aim = Int(Double(rows.count) * 0.9 * Double(limits.slotBytes) / Double(band.cost)) / unit * unit
          step = max(unit, min(smaller, aim))
          continue
        }
        bands.append(band)
        row = rows.upperBound
      } catch {
        guard case .tooLarge = error, smaller < step else { throw error }
        step = smaller
      }
    }
    return bands
  }

  /// Makes the band of some rows of the last pass.
  ///
  /// - Throws: `.tooLarge` when a binding passes the device's limit.
  func makeBand(_ rows: Range<Int>) throws(GPUError) -> Band {
    var build = BandBuild(planner: self)
    let needed = plan.neededRows(rows), lastUses = plan.lastUses
    let lastIndex = plan.passes.count - 1, last = plan.passes[lastIndex]
    for index in 0..<lastIndex {
      guard let own = needed[index] else { continue }
      try build.dispatch(intermediate: index, rows: own)
      for (earlier, last) in lastUses.enumerated() where last == index { build.release(earlier) }
    }
    let isImage = last.sink.kind == .rgba16f, usesImage = isImage && coding == nil && returnsPixels
    let planes = planes(of: last, rows: rows)
    let outputBytes = align(planes.map { $0.offset + $0.rowBytes * $0.rows.count }.max() ?? 0)
    if !isImage { try fits(outputBytes, "output of a band") }
    var band = Band(
      rows: rows, dispatches: [], copies: [], uploadBytes: 0, scratchBytes: 0, images: [], outputBytes: outputBytes,
      outputPlanes: planes, usesImage: usesImage, width: last.width, bytesRead: 0, bytesWritten: outputBytes)
    /// Returns the place of pixels that stay on the device.
    func held() -> Region {
      if isImage { return .intermediate(build.images.take(ImageSize(width: last.width, height: rows.count))) }
      return .scratch(offset: build.scratch.take(outputBytes), bytes: outputBytes)
    }
    if let coding {
      let pixels = coding.keepsPixels ? Region.output(bytes: outputBytes) : held()
      try build.dispatch(lastIndex, rows: rows, output: pixels, planes: planes)
      let encoded: EncodedBand =
        switch coding {
        case .jpeg(let coding): .jpeg(try build.encode(pixels, coding, rows: rows))
        case .deflate(let coding): .deflate(try build.deflate(pixels, planes, coding, measurement, rows: rows))
        }
      (band.encoded, band.outputBytes) = (encoded, encoded.byteCount)
      if !coding.keepsPixels { band.outputPlanes = [] }
    } else if !returnsPixels {
      guard let measurement else { throw .badPlan("nothing of it comes back") }
      let pixels = held(), sums = BandSums(measurement, width: last.width, height: rows.count, at: 0)
      try build.dispatch(lastIndex, rows: rows, output: pixels, planes: planes)
      try build.measure(pixels, sums, planes: planes, chroma: last.sink.chroma)
      (band.sums, band.outputBytes, band.outputPlanes) = (sums, align(sums.bytes.upperBound), [])
    } else {
      try build.dispatch(
        lastIndex, rows: rows, output: usesImage ? .image : .output(bytes: outputBytes), planes: planes)
      if let measurement {
        let sums = BandSums(measurement, width: last.width, height: rows.count, at: outputBytes)
        try build.measure(.output(bytes: outputBytes), sums, planes: planes, chroma: last.sink.chroma)
        (band.sums, band.outputBytes) = (sums, align(sums.bytes.upperBound))
      }
    }
    (band.dispatches, band.copies, band.uploadBytes) = (build.dispatches, build.copies, build.uploadBytes)
    (band.scratchBytes, band.images) = (build.scratch.size, build.images.sizes)
    band.bytesRead = build.bytesRead
    band.bytesWritten += build.bytesWritten
    return band
  }

  /// Returns the planes of a pass's output for some of its rows, one after the other.
  func planes(of pass: Pass, rows: Range<Int>) -> [BandPlane] {
    var result: [BandPlane] = []
    var offset = 0
    for plane in 0..<4 {
      let rowBytes = pass.sink.rowBytes(plane: plane, width: pass.width)
      if rowBytes == 0 { break }
      let shift = pass.sink.isChroma(plane) ? pass.sink.chroma.verticalShift : 0
      let own = (rows.lowerBound >> shift)..<((rows.upperBound + (1 << shift) - 1) >> shift)
      result.append(BandPlane(offset: offset, rowBytes: rowBytes, rows: own))
      offset += (rowBytes * own.count + 63) & ~63
    }
    return result
  }

  func align(_ bytes: Int) -> Int { (bytes + limits.alignment - 1) & ~(limits.alignment - 1) }

  func fits(_ bytes: Int, _ what: String) throws(GPUError) {
    if bytes > limits.storageRange { throw .tooLarge(what: what, value: bytes, limit: limits.storageRange) }
  }

  // MARK: - Checks

  /// Checks all that the arithmetic and copies below rely on. Pictures come from files: their strides are untrusted.
  private func check() throws(GPUError) {
    guard plan.tables.count * 4 <= limits.storageRange else {
      throw .tooLarge(what: "tables", value: plan.tables.count * 4, limit: limits.storageRange)
    }
    for (index, pass) in plan.passes.enumerated() {
      guard pass.width > 0, pass.height > 0, pass.width <= 1 << 20, pass.height <= 1 << 20 else {
        throw .badPlan("pass \(pass.name) is \(pass.width)x\(pass.height) pixels")
      }
      guard pass.sources.count <= Pass.maxSources else { throw .badPlan("pass \(pass.name) has too many sources") }
      guard plan.halfSources(of: index).nonzeroBitCount <= Pass.maxHalfSources else {
        throw .badPlan("pass \(pass.name) has too many sources of halves")
      }
      let offsets = pass.stages.map(\.constants) + [pass.sink.constants]
      guard offsets.allSatisfy({ (0...plan.constants.count).contains($0) }) else {
        throw .badPlan("pass \(pass.name) has constants outside the plan's")
      }
      let isFloat = pass.sink.kind == .floatPlanes, isBetween = isFloat || pass.sink.kind == .rgba16f
      guard isBetween || index == plan.passes.count - 1, !isFloat || [1, 3, 4].contains(pass.sink.channels) else {
        throw .badPlan("pass \(pass.name) has the sink \(pass.sink.kind)")
      }
      for source in pass.sources {
        switch source {
        case .image(let image):
          guard image.width > 0, image.height > 0, !image.channels.isEmpty else {
            throw .badPlan("a picture of pass \(pass.name) is empty")
          }
          for plane in image.channels { try check(plane, image.format.bytes, pass) }
          if let planes = image.devicePlanes, heldPlanes(image) == nil, !planes.areHere {
            throw .samplesLost(reason: "another device holds them")
          }
          if let alpha = image.alpha { try check(alpha, image.alphaFormat.bytes, pass) }
        case .earlier(let from, let rows):
          guard (0..<index).contains(from) else { throw .badPlan("pass \(pass.name) reads pass \(from)") }
          let height = plan.passes[from].height
          guard rows.firstRow.count == rows.lastRow.count, !rows.firstRow.isEmpty,
            zip(rows.firstRow, rows.lastRow).allSatisfy({ 0 <= $0 && $0 <= $1 && Int($1) < height })
          else { throw .badPlan("pass \(pass.name) has row scales outside pass \(from)") }
        }
      }
    }
  }

  private func check(_ plane: SamplePlane, _ bytes: Int, _ pass: Pass) throws(GPUError) {
    let (rows, overflow) = plane.rowBytes.multipliedReportingOverflow(by: max(0, plane.height - 1))
    let (columns, overflow2) = plane.stepBytes.multipliedReportingOverflow(by: max(0, plane.width - 1))
    let (sum, overflow3) = rows.addingReportingOverflow(columns)
    let (end, overflow4) = sum.addingReportingOverflow(plane.offset)
    guard plane.width > 0, plane.height > 0, plane.offset >= 0, plane.rowBytes >= 0, plane.stepBytes > 0,
      !overflow, !overflow2, !overflow3, !overflow4, end <= plane.buffer.byteCount - bytes
    else { throw .badPlan("a picture of pass \(pass.name) lies outside its memory") }
  }
}

/// A rectangle of samples, both ranges half open.
struct SampleRect: Equatable {
  var x: Range<Int>
  var y: Range<Int>

  /// Returns the rectangle with `reach` more samples on each side, as far as the picture has them.
  func grown(by reach: Int, within size: (width: Int, height: Int)) -> SampleRect {
    func range(_ own: Range<Int>, _ size: Int) -> Range<Int> {
      max(own.lowerBound - reach, 0)..<min(own.upperBound + reach, size)
    }
    return SampleRect(x: range(x, size.width), y: range(y, size.height))
  }
}

extension SourceMapping {
  /// Returns the source pixels of output columns 0..<width and rows `rows`, within a picture of the given size.
  func sourceRect(width: Int, rows: Range<Int>, within size: (width: Int, height: Int)) -> SampleRect {
    let columns = [0, width - 1], lines = [rows.lowerBound, rows.upperBound - 1]
    let xs = columns.flatMap { c in lines.map { x0 + c * columnX + $0 * rowX } }
    let ys = columns.flatMap { c in lines.map { y0 + c * columnY + $0 * rowY } }
    func range(_ values: [Int], _ size: Int) -> Range<Int> {
      let low = min(max(values.min() ?? 0, 0), size - 1), high = min(max(values.max() ?? 0, 0), size - 1)
      return low..<high + 1
    }
    return SampleRect(x: range(xs, size.width), y: range(ys, size.height))
  }
}

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

  private struct Intermediate {
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

  /// Writes the place of an earlier pass's picture into frame words.
  private mutating func bind(_ source: Intermediate, _ frame: inout [UInt32], words: Int) -> Region {
    bytesRead += source.bytes
    // Images begin with their first row.
    frame[words + FrameLayout.channelFirstRow] = UInt32(source.rows.lowerBound)
    for (channel, plane) in source.planes.enumerated() {
      let word = words + channel * FrameLayout.channelWords
      frame[word + FrameLayout.channelOffset] = UInt32(truncatingIfNeeded: plane.offset)
      frame[word + FrameLayout.channelRowBytes] = UInt32(truncatingIfNeeded: plane.rowBytes)
      frame[word + FrameLayout.channelStepBytes] = 4
      frame[word + FrameLayout.channelWidth] = UInt32(source.pass.width)
      frame[word + FrameLayout.channelHeight] = UInt32(source.pass.height)
      frame[word + FrameLayout.channelFirstRow] = UInt32(source.rows.lowerBound)
    }
    return source.place
  }

  /// Writes the places of planes that the device holds into frame words: whole planes, wherever the band is.
  private mutating func bind(
    _ held: DevicePlanes, of image: SampleImage, _ rect: SampleRect, _ frame: inout [UInt32], words: Int
  ) -> Region {
    for (channel, plane) in image.channels.enumerated() {
      let word = words + channel * FrameLayout.channelWords, part = part(of: plane, image, rect)
      frame[word + FrameLayout.channelOffset] = UInt32(truncatingIfNeeded: plane.offset)
      frame[word + FrameLayout.channelRowBytes] = UInt32(truncatingIfNeeded: plane.rowBytes)
      frame[word + FrameLayout.channelStepBytes] = UInt32(truncatingIfNeeded: plane.stepBytes)
      frame[word + FrameLayout.channelWidth] = UInt32(truncatingIfNeeded: plane.width)
      frame[word + FrameLayout.channelHeight] = UInt32(truncatingIfNeeded: plane.height)
      bytesRead += part.x.count * part.y.count * image.format.bytes
    }
    return .planes(held, bytes: held.bytes)
  }

  /// Adds the part of a picture that a rectangle of its pixels needs, channel by channel.
  private mutating func add(
    _ image: SampleImage, _ rect: SampleRect, frame: inout [UInt32], words: Int
  ) throws(GPUError) -> Region {
    var channels: [(plane: SamplePlane, slot: Int, bytes: Int, rect: SampleRect)] = []
    for (index, plane) in image.channels.enumerated() where index < 3 {
      channels.append((plane, index, image.format.bytes, part(of: plane, image, rect)))
    }
    if let alpha = image.alpha { channels.append((alpha, 3, image.alphaFormat.bytes, part(of: alpha, image, rect))) }

    let start = planner.align(uploadBytes)
    var cursor = start
    var left = channels
    while let head = left.first {
      let group = left.filter { interleaves($0.plane, head.plane) && $0.rect == head.rect }
      left.removeAll { interleaves($0.plane, head.plane) && $0.rect == head.rect }
      let low = group.map(\.plane.offset).min() ?? 0
      let high = group.map { $0.plane.offset + $0.bytes }.max() ?? 0
      let r = head.rect, plane = head.plane
      let from = low + r.y.lowerBound * plane.rowBytes + r.x.lowerBound * plane.stepBytes
      let rowBytes = (r.x.count - 1) * plane.stepBytes + high - low
      // Rows keep their distance when they go up nearly whole and 16-bit samples stay inside 32-bit words.
      let keeps = (plane.rowBytes & 3 == 0 || head.bytes == 1) && rowBytes * 8 >= plane.rowBytes * 7
      let targetRowBytes = keeps ? plane.rowBytes : (rowBytes + 3) & ~3
      copies.append(
        SlabCopy(
          buffer: plane.buffer, offset: from, rowBytes: plane.rowBytes, target: cursor, targetRowBytes: targetRowBytes,
          rows: r.y.count, bytes: rowBytes))
      bytesRead += rowBytes * r.y.count
      for channel in group {
        let word = words + channel.slot * FrameLayout.channelWords
        // Modulo 2^32: the shader adds x * step, and with the first column's share it lands inside.
        let offset = cursor - start + channel.plane.offset - low - r.x.lowerBound * plane.stepBytes
        frame[word + FrameLayout.channelOffset] = UInt32(truncatingIfNeeded: offset)
        frame[word + FrameLayout.channelRowBytes] = UInt32(truncatingIfNeeded: targetRowBytes)
        frame[word + FrameLayout.channelStepBytes] = UInt32(truncatingIfNeeded: plane.stepBytes)
        frame[word + FrameLayout.channelWidth] = UInt32(truncatingIfNeeded: channel.plane.width)
        frame[word + FrameLayout.channelHeight] = UInt32(truncatingIfNeeded: channel.plane.height)
        frame[word + FrameLayout.channelFirstRow] = UInt32(truncatingIfNeeded: r.y.lowerBound)
      }
      cursor = (cursor + targetRowBytes * (r.y.count - 1) + rowBytes + 15) & ~15
    }
    let bytes = max(16, cursor - start)
    try planner.fits(bytes, "source pixels of a band")
    uploadBytes = start + bytes
    return .input(offset: start, bytes: bytes)
  }

  /// Returns a channel's samples that pixels need: on subsampled axes one more on either side, for interpolation.
  private func part(of plane: SamplePlane, _ image: SampleImage, _ rect: SampleRect) -> SampleRect {
    func range(_ pixels: Range<Int>, _ size: Int, _ full: Int, _ shift: Int) -> Range<Int> {
      if size >= full {
        let low = min(pixels.lowerBound, size - 1)
        return low..<max(low + 1, min(pixels.upperBound, size))
      }
      let low = min(max((pixels.lowerBound >> shift) - 1, 0), size - 1)
      return low..<max(low + 1, min(((pixels.upperBound - 1) >> shift) + 2, size))
    }
    return SampleRect(
      x: range(rect.x, plane.width, image.width, image.chroma.horizontalShift),
      y: range(rect.y, plane.height, image.height, image.chroma.verticalShift))
  }

  /// Returns true if two channels lie in one another's rows, so that they are copied once.
  private func interleaves(_ a: SamplePlane, _ b: SamplePlane) -> Bool {
    a.buffer === b.buffer && a.rowBytes == b.rowBytes && a.stepBytes == b.stepBytes
      && abs(a.offset - b.offset) < a.stepBytes
  }

  /// Takes room in the input buffer, aligned for a binding.
  mutating func take(_ bytes: Int) -> Int {
    let start = planner.align(uploadBytes)
    uploadBytes = start + bytes
    return start
  }
}
