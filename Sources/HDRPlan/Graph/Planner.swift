import HDRCore
import Kernels

/// Turns an image's meaning and a recipe into a plan. Order of operations: docs/tone-formulas.md#order.
package enum Planner {
  /// Working primaries: linear BT.2020 D65, 1.0 = reference white.
  package static let workingPrimaries = 9

  /// - Throws: `PlanError` for colour codes or names that are not supported, and for a deadline that has passed.
  package static func plan(
    _ source: SourceImage, _ recipe: RenderRecipe, deadline: Deadline = .none
  ) throws(PlanError) -> Plan {
    var report = PlanReport()
    var (source, recipe) = source.withRGBPlanes.completed(recipe)
    if let stated = recipe.display.stated(recipe.target.encoding), stated < recipe.sdrBelow, !stated.isSDR {
      recipe.display = .standard
      report.takesSDRPath = true
    }
    source = recipe.settled(source)
    try recipe.takeView(of: source)
    recipe.display = recipe.display(for: source)
    report.idleEdits = recipe.leaveOutIdleFilters()
    if recipe.display.reference != nil, !source.isOfReferenceFormat {
      report.warnings.append(
        Warning(
          "display.format",
          "a reference display shows SDR, PQ and HLG; this is \(source.inputKind), shown relative to "
            + "SDR white"))
    }
    recipe.editsAsSDR = recipe.editsSDR(source)
    recipe.inputBound = recipe.headroomBeforeEdits(of: source)
    if !source.isHDR, let space = recipe.luts.lazy.compactMap(\.wideSpace).first {
      report.warnings.append(Warning("lut.sdr", "the LUT is for \(space), and this picture is SDR"))
    }
    for note in recipe.lutNotes { report.warnings.append(Warning("lut.choice", "\(note)")) }
    guard source.color.hasSupportedMatrix(for: source.image) else {
      throw .unsupportedColor(field: "matrix coefficients", code: source.color.matrix)
    }
    (report.readsScene, report.writesScene) = (recipe.readsScene(source), recipe.writesScene(source))
    let levels: HeadroomDecision
    if let view = recipe.view {
      levels = HeadroomDecision(view, source, recipe, &report)
    } else {
      levels = try HeadroomDecision(source, recipe, &report)
    }
    report.config = recipe.configLines
    let primaries = outputPrimaries(source, recipe.target)
    report.outputCICP = recipe.target.cicp(primaries: primaries)
    report.outputProfile = recipe.target.profile?.space.description
    report.outputSpace = recipe.target.space?.name

    var decode = try decodeSteps(source, recipe, levels, &report)
    var steps: [PixelOperation] = []
    if let view = recipe.view {
      let exposure = PixelOperation.matrix(.identity * ExactMath.exp2(view.exposure))
      if source.isSceneLight { decode.append(exposure) } else { steps.append(exposure) }
    }
    for choice in recipe.luts { steps += choice.steps }
    if let look = recipe.look { steps += look.configSteps }
    if let view = recipe.view { steps += view.operations(recipe.target.encoding) }
    steps += levels.toneOperations.map { if case .matrix(let m) = $0 { .matrix(m) } else { .tone($0) } }
    let encode = encodeSteps(source, recipe, primaries, levels, &report)

    var builder = try PlanBuilder(reading: source, deadline: deadline)
    if let sensor = source.sensor, sensor.mixesLooks {
      let looks = try source.cameraLooks(sensor)
      builder.mixLooks(standard: looks.sdr, high: looks.hdr, amount: sensor.amount)
    }
    func onBlack() -> [PixelOperation] { recipe.target.isOpaque && builder.hasAlpha ? [.premultiply] : [] }
    func byAlpha() -> [PixelOperation] { recipe.target.isPremultiplied && builder.hasAlpha ? [.premultiply] : [] }
    if recipe.edits.isEmpty && source.sensor == nil {
      builder.add(withoutIdleGamutMapping(decode + steps + onBlack() + encode) + byAlpha())
    } else {
      builder.add(decode)
      try edit(&builder, recipe, &report)
      builder.add(steps + onBlack() + encode + byAlpha())
    }
    let isSDR = report.inputKind == "sdr" || report.gainMapWeight == 0 && !source.isHDRTransfer
    report.mayExceed = !isSDR || !recipe.edits.isEmpty || !recipe.luts.isEmpty
    let signalBound = recipe.target.encoding == .linear ? nil : recipe.target.largestHeadroom.factor
    report.bound = recipe.outputBound(of: source) ?? signalBound
    var plan = builder.finish(recipe, report)
    try builder.words.checkTime()
    if plan.keepsPlanes(of: source, as: recipe) { plan.keep(source.image) }
    return plan
  }

  /// Adds a recipe's filters to the builder's picture.
  ///
  /// - Throws: `PlanError.invalidParameter` or `.missingChoice` for a step that is wrong.
  static func edit(
    _ builder: inout PlanBuilder, _ recipe: RenderRecipe, _ report: inout PlanReport
  ) throws(PlanError) {
    var edit = Edit(
      builder: builder, inputs: recipe.inputs, recipe: recipe, headroom: Headroom(factor: report.editedFrom))
    // If a filter leaves the headroom unknown, the previous one is assumed.
    var known = edit.headroom ?? .nominal, named: Set<String> = []
    for step in recipe.resolvedEdits {
      try edit.builder.words.checkTime()
      if let complaint = step.complaint { throw .invalidParameter("\(complaint.message)") }
      guard let filter = step.filter else { continue }
      if recipe.editStrategy == .sdrAndGain && !filter.isGeometric {
        throw .invalidParameter(
          "\(step.name) \(filter.effect), and sdr+gain edits base and map alike: use \(setting: "edit-strategy") hdr or "
            + "sdr+hdr")
      }
      if recipe.mapsToSDR(before: step, known) {
        edit.toneMap(from: known)
        report.warnings.append(
          Warning(
            "filter.sdr", "\(step.name) takes SDR light only; tone mapped from a headroom of \(brief(known)) before it")
        )
        report.edits.append(PlanReport.Edit(name: ReferenceWhiteTone.name, headroom: 1))
        (edit.headroom, known) = (.sdr, .sdr)
      } else if !filter.takes(known, step.values) {
        throw .invalidParameter(
          "\(step.name) is not made for HDR and would cut light above 1; the picture's headroom is \(brief(known)): "
            + "tone map it first, or allow that (\(setting: "allow-sdr-filter"))"
            + (filter.parameters.contains { $0.name == "headroom" } ? ", or set the filter's headroom" : ""))
      }
      let bright = recipe.brightInput(of: step)
      if let (name, headroom) = bright {
        guard recipe.allowsSDRFilters else {
          throw .invalidParameter(
            "\(step.name) is not made for HDR and would cut the light above 1 of input \"\(name)\", whose headroom is "
              + "\(brief(headroom)): allow that (\(setting: "allow-sdr-filter")), or set the filter's headroom")
        }
        report.warnings.append(
          Warning(
            "filter.sdr",
            "\(step.name) takes SDR light only; input \"\(name)\" is tone mapped from a headroom of \(brief(headroom))")
        )
      }
      for (name, headroom) in recipe.boundInputs(of: step) where named.insert(name).inserted {
        report.warnings.append(
          Warning(
            "input.headroom",
            "input \"\(name)\" is brought from a headroom of \(brief(headroom)) to the picture's, "
              + "\(brief(recipe.inputBound ?? headroom))"))
      }
      if let warning = filter.warning(step.values, on: known) { report.warnings.append(warning) }
      edit.mapsInputsToSDR = bright != nil
      edit.known = known
      if edit.builder.reduced != nil, filter.resampled(edit.size, step.values) == nil, !recipe.takesSamples(step) {
        throw .inconsistent("\(step.name) takes pixels, and the picture was decoded smaller")
      }
      edit.builder.format = recipe.workingFormat == .rgba32f ? .rgba32f : filter.workingFormat
      let headroom = recipe.headroom(after: step, edit.headroom)
      try filter.apply(step.values, to: &edit)
      edit.headroom = headroom
      known = headroom ?? known
      report.edits.append(
        PlanReport.Edit(
          name: step.name, headroom: headroom?.factor,
          kernel: step.values.kernel.map { PlanReport.Edit.Kernel(name: $0.head.name, digest: $0.digest) }))
    }
    builder = edit.builder
    report.warnings += edit.warnings
  }

  /// Formats a headroom's factor with two decimals at most.
  private static func brief(_ headroom: Headroom) -> String {
    short(headroom.factor, places: 2)
  }

  /// Returns a second picture with the steps to its light: linear BT.2020, 1.0 = reference white. Its gain map is
  /// applied up to the recipe's bound of inputs, or in full. The headroom is that of the light; `nil`: unknown.
  static func light(
    of source: SourceImage, _ recipe: RenderRecipe
  ) throws(PlanError) -> (picture: SourceImage, steps: [PixelOperation], headroom: Headroom?) {
    let display = recipe.inputBound.map { DisplayChoice.headroom($0) } ?? .high
    var own = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f), display: display, tone: .none)
    own.appleMapTransfer = recipe.appleMapTransfer
    own.applePartialHeadroom = recipe.applePartialHeadroom
    var report = PlanReport()
    let source = source.withRGBPlanes
    guard source.color.hasSupportedMatrix(for: source.image) else {
      throw .unsupportedColor(field: "matrix coefficients", code: source.color.matrix)
    }
    let levels = try HeadroomDecision(source, own, &report)
    let headroom = levels.share?.result ?? ContentHeadroom.ofFile(source).headroom
    return (source, try decodeSteps(source, own, levels, &report), headroom)
  }

  /// Removes gamut mapping if nothing before it can leave the source's own gamut.
  static func withoutIdleGamutMapping(_ steps: [PixelOperation]) -> [PixelOperation] {
    let rest = steps.filter { if case .desaturate = $0 { false } else { true } }
    let canLeave = PixelOperation.simplified(rest).contains { step in
      switch step {
      case .decode, .encode, .deviceCurves, .unpremultiply: false
      default: true
      }
    }
    return canLeave ? steps : rest
  }

  /// Returns the H.273 code of the primaries of an SDR rendition: P3 for sources wider than BT.709.
  package static func sdrPrimaries(_ source: SourceImage) -> Int {
    outputPrimaries(source, OutputSignal(encoding: .sdr, sink: .rgba8))
  }

  /// Returns true if a picture's codes are sRGB-encoded R'G'B' of these primaries.
  package static func isPlainSDR(_ source: SourceImage, primaries: Int) -> Bool {
    switch source.color.encoding {
    case .cicp(let code, let transfer):
      (code == CICP.Primaries.unspecified ? CICP.Primaries.bt709 : code) == primaries
        && [CICP.Transfer.sRGB, CICP.Transfer.unspecified].contains(transfer)
    case .matrixTRC(let curves, _, let code): code == primaries && curves.allSatisfy { $0 == .sRGB }
    case .bakedLUT, .space: false
    }
  }

  /// Returns the H.273 code of the primaries that a picture states; `nil` if they are not in the list.
  package static func declaredPrimaries(_ source: SourceImage) -> Int? {
    switch source.color.encoding {
    case .cicp(let code, let transfer):
      let resolved = CICP.Primaries.resolved(code, transfer: transfer)
      let isStated = code != CICP.Primaries.unspecified || source.isHDRTransfer
      return isStated && CICP.Primaries.outputs.contains(resolved) ? resolved : nil
    case .matrixTRC(_, _, let code): return code
    case .bakedLUT, .space: return nil
    }
  }

  /// Returns the H.273 code of the output's primaries.
  static func outputPrimaries(_ source: SourceImage, _ target: OutputSignal) -> Int {
    if target.profile != nil || target.space != nil { return CICP.Primaries.unspecified }
    if let code = target.primaries { return code }
    guard target.encoding == .sdr else { return CICP.Primaries.bt2020 }
    let isNarrow =
      switch source.color.encoding {
      case .cicp(CICP.Primaries.unspecified, _): !source.isHDRTransfer
      // BT.709 and the primaries of analogue television.
      case .cicp(let code, _): [CICP.Primaries.bt709, 5, 6, 7].contains(code)
      case .matrixTRC(_, _, let code): code == CICP.Primaries.bt709
      case .space(let space): space.primaries == .bt709
      case .bakedLUT: false
      }
    return isNarrow ? CICP.Primaries.bt709 : CICP.Primaries.p3
  }

  // MARK: Samples to linear BT.2020

  static func decodeSteps(
    _ source: SourceImage, _ recipe: RenderRecipe, _ levels: HeadroomDecision, _ report: inout PlanReport
  ) throws(PlanError) -> [PixelOperation] {
    if let steps = try source.cameraSteps(&report) { return steps }
    var steps: [PixelOperation] = []
    if source.image.alpha != nil && source.image.alphaIsPremultiplied { steps.append(.unpremultiply) }
    let toWorking: Matrix3
    switch source.color.encoding {
    case .cicp(let code, let transfer):
      // Unspecified: BT.709 for SDR, BT.2020 for PQ and HLG (docs/colour-formulas.md#code-points).
      let primariesCode = CICP.Primaries.resolved(code, transfer: transfer)
      guard let primaries = Primaries(code: primariesCode), let matrix = primaries.matrix(to: .bt2020) else {
        throw .unsupportedColor(field: "primaries", code: code)
      }
      guard let curve = TransferCurve(code: transfer) else {
        throw .unsupportedColor(field: "transfer characteristics", code: transfer)
      }
      let white = recipe.white(of: source)
      // ICtCp planes were turned into L'M'S' signals by the load (docs/colour-formulas.md#ycbcr).
      let fromLMS =
        source.color.matrix == CICP.Matrix.ictcp && source.image.model == .ycc ? ICtCp.rgbToLMS.inverse! : .identity
      if case .hdr10(_, _, .some(let scale)) = recipe.mastering, transfer == CICP.Transfer.linear {
        toWorking = matrix * (scale / ReferenceWhite.nits)
      } else if !source.image.format.isInteger && transfer == CICP.Transfer.linear {
        toWorking = matrix
      } else if recipe.readsScene(source) {
        steps.append(.decode(.hlg))
        toWorking = matrix * fromLMS * (1 / RenderRecipe.sceneWhite)
      } else if curve == .hlg {
        // The OOTF's luminance weights are defined for BT.2020: scene light goes there first.
        steps += [.decode(.hlg), .matrix(matrix * fromLMS), .hlgOOTF(peak: 1000, white: white)]
        toWorking = .identity
      } else {
        steps.append(.decode(curve))
        if let reshape = source.color.reshape {
          // The signal of the mastering display has no light below black or above that of PQ.
          steps += [.matrix(reshape.toBT2020), .clamp(low: 0, high: curve.decode(1))]
        }
        if curve == .pq && white != ReferenceWhite.nits {
          steps.append(.matrix(.identity * (ReferenceWhite.nits / white)))
        }
        toWorking = matrix * fromLMS
      }
    case .matrixTRC(let curves, let toBT2020, _):
      guard toBT2020.count == 9, curves.count == 1 || curves.count == 3 else {
        throw .inconsistent("the ICC profile has no usable matrix")
      }
      steps.append(.device(curves))
      toWorking = Matrix3(toBT2020)
    case .bakedLUT(let size, let values):
      steps.append(.bakedLUT(size: size, values: values))
      toWorking = .identity
    case .space(let space):
      steps += recipe.decodeSteps(space)
      toWorking = .identity
    }
    guard let map = source.gainMap, let share = levels.share, share.weight != 0 else {
      return steps + [.matrix(toWorking)]
    }

    // Gains apply in the baseline's primaries or in the alternate's (docs/gain-map-maths.md#applying).
    let gain = PixelOperation.gainMap(
      GainMapOperation(map, share, transfer: recipe.appleMapTransfer, source: source))
    if !map.metadata.usesBaseColorSpace, let alternate = map.alternateColor?.toBT2020,
      let back = alternate.inverse
    {
      return steps + [.matrix(toWorking), .matrix(back), gain, .matrix(alternate)]
    }
    // HLG light is already in BT.2020; other light is still in its own primaries.
    return steps + [gain, .matrix(toWorking)]
  }

  // MARK: Linear BT.2020 to the output's signal

  static func encodeSteps(
    _ source: SourceImage, _ recipe: RenderRecipe, _ primaries: Int, _ levels: HeadroomDecision,
    _ report: inout PlanReport
  ) -> [PixelOperation] {
    let target = recipe.target
    if let profile = target.profile {
      return encodeSteps(profile.space, recipe.outputScale(of: source), recipe, levels, &report)
    }
    if let space = target.space, let there = space.toBT2020?.inverse {
      let own = Primaries.bt2020.rgbToXYZ.map { $0 * (there.inverse ?? .identity) } ?? .identity
      var steps: [PixelOperation] = [.matrix(there * recipe.outputScale(of: source))]
      steps += levels.destinationClamps.map { .tone($0) }
      steps += gamutSteps(recipe, primaries, Array(own.rows[3..<6]), levels, &report)
      if let bound = recipe.outputBound(of: source) { steps.append(.clamp(low: -1_048_576, high: bound)) }
      return steps
    }
    guard let space = Primaries(code: primaries), let there = Primaries.bt2020.matrix(to: space) else { return [] }
    var steps: [PixelOperation] = []
    let scale = recipe.outputScale(of: source)
    if recipe.display.reference != nil, primaries == CICP.Primaries.bt2020, let p3 = Primaries(code: CICP.Primaries.p3),
      let narrow = Primaries.bt2020.matrix(to: p3), let back = p3.matrix(to: space)
    {
      steps = [.matrix(narrow * scale)]
      steps += gamutSteps(recipe, CICP.Primaries.p3, p3.luminance, levels, &report) + [.matrix(back)]
    } else {
      steps = [.matrix(there * scale)] + levels.destinationClamps.map { .tone($0) }
      steps += gamutSteps(recipe, primaries, space.luminance, levels, &report)
    }
    // Integer signals themselves end at their largest headroom.
    if let bound = recipe.outputBound(of: source), target.encoding == .linear || bound < target.largestHeadroom.factor {
      steps.append(.clamp(low: -1_048_576, high: bound))
    }
    switch target.encoding {
    case .linear: break
    case .pq: steps.append(.encode(.pq))
    case .sdr: steps.append(.encode(target.transfer.flatMap(TransferCurve.init(code:)) ?? .sRGB))
    case .hlg where recipe.writesScene(source):
      steps += [.matrix(.identity * RenderRecipe.sceneWhite), .encode(.hlg)]
    case .hlg:
      let back = space.matrix(to: .bt2020) ?? .identity
      steps += [
        .matrix(back), .hlgInverseOOTF(peak: 1000, white: ReferenceWhite.nits), .matrix(there), .encode(.hlg),
      ]
    }
    return steps
  }

  /// Makes the steps to the codes of an ICC profile's device; its darkest light stands for black.
  private static func encodeSteps(
    _ space: DeviceSpace, _ scale: Double, _ recipe: RenderRecipe, _ levels: HeadroomDecision,
    _ report: inout PlanReport
  ) -> [PixelOperation] {
    let luminance = space.luminance
    var steps: [PixelOperation] = [.matrix(space.fromBT2020 * scale)] + levels.destinationClamps.map { .tone($0) }
    steps += gamutSteps(recipe, CICP.Primaries.unspecified, luminance, levels, &report)
    switch space.coding {
    case .curves(let curves):
      let black = zip(luminance, curves).reduce(0) { $0 + $1.0 * max($1.1.value(0), 0) }
      let share = [1 - black, 1 - black, 1 - black]
      return steps + [.affine(scale: share, offset: [black, black, black]), .inverse(curves)]
    case .table(let size, let values):
      return steps + [.clamp(low: 0, high: 1), .encode(DeviceSpace.tableCurve), .bakedLUT(size: size, values: values)]
    }
  }

  /// Makes the gamut mapping in the output's primaries (docs/tone-formulas.md#gamut-mapping) into [0, peak]: the peak
  /// is the operator's, or the largest that the signal carries.
  static func gamutSteps(
    _ recipe: RenderRecipe, _ primaries: Int, _ luminance: [Double], _ levels: HeadroomDecision,
    _ report: inout PlanReport
  ) -> [PixelOperation] {
    let target = recipe.target, isLinear = target.encoding == .linear
    let isOpen = isLinear && recipe.display.reference == nil
    let rule: GamutChoice =
      recipe.view != nil ? .clip : recipe.gamut == .automatic ? (isOpen ? .none : .desaturate) : recipe.gamut
    let peak = min(levels.peak ?? .infinity, target.largestHeadroom.factor)
    report.gamutRule = rule.rawValue
    // BT.2020 holds every working colour but negative ones, which the quantiser of an integer signal cuts.
    let canLeave = primaries != workingPrimaries || !levels.staysInside || isLinear
    switch rule {
    case .none, .automatic: return []
    case .desaturate: return canLeave ? [.desaturate(luminance: luminance, peak: peak)] : []
    // The quantiser itself cuts at the signal's ends.
    case .clip: return canLeave && (isLinear || levels.peak != nil) ? [.clamp(low: 0, high: peak)] : []
    }
  }
}

