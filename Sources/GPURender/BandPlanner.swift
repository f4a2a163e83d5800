import HDRCore
import HDRPlan
import Kernels

/// Cuts a plan into bands of output rows that fit a device, with the uploads and dispatches of each.
///
/// Intermediate pictures are computed once more for each band, for the rows that all their readers in the band need:
/// bands stay independent, and rows at the edges are done twice.
package struct BandPlanner {
  let plan: Plan
  private(set) var limits: BandLimits
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
  /// The memory in which the pixels stay, besides what is made of them; `nil` for pixels that do not.
  var keeper: DevicePlanes?

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
    var planner = self
    planner.limits = limits
    return planner
  }

  /// Returns the planes of a picture that this device holds; `nil` for a picture that goes up.
  func heldPlanes(_ image: SampleImage) -> DevicePlanes? {
    image.devicePlanes.flatMap { $0.context === holder ? $0 : nil }
  }

  /// The kernels that follow those of the plan's passes, or decode a scan.
  var followers: [BandKernel] {
    decodes ? BandKernel.planes : (coding?.kernels ?? []) + (measurement.map { [$0.kernel] } ?? [])
  }

  /// True if bands are as large as the device takes: where uploads and readbacks have nothing to overlap with, and where rows
  /// are deflated. An invocation deflates 4096 bytes, so that small bands leave most of a large device idle.
  var wantsLargeBands: Bool { if case .deflate? = coding { true } else { movesNoPixels } }

  /// True if no pixels cross the bus: all pictures are on the device, and codes or sums come back.
  private var movesNoPixels: Bool {
    guard coding.map({ !$0.keepsPixels }) ?? !returnsPixels else { return false }
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
      band.kept = keeping(pixels, planes)
    } else if !returnsPixels {
      guard let measurement else { throw .badPlan("nothing of it comes back") }
      let pixels = held(), sums = BandSums(measurement, width: last.width, height: rows.count, at: 0)
      try build.dispatch(lastIndex, rows: rows, output: pixels, planes: planes)
      try build.measure(pixels, sums, planes: planes, chroma: last.sink.chroma)
      (band.sums, band.outputBytes, band.outputPlanes) = (sums, align(sums.bytes.upperBound), [])
      band.kept = keeping(pixels, planes)
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

  /// Returns what stays of a band's pixels.
  private func keeping(_ pixels: Region, _ planes: [BandPlane]) -> KeptPixels? {
    keeper.map { picture in
      var plane = planes[0]
      plane.offset = picture.layout.planes[0].offset + plane.rows.lowerBound * plane.rowBytes
      return KeptPixels(pixels: pixels, picture: picture, plane: plane)
    }
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
}
