import CPURender
import CodecService
import GPURender
import HDRCore
@testable import HDRPlan
import HDRRecipe
@testable import HDRRender
import ImageFiles

extension Target {
  /// A codec process's answer on its whole way: border, plan, bands and uploads of a GPU, and pixels on the CPU.
  static let bands = Target("bands", maxLength: 1 << 13, mutate: BandGrammar.mutate) { bytes in
    guard let order = BandOrder(bytes) else { return }
    var reader = WireReader(Array(bytes.dropFirst(BandOrder.byteCount)), BandMemory.pixels)
    guard let answer = try? reader.take(AnswerMessage<SourceImage>.self), (try? reader.end()) != nil,
      case .success(let source) = answer.result
    else { return }
    demandNeeds(source)
    if source.image.channels.isEmpty { return }
    let run = BandRun(order)
    if order.isAdaptive { return run.makeAdaptive(source) }
    guard let plan = try? Planner.plan(source, order.recipe(source)) else { return }
    let image = run.render(plan)
    let options = order.rendition
    if plan.kept == nil, image.format != .float16 {
      _ = EncodeRequest(image, plan.report, options, of: source, BandRun.pool, threads: 1)
    }
  }

  /// Memory is asked for by these numbers.
  private static func demandNeeds(_ source: SourceImage) {
    let head = DecodeHead(source)
    let need = MemoryNeed.item(
      MemoryNeed.Source(
        pixels: head.pixels, mapPixels: head.mapPixels, pixelBytes: head.pixelBytes, fileBytes: head.bytes),
      MemoryNeed.Work(hasEdits: true, isAdaptive: true, isVideo: true))
    demand(
      need > head.bytes && MemoryNeed.decoding(bytes: head.bytes, fileBytes: 1) > head.bytes
        && MemoryNeed.shared(bytes: head.bytes, height: head.height) > head.bytes && head.bytes > 0,
      "a picture of no memory")
  }
}

/// The plan and limits to make, by the first bytes of an input.
struct BandOrder {
  static let byteCount = 8
  private let words: [UInt8]

  init?(_ bytes: [UInt8]) {
    guard bytes.count > Self.byteCount else { return nil }
    words = Array(bytes.prefix(Self.byteCount))
  }

  private func pick<T>(_ index: Int, _ list: [T]) -> T { list[Int(words[index]) % list.count] }
  private func flag(_ bit: Int) -> Bool { words[6] >> UInt8(bit) & 1 != 0 }

  var isAdaptive: Bool { words[7] % 8 == 7 }

  var rendition: RenditionOptions {
    var options = RenditionOptions(kind: pick(0, OutputKind.allCases)), recipe = options.recipe
    recipe.target.primaries = pick(1, [nil, nil, 1, 9, 12])
    recipe.display = pick(1, [.automatic, .high, .standard, .constrainedHigh(), .headroom(Headroom(stops: 1.5))])
    if words[2] % 3 == 2 {
      recipe.tone = .named(ToneOperators.all[Int(words[2] / 3) % ToneOperators.all.count].name)
    } else if words[2] % 3 == 1 {
      recipe.tone = .none
    }
    recipe.dither = flag(0) ? 1 : 0
    options.chroma = flag(1) ? .s444 : .s420
    options.fullRange = flag(2)
    recipe.workingFormat = flag(3) ? .rgba32f : .rgba16f
    recipe.allowsSDRFilters = flag(4)
    recipe.contentHeadroom = flag(5) ? Headroom(stops: 2) : nil
    if flag(6) { recipe.luts = [LUTChoice(lut: Self.lut, space: pick(2, [.linear, .srgb, .pq, .hlg]))] }
    if flag(7) { recipe.mastering = pick(2, [.hlg, .file, .hdr10(black: 0.01, peak: 1000, scale: 100)]) }
    recipe.editStrategy = pick(4, EditStrategy.allCases)
    recipe.gamut = pick(5, [.automatic, .desaturate, .clip, .none])
    options.recipe = recipe
    return options
  }