extension OutputSignal {
  /// Returns the code points of the signal this target makes.
  package func cicp(primaries: Int) -> CICP {
    let transfer =
      switch encoding {
      case .linear: CICP.Transfer.linear
      case .pq: CICP.Transfer.pq
      case .hlg: CICP.Transfer.hlg
      case .sdr: self.transfer ?? CICP.Transfer.sRGB
      }
    let isPlanar = sink == .planarYCC, full = isPlanar ? fullRange : true
    let matrix =
      switch (isPlanar, primaries) {
      case (false, _): CICP.Matrix.identity
      case (true, CICP.Primaries.bt2020): CICP.Matrix.bt2020
      case (true, _): CICP.Matrix.bt709
      }
    if space != nil { return CICP(CICP.Primaries.unspecified, transfer, CICP.Matrix.identity, full: true) }
    if profile != nil { return CICP(CICP.Primaries.unspecified, CICP.Transfer.unspecified, matrix, full: full) }
    return CICP(primaries, transfer, matrix, full: full)
  }
}

extension SourceImage {
  /// Gives an Apple map without a headroom the recipe's content headroom. The recipe then overrides nothing.
  func completed(_ recipe: RenderRecipe) -> (SourceImage, RenderRecipe) {
    guard let map = gainMap, !map.metadata.isComplete, !recipe.isContentMeasured, let stated = recipe.contentHeadroom
    else {
      return (self, recipe)
    }
    var (copy, rest) = (self, recipe)
    copy.gainMap?.metadata = GainMapMetadata(AppleGainMap(headroom: stated, version: map.metadata.apple?.version))
    rest.contentHeadroom = nil
    return (copy, rest)
  }

