import CPURender
import HDRCore
import HDRPlan
import Testing

/// Pictures that were decoded smaller lie where whole ones do: nothing moves by a tenth of a result's pixel.
@Suite struct DecodedSmallerTests {
  /// A picture of values 0...1 in 16 bits, or the means of `scale` x `scale` of them, with the last ones repeated beyond
  /// the end as encoders do.
  private static func samples(
    _ width: Int, _ height: Int, channels: Int, scale: Int = 1, _ value: (_ x: Int, _ y: Int, _ channel: Int) -> Double
  ) -> SampleImage {
    var image = SampleImage.interleaved(
      width: Reduction.samples(width, scale: scale), height: Reduction.samples(height, scale: scale),
      channelCount: channels, format: .uint16, bitDepth: 16)
    if scale > 1 { image.reduction = Reduction(scale: scale, width: width, height: height) }
    let words = image.channels[0].buffer.base.assumingMemoryBound(to: UInt16.self)
    for y in 0..<image.height {
      for x in 0..<image.width {
        for channel in 0..<channels {
          var sum = 0.0
          for j in 0..<scale {
            for i in 0..<scale {
              sum += value(min(x * scale + i, width - 1), min(y * scale + j, height - 1), channel)
            }
          }
          words[(y * image.width + x) * channels + channel] = UInt16(65535 * sum / Double(scale * scale))
        }
      }
    }
    return image
  }