  /// Filters with their standard values; most orders have none.
  private var filters: [FilterStep] {
    let filters = Filters.all
    return words[3...4].filter { $0 >= 128 }.compactMap { word in
      let words = SeedMaker.words(filters[Int(word - 128) % filters.count])
      return try? FilterText.step(words).step([.headroom: 4, .contentHeadroom: 8, .width: 30, .height: 20, .index: 0])
    }
  }

  func recipe(_ source: SourceImage) -> RenderRecipe {
    var recipe = rendition.recipe
    recipe.edits = filters
    for step in recipe.edits {
      for parameter in step.filter?.parameters ?? [] {
        guard case .input = parameter.kind, let name = step.values.input(parameter) else { continue }
        recipe.inputs[name] = FilterInput(.picture(words[5] >= 128 ? .small : source))
      }
    }
    return recipe
  }

  var adaptive: AdaptiveOptions {
    var options = AdaptiveOptions(container: pick(0, [.jpeg, .heic, .avif]))
    options.base = flag(0) ? .hdr : .sdr
    options.space = flag(5) ? .wider : .base
    options.map = GainMapOptions(
      channels: flag(2) ? 1 : 3, grey: pick(5, [.luminance, .maximum]), scale: pick(4, [1, 2, 4]),
      depth: flag(3) && options.container != .jpeg ? 10 : 8, range: pick(5, [.robust, .full, .percentile(1)]),
      headroom: pick(5, [.maximum, .percentile(99)]), dithers: flag(4))
    options.baseDepth = flag(6) && options.container != .jpeg ? 10 : 8
    return options
  }

  /// The limits of a device; small enough that pictures of a few rows are cut.
  var limits: BandLimits {
    BandLimits(
      slotBytes: pick(5, [1 << 16, 1 << 18, 1 << 25, 40_000]), storageRange: pick(6, [1 << 27, 1 << 27, 1 << 14]),
      alignment: pick(4, [16, 64, 256]), imageSide: pick(3, [16_384, 16_384, 64]), groups: (x: 65_535, y: 65_535),
      localSize: pick(5, [(x: 8, y: 8), (x: 32, y: 1)]))
  }

  private static let lut: CubeLUT = {
    let nodes: [Float] = [0, 0, 0, 1, 0, 0, 0, 0.5, 0, 1, 0.5, 0, 0, 0, 2, 1, 0, 2, 0, 0.5, 2, 1, 0.5, 2]
    return CubeLUT(
      shaper: nil, cube: CubeLUT.Table3D(size: 2, domainMin: [0, 0, 0], domainMax: [1, 1, 1], values: nodes))
  }()
}

/// Plans, cut for a device and rendered on the CPU: from the pictures, and from what each band would upload.
struct BandRun {
  static let pool = BandPool(threads: 1)
  /// Pixels of all passes that are worth the time.
  private static let maxPixels = 1 << 16
  private let order: BandOrder

  init(_ order: BandOrder) { self.order = order }

  func makeAdaptive(_ source: SourceImage) {
    let maker = RenditionPairMaker(
      options: order.adaptive, rendition: order.rendition, pool: Self.pool,
      plan: { source, recipe throws(HDRError) in
        do throws(PlanError) {
          return try Planner.plan(source, recipe)
        } catch {
          throw HDRError(error)
        }
      }, renderer: PairRenderer { plan, _ throws(HDRError) in render(plan) })
    _ = try? maker.make(sdr: source, hdr: source)
  }

  func render(_ plan: Plan) -> SampleImage {
    demand(!plan.passes.isEmpty, "a plan of nothing")
    _ = (plan.explanation, plan.dot, Sampling.stripRows(plan))
    let bands = bands(plan)
    let pixels = plan.passes.reduce(0) { $0 + $1.width * $1.height }
    let image = CPUBackend.baseline.render(plan, pool: Self.pool).image
    if pixels > Self.maxPixels { return image }
    if CPUBackend.best.instructionSet != CPUBackend.baseline.instructionSet {
      expectSame(plan, image, CPUBackend.best.render(plan, pool: Self.pool).image, "another instruction set")
    }
    let last = image.height
    if last > 64 {
      let rows = [64..<min(last, 128)]
      expectSame(
        plan, image, CPUBackend.baseline.render(plan, rows: rows, pool: Self.pool).image, "some rows alone", rows)
    }
    for band in bands.prefix(8) {
      let input = PixelBuffer(byteCount: band.uploadBytes)
      BandMemory.fill(input, seed: 7)
      band.writeInput(plan, to: input.base)
      let own = uploaded(plan, band, input)
      let found = CPUBackend.baseline.render(own, rows: [band.rows], pool: Self.pool).image
      expectSame(plan, image, found, "what a band uploads", [band.rows])
    }
    return image
  }