  /// The picture with G, B, R planes of matrix 0 put in the order R, G, B; the gain map's too.
  var withRGBPlanes: SourceImage {
    var copy = self
    copy.image = image.withRGBPlanes(matrix: color.matrix)
    if let map = gainMap { copy.gainMap?.image = map.image.withRGBPlanes(matrix: map.matrix) }
    return copy
  }
}

extension SampleImage {
  /// Reorders H.273 matrix 0's G, B, R planes, all of one size, as loads read every pixel in each.
  func withRGBPlanes(matrix: Int) -> SampleImage {
    guard model == .ycc, matrix == CICP.Matrix.identity, channels.count == 3, !chroma.isSubsampled else { return self }
    var copy = self
    copy.model = .rgb
    copy.channels = [channels[2], channels[0], channels[1]]
    return copy
  }
}

extension SourceColor {
  /// Returns true if the planner knows the matrix coefficients of Y'CbCr samples.
  func hasSupportedMatrix(for image: SampleImage) -> Bool {
    guard image.model == .ycc else { return true }
    if let extra = YCgCoLifting.extraBits(matrix: matrix) {
      return fullRange && !image.chroma.isSubsampled && image.bitDepth > extra
    }
    return matrix == CICP.Matrix.ycgco || matrix == CICP.Matrix.ictcp || constantLuminance(of: image) != nil
      || YCbCr(matrix: matrix, primaries: cicp?.primaries ?? 1) != nil
  }

  /// Returns the constant-luminance system by which luma and differences were made; `nil` if they were not.
  func constantLuminance(of image: SampleImage) -> ConstantLuminance? {
    guard image.model == .ycc else { return nil }
    var code = cicp?.transfer ?? CICP.Transfer.unspecified
    if code == CICP.Transfer.unspecified, case .cicp(_, let transfer) = encoding { code = transfer }
    return ConstantLuminance(matrix: matrix, primaries: cicp?.primaries ?? 1, transfer: code)
  }

  /// The matrix from linear light in this colour's primaries to linear BT.2020; `nil` if the primaries are unknown.
  var toBT2020: Matrix3? {
    switch encoding {
    case .cicp(let code, _): Primaries(code: code)?.matrix(to: .bt2020)
    case .matrixTRC(_, let matrix, _): matrix.count == 9 ? Matrix3(matrix) : nil
    case .space(let space): space.toBT2020
    case .bakedLUT: nil
    }
  }
}