  private static func source(_ image: SampleImage, _ orientation: Orientation = .up) -> SourceImage {
    SourceImage(
      format: .jpeg, image: image,
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 9, transfer: 8)),
      geometry: Geometry(width: image.width, height: image.height, orientation: orientation))
  }

  private static func recipe(_ steps: [FilterStep]) -> RenderRecipe {
    var recipe = RenderRecipe(
      target: OutputSignal(primaries: 9, encoding: .linear, sink: .floatPlanes), display: .high, tone: .none,
      gamut: .none)
    recipe.edits = steps
    recipe.workingFormat = .rgba32f
    return recipe
  }

  /// Returns the light of a rendition, plane by plane.
  private static func light(
    _ source: SourceImage, _ steps: [FilterStep]
  ) throws -> (width: Int, height: Int, planes: [[Double]]) {
    let image = CPUBackend.best.render(try Planner.plan(source, recipe(steps)), threads: 1)
    let planes = image.channels.map { plane in
      (0..<image.height).flatMap { y in
        (0..<image.width).map { x in
          Double((plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes).load(as: Float.self))
        }
      }
    }
    return (image.width, image.height, planes)
  }

  private static func largest(_ a: [Double], _ b: [Double]) -> Double {
    zip(a, b).reduce(0) { max($0, abs($1.0 - $1.1)) }
  }

  private static let metadata = GainMapMetadata(
    kind: .iso, baseHeadroom: 0, alternateHeadroom: 2, min: [0, 0, 0], max: [2, 2, 2], gamma: [1, 1, 1],
    baseOffset: [0, 0, 0], alternateOffset: [0, 0, 0])

  private static let steps = [
    FilterStep("resize", ["size": .number(40)]), FilterStep("scale", ["width": .number(41), "height": .number(29)]),
    FilterStep("scale", ["factor": .number(0.05), "method": .word("area")]),
    FilterStep("scale", ["factor": .number(0.05), "method": .word("bicubic")]),
    FilterStep("thumbnail", ["size": .number(33)]),
    FilterStep("resize", ["width": .number(30), "height": .number(30), "fit": .word("fill")]),
  ]

  @Test(arguments: Orientation.allCases, [(805, 563), (640, 801)])
  func gradientsAndEdgesStayInPlace(orientation: Orientation, size: (width: Int, height: Int)) throws {
    // A gradient along each axis, and an edge.
    func value(_ x: Int, _ y: Int, _ channel: Int) -> Double {
      switch channel {
      case 0: 0.1 + 0.8 * (Double(x) + 0.5) / Double(size.width)
      case 1: 0.1 + 0.8 * (Double(y) + 0.5) / Double(size.height)
      default: x < size.width * 3 / 8 ? 0 : 1
      }
    }
    func picture(_ scale: Int) -> SourceImage {
      Self.source(Self.samples(size.width, size.height, channels: 3, scale: scale, value), orientation)
    }
    let whole = picture(1), smaller = [2, 4, 8].map(picture)
    for step in Self.steps {
      let expected = try Self.light(whole, [step])
      for source in smaller {
        let result = try Self.light(source, [step])
        #expect((result.width, result.height) == (expected.width, expected.height))
        let step = 0.8 / Double(max(result.width, result.height))
        for channel in 0...1 {
          let error = Self.largest(result.planes[channel], expected.planes[channel])
          #expect(error < step / 10, "gradient \(channel): \(error / step) pixels")
        }
        // A row across the edge sums to the pixels behind it.
        let across = orientation.swapsAxes ? result.width : result.height
        let shift = (result.planes[2].reduce(0, +) - expected.planes[2].reduce(0, +)) / Double(across)
        #expect(abs(shift) < 0.1, "edge: \(shift) pixels")
      }
    }
  }

  /// Colour filters may come first, and others afterwards.
  @Test func filtersAroundTheResizeSeeItsPixels() throws {
    func picture(_ scale: Int) -> SourceImage {
      Self.source(
        Self.samples(805, 563, channels: 3, scale: scale) { x, _, _ in 0.1 + 0.8 * (Double(x) + 0.5) / 805 })
    }
    let steps = [
      FilterStep("exposure", ["ev": .number(1)]), FilterStep("resize", ["size": .number(48)]),
      FilterStep("crop", ["rect": .numbers([3, 4, 20, 10])]), FilterStep("gaussian-blur", ["radius": .number(2)]),
    ]
    let expected = try Self.light(picture(1), steps), result = try Self.light(picture(8), steps)
    #expect((result.width, result.height) == (20, 10))
    #expect(Self.largest(result.planes[0], expected.planes[0]) < 1.6 / 48 / 10)
    #expect(throws: PlanError.self) { try Self.light(picture(8), Array(steps[2...]) + [steps[1]]) }
  }

  @Test(
    arguments: Orientation.allCases, [(base: 4, map: 1), (base: 4, map: 2), (base: 8, map: 1), (base: 2, map: 8)])
  func gainsStayWithTheirPixels(orientation: Orientation, scale: (base: Int, map: Int)) throws {
    let (width, height) = (805, 563)
    for map in [(width: 403, height: 282), (width: 805, height: 563)] {
      // No plan chooses a scale that leaves less than two samples for each of the result's 40 pixels.
      let mapScale = map.width < 2 * 40 * scale.map ? 4 : scale.map
      func picture(_ base: Int, _ scale: Int) -> SourceImage {
        var source = Self.source(Self.samples(width, height, channels: 3, scale: base) { _, _, _ in 0.5 }, orientation)
        source.gainMap = GainMap(
          metadata: Self.metadata,
          image: Self.samples(map.width, map.height, channels: 1, scale: scale) { x, y, _ in
            0.05 + 0.4 * (Double(x) + 0.5) / Double(map.width) + 0.4 * (Double(y) + 0.5) / Double(map.height)
          },
          matrix: 6, fullRange: true, alternateColor: nil, bindings: [])
        return source
      }
      func gains(_ source: SourceImage) throws -> [Double] {
        try Self.light(source, [Self.steps[0]]).planes[1].map { ExactMath.log2($0 / 0.5) / 2 }
      }
      let error = Self.largest(try gains(picture(scale.base, mapScale)), try gains(picture(1, 1)))
      // The gradient rises by this much in a pixel of the result, along each axis.
      #expect(error < 0.4 / 40 / 10, "\(map): \(error * 40 / 0.4) pixels")
    }
  }

  /// `sdr+gain`: the map follows its base, at its own share of the result.
  @Test(arguments: Orientation.allCases)
  func mapsAreEditedWithTheirBase(orientation: Orientation) throws {
    let base = PictureSize(orientation.swapsAxes ? 563 : 805, orientation.swapsAxes ? 805 : 563)
    func codes(_ scale: Int, _ step: FilterStep) throws -> (width: Int, height: Int, codes: [Double]) {
      var picture = Self.source(
        Self.samples(805, 563, channels: 3, scale: scale) { x, _, _ in (Double(x) + 0.5) / 805 }, orientation)
      picture.gainMap = GainMap(
        metadata: Self.metadata,
        image: Self.samples(403, 282, channels: 1, scale: scale) { x, y, _ in
          0.05 + 0.4 * (Double(x) + 0.5) / 403 + 0.4 * (Double(y) + 0.5) / 282
        }, matrix: 6, fullRange: true, alternateColor: nil, bindings: [])
      var recipe = Self.recipe([step])
      recipe.target = OutputSignal(encoding: .linear, sink: .rgba16)
      let plan = try GainMapPlanner.edited(
        map: try #require(picture.auxiliaryGainMap), recipe, table: nil, base: base, content: .sdr,
        target: recipe.target)
      let image = CPUBackend.best.render(plan, threads: 1), plane = image.channels[0]
      return (
        image.width, image.height,
        (0..<image.width * image.height).map { at in
          let offset = at / image.width * plane.rowBytes + at % image.width * plane.stepBytes
          return Double((plane.buffer.base + plane.offset + offset).load(as: UInt16.self)) / 65535
        }
      )
    }
    for step in [Self.steps[0], Self.steps[5]] {
      let whole = try codes(1, step)
      for scale in [2, 4] {
        let smaller = try codes(scale, step)
        #expect((smaller.width, smaller.height) == (whole.width, whole.height))
        let slope = 0.4 / Double(max(whole.width, whole.height))
        let error = Self.largest(smaller.codes, whole.codes)
        #expect(error < slope / 10 + 2.0 / 65535, "\(scale): \(error / slope) pixels")
      }
    }
  }

  /// No reader makes one, but an answer of a codec process may say so: every axis has the samples that are read.
  @Test func axesHaveTheSamplesOfACroppedPicture() throws {
    let image = Self.samples(80, 60, channels: 3, scale: 4) { _, _, _ in 0.5 }
    for orientation in Orientation.allCases {
      var source = Self.source(image, orientation)
      source.geometry.crop = PixelRect(x: 3, y: 2, width: 5, height: 7)
      let axes = image.axes(source.geometry)
      #expect((axes.x.count, axes.y.count) == (source.geometry.outputWidth, source.geometry.outputHeight))
      let result = try Self.light(source, [FilterStep("resize", ["size": .number(3)])])
      #expect(max(result.width, result.height) == 3)
    }
  }

  // MARK: The choice

  private static func head(_ width: Int, _ height: Int, map: (Int, Int)? = nil, _ orientation: Orientation = .up)
    -> SourceImage
  {
    func described(_ width: Int, _ height: Int) -> SampleImage {
      SampleImage(width: width, height: height, model: .rgb, format: .uint8, bitDepth: 8, channels: [])
    }
    var source = Self.source(described(width, height), orientation)
    source.gainMap = map.map {
      GainMap(
        metadata: Self.metadata, image: described($0.0, $0.1), matrix: 6, fullRange: true,
        alternateColor: nil, bindings: [])
    }
    return source
  }

  @Test func theResultHasAtMostHalfOfTheSamples() throws {
    func scale(_ size: Double, _ choice: DecodeScaleChoice, _ source: SourceImage) -> DecodeScale {
      Self.recipe([FilterStep("resize", ["size": .number(size)])]).decodeScale(of: source, choice).scale
    }
    let photo = Self.head(4000, 3000, map: (1000, 750))
    #expect(scale(2001, .eighth, photo) == .whole)
    #expect(scale(1000, .eighth, photo) == DecodeScale(base: 2, map: 1))
    #expect(scale(500, .eighth, photo) == DecodeScale(base: 4, map: 1))
    #expect(scale(250, .eighth, photo) == DecodeScale(base: 8, map: 2))
    #expect(scale(250, .quarter, photo) == DecodeScale(base: 4, map: 2))
    #expect(scale(125, .automatic, photo) == DecodeScale(base: 2, map: 2))
    #expect(scale(500, .automatic, photo) == DecodeScale(base: 2, map: 1))
    #expect(scale(501, .automatic, photo) == .whole)
    #expect(scale(250, .whole, photo) == .whole)
    // Sides are as the picture is viewed.
    let turned = Self.head(4000, 1000, map: (1000, 250), .right)
    let recipe = Self.recipe([FilterStep("scale", ["width": .number(125), "height": .number(1000)])])
    #expect(recipe.decodeScale(of: turned, .eighth).scale == DecodeScale(base: 2, map: 1))
    // The parts that a box cuts away are resampled too, and need their samples.
    let filled = Self.recipe([
      FilterStep("resize", ["width": .number(100), "height": .number(700), "fit": .word("fill")])
    ])
    #expect(filled.decodeScale(of: photo, .eighth).scale.base == 2)
  }

  @Test func filtersThatTakePlacesOrNeighboursNeedTheWholePicture() throws {
    let photo = Self.head(4000, 3000), resize = FilterStep("resize", ["size": .number(100)])
    func obstacle(_ steps: [FilterStep], _ choice: DecodeScaleChoice = .eighth) -> String? {
      let made = Self.recipe(steps).decodeScale(of: photo, choice)
      #expect((made.scale.base == 1) == (made.obstacle != nil))
      return made.obstacle
    }
    for name in ["gaussian-blur", "crop", "vignette", "dither", "highlight-shadow", "flip", "unsharp-mask"] {
      let values: [String: FilterValue] =
        switch name {
        case "crop": ["aspect": .number(1)]
        case "highlight-shadow": ["radius": .number(9), "shadow-amount": .number(1)]
        default: [:]
        }
      let text = try #require(obstacle([FilterStep(name, values), resize]))
      #expect(text.hasPrefix(name))
      #expect(obstacle([resize, FilterStep(name)]) == nil)
    }
    for name in ["exposure", "vibrance", "color-controls", "hue-adjust"] {
      #expect(obstacle([FilterStep(name), resize]) == nil)
      #expect(obstacle([FilterStep(name), resize], .automatic)?.hasPrefix(name) == true)
    }
    #expect(obstacle([FilterStep("exposure")]) == "no filter makes the picture smaller")
    #expect(obstacle([]) == "no filter makes the picture smaller")
  }
}