  /// Too large for the device is no finding; a plan that contradicts itself is one.
  private func bands(_ plan: Plan) -> [Band] {
    do throws(GPUError) {
      let bands = try BandPlanner(plan: plan, limits: order.limits).bands()
      let rows = bands.reduce(0) { next, band in
        demand(band.rows.lowerBound == next, "rows between bands")
        return band.rows.upperBound
      }
      demand(rows == plan.passes[plan.passes.count - 1].height, "rows that no band makes")
      return bands
    } catch {
      guard case .tooLarge = error else { fatalError("\(error)") }
      return []
    }
  }

  /// The plan with its pictures where a band's dispatches find them.
  private func uploaded(_ plan: Plan, _ band: Band, _ input: PixelBuffer) -> Plan {
    var copy = plan
    for dispatch in band.dispatches {
      for (place, region) in dispatch.sources.enumerated() {
        guard case .image(var image) = plan.passes[dispatch.kernel].sources[place] else { continue }
        guard case .input(let offset, let bytes) = region else { fatalError("a picture that is not uploaded") }
        demand(offset >= 0 && bytes > 0 && offset + bytes <= band.uploadBytes, "a region outside the upload")
        let part = PixelBuffer(adopting: input.base + offset, byteCount: bytes) { [input] _ in _ = input }
        func moved(_ plane: SamplePlane, _ channel: Int) -> SamplePlane {
          func word(_ index: Int) -> Int {
            let channels = FrameLayout.sources + place * FrameLayout.sourceWords
            return Int(Int32(bitPattern: dispatch.frame[channels + channel * FrameLayout.channelWords + index]))
          }
          let rowBytes = word(FrameLayout.channelRowBytes)
          return SamplePlane(
            buffer: part, offset: word(FrameLayout.channelOffset) - word(FrameLayout.channelFirstRow) * rowBytes,
            rowBytes: rowBytes, stepBytes: word(FrameLayout.channelStepBytes), width: word(FrameLayout.channelWidth),
            height: word(FrameLayout.channelHeight))
        }
        image.channels = image.channels.enumerated().map { moved($0.element, $0.offset) }
        image.alpha = image.alpha.map { moved($0, 3) }
        copy.passes[dispatch.kernel].sources[place] = .image(image)
      }
    }
    return copy
  }

  private func expectSame(
    _ plan: Plan, _ expected: SampleImage, _ found: SampleImage, _ what: String, _ rows: [Range<Int>]? = nil
  ) {
    let comparison = WordComparison(expected, found, rows: rows)
    demand(
      comparison.differing == 0,
      "\(what): \(comparison.first?.description ?? "")\n" + plan.explanation.joined(separator: "\n"))
  }
}

/// Memory of a codec process: each block is a copy of its own, so that reads outside it are found.
enum BandMemory {
  private static let maxBytes = 1 << 16

  static var pixels: WireReader.Pixels {
    WireReader.Pixels(limits: DecodeLimits(maxPixels: 1 << 12, maxSide: 1024), isTrusted: false) {
      offset, count throws(WireError) in
      guard offset >= 0, offset <= 1 << 20, (0...maxBytes).contains(count) else { throw WireError("outside") }
      let buffer = PixelBuffer(byteCount: count)
      fill(buffer, seed: UInt32(truncatingIfNeeded: offset))
      return buffer
    }
  }

  /// Noise, the overrun after the block included.
  static func fill(_ buffer: PixelBuffer, seed: UInt32) {
    var state = seed &* 2_654_435_761 | 1
    let words = buffer.base.assumingMemoryBound(to: UInt32.self)
    for index in 0..<(buffer.byteCount + 64) / 4 {
      state = state &* 1_664_525 &+ 1_013_904_223
      words[index] = state
    }
  }
}
