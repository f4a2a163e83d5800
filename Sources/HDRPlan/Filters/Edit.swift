import HDRCore
import Kernels
import PlainData

/// An input that a recipe's filters name: a second picture, decoded or generated, a LUT, or a kernel.
package final class FilterInput: Sendable, Hashable {
  package enum Content: Sendable {
    case picture(SourceImage)
    /// A generator; without a size it has the size of the edited picture.
    case generated(FilterStep, width: Int?, height: Int?)
    case lut(LUTChain)
    case kernel(UserKernel)
  }
  package let content: Content

  package init(_ content: Content) { self.content = content }

  /// Makes an input of tables.
  package convenience init(_ lut: CubeLUT) { self.init(.lut(LUTChain(lut))) }

  package static func == (a: FilterInput, b: FilterInput) -> Bool { a === b }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The picture that filters work on. Their calls become steps and passes of a plan.
///
/// Colours are linear BT.2020, 1.0 = reference white, and not multiplied by alpha unless a filter calls `premultiply`,
/// which it must undo by `unpremultiply`. Positions are in pixels, origin top left, pixel centres at halves.
package struct Edit {
  var builder: PlanBuilder
  let inputs: [String: FilterInput]
  /// Recipe with the settings for reading gain maps of inputs.
  let recipe: RenderRecipe
  /// Content headroom before the filter; `nil`: unknown.
  var headroom: Headroom?
  /// The content headroom before the filter, or the last known one if it is unknown.
  var known = Headroom.nominal
  /// True if inputs that are brighter than SDR are tone mapped before the filter gets them.
  var mapsInputsToSDR = false
  /// Warnings of filters about what they did with this picture.
  var warnings: [Warning] = []

  var width: Int { builder.open.width }
  var height: Int { builder.open.height }
  var hasAlpha: Bool { builder.hasAlpha }
  /// The size in pixels, which has fewer samples if the picture was decoded smaller. Filters that run before it is
  /// resampled use this, or neither places nor sizes.
  var size: PictureSize { builder.size }
  var axes: (x: SampleAxis, y: SampleAxis) { builder.axes }

  // MARK: Pixel by pixel

  /// Multiplies R, G, B by a matrix.
  mutating func matrix(_ m: Matrix3) { builder.add(.matrix(m)) }

  /// Multiplies each channel by a factor and adds an offset.
  mutating func affine(scale: [Double], offset: [Double]) { builder.add(.affine(scale: scale, offset: offset)) }

  /// Applies an odd-extended curve to each channel; it varies over `octaves` of the magnitude, 2^k segments each.
  mutating func curve(octaves: Range<Int>, k: Int, _ f: @escaping @Sendable (Double) -> Double) {
    builder.add(.tone(.curve(octaves: octaves, k: k, f)))
  }

  mutating func clamp(low: Double, high: Double) { builder.add(.clamp(low: low, high: high)) }

  mutating func add(_ operations: [ToneOperation]) { builder.add(operations.map { .tone($0) }) }

  /// Tone maps by the Reference White operator.
  mutating func toneMap(from content: Headroom, to display: Headroom = .sdr) {
    for operation in ReferenceWhiteTone.operations(content: content, display: display) { builder.add(.tone(operation)) }
  }

  /// Adds a stage.
  mutating func stage(_ kind: StageKind, _ parameters: [UInt32]) {
    builder.add(.custom { $0.stage(kind, parameters) })
  }

  /// Adds a stage with tables: `parameters` gets their offsets.
  mutating func stage(
    _ kind: StageKind, tables: [[UInt32]], _ parameters: @escaping @Sendable ([UInt32]) -> [UInt32]
  ) {
    builder.add(
      .custom { words in
        let offsets = tables.map { words.table($0) }
        return words.stage(kind, parameters(offsets))
      })
  }

  // MARK: Alpha

  /// Multiplies colour by alpha; does nothing if the picture is opaque.
  mutating func premultiply() { if hasAlpha { builder.add(.premultiply) } }

  mutating func unpremultiply() { if hasAlpha { builder.add(.unpremultiply) } }

  /// Gives an opaque picture an alpha of 1 that filters may lower.
  mutating func makeTransparent() {
    if hasAlpha { return }
    builder.flush()
    builder.hasAlpha = true
  }

  // MARK: Neighbours

  /// Turns the picture so far into planes that other passes can read, and continues with them.
  mutating func planes() -> PlaneRef {
    let planes = builder.close()
    builder.begin(planes)
    return planes
  }

  /// Continues with planes.
  mutating func use(_ planes: PlaneRef) { builder.begin(planes) }

  /// Computes weighted sums along rows, then along columns: resampling, blur, averages. Colour and alpha are treated
  /// alike, so colour must be premultiplied.
  mutating func convolve(_ name: String, x: AxisWeights? = nil, y: AxisWeights? = nil) {
    builder.reduced = nil
    if let x { convolve(name + " x", .convolveX, x, width: x.size, height: height) }
    if let y { convolve(name + " y", .convolveY, y, width: width, height: y.size) }
  }

  private mutating func convolve(_ name: String, _ kind: StageKind, _ weights: AxisWeights, width: Int, height: Int) {
    let planes = builder.close()
    let table = builder.words.table(weights.words)
    builder.begin(
      name, kind, of: planes, width: width, height: height,
      rows: kind == .convolveY ? weights.rows : .same(height: height),
      ConvolveX.words(channels: planes.channels, weights: table))
  }

  /// Adds a load that makes each pixel from any of the picture's pixels.
  ///
  /// - Parameters:
  ///   - rows: rows of the picture that each row of the result needs.
  ///   - parameters: gets the number of planes: 3, or 4 with alpha.
  mutating func load(
    _ name: String, _ kind: StageKind, width: Int, height: Int, rows: RowScale, tables: [[UInt32]] = [],
    kernel: UserKernel? = nil, _ parameters: (_ channels: Int, _ tables: [UInt32]) -> [UInt32]
  ) {
    let planes = builder.close()
    let offsets = tables.map { builder.words.table($0) }
    builder.begin(
      name, kind, of: planes, width: width, height: height, rows: rows, kernel: kernel,
      parameters(planes.channels, offsets))
  }

  /// Makes planes readable by stages of this pass.
  ///
  /// - Returns: the source number for the stage's parameters.
  mutating func read(_ planes: PlaneRef, rows: RowScale? = nil) -> Int {
    builder.addSource(planes, rows: rows ?? .same(height: height))
  }

  // MARK: Second pictures

  /// Returns an input in linear BT.2020 light, not multiplied by alpha, in its own size. Its headroom is at most that
  /// of the picture before editing. The picture so far is kept as planes.
  ///
  /// - Parameter isBounded: false for numbers that are no light, which mean the same in every rendition.
  /// - Throws: `PlanError.missingChoice` for a name that is not among the recipe's inputs.
  mutating func input(_ name: String, isBounded: Bool = true) throws(PlanError) -> PlaneRef {
    let input = try content(name)
    let (own, width, height) = (planes(), width, height)
    var headroom = input.headroom
    switch input.content {
    case .picture(let source):
      var reading = recipe
      if !isBounded { reading.inputBound = nil }
      let light = try Planner.light(of: source, reading)
      try builder.begin(reading: light.picture)
      builder.add(light.steps)
      headroom = light.headroom
    case .generated(let step, let w, let h):
      if let complaint = step.complaint { throw .invalidParameter("\(complaint.message)") }
      guard let filter = step.filter, filter.category == .generator else {
        throw .invalidParameter("input \"\(name)\": \(step.name) is no generator")
      }
      builder.begin(width: w ?? width, height: h ?? height)
      try filter.apply(step.values, to: &self)
    case .lut: throw .invalidParameter("input \"\(name)\" is a LUT and no picture")
    case .kernel: throw .invalidParameter("input \"\(name)\" is a kernel and no picture")
    }
    let bound = mapsInputsToSDR ? .sdr : recipe.bound(of: input)
    if isBounded, let headroom, let bound, headroom.stops > bound.stops + 1e-9 { toneMap(from: headroom, to: bound) }
    let result = builder.close(channels: 4)
    use(own)
    return result
  }

  /// Returns a LUT among the inputs.
  ///
  /// - Throws: `PlanError.missingChoice` for a name that is not there, `.invalidParameter` for an input that is no LUT.
  func lut(_ name: String) throws(PlanError) -> LUTChain {
    guard case .lut(let lut) = try content(name).content else {
      throw .invalidParameter("input \"\(name)\" is no LUT")
    }
    return lut
  }

  /// - Throws: `PlanError.missingChoice` for a name that is not among the recipe's inputs.
  func content(_ name: String) throws(PlanError) -> FilterInput {
    guard let input = inputs[name] else {
      throw .missingChoice(
        "there is no input \"\(name)\"\(Nearest.hint(name, among: inputs.keys.sorted())); recipes name them under inputs"
      )
    }
    return input
  }
}
