import HDRCore
import HDRPlan
import Synchronization

/// The last plans of a stream's frames. Frames that look alike under one recipe differ in their samples alone, which no
/// plan depends on: the next one gets the plan of one before it, and no curve is computed again.
package final class FramePlans: Sendable {
  private struct Known {
    var look: FrameLook
    var recipe: RenderRecipe
    /// The plan, which reads `FramePlans.nothing` in the place of a frame.
    var plan: Plan
  }

  private let known = Mutex<[Known]>([])

  /// The light of a frame may be measured by a plan of its own, and two recipes may take turns.
  private static let most = 4
  private static let nothing = PixelBuffer(byteCount: 0)

  package init() {}

  /// Returns a known plan that reads the samples of a frame; `nil`: there is none.
  func plan(_ source: SourceImage, _ recipe: RenderRecipe) -> Plan? {
    guard let look = FrameLook(source) else { return nil }
    let found = known.withLock { known in known.first { $0.look == look && $0.recipe == recipe }?.plan }
    return found?.reading(look.samples, insteadOf: Self.nothing)
  }

  /// Keeps the plan of a frame for the next ones.
  func keep(_ plan: Plan, _ source: SourceImage, _ recipe: RenderRecipe) {
    guard var look = FrameLook(source) else { return }
    let plan = plan.reading(Self.nothing, insteadOf: look.samples)
    look.samples = Self.nothing
    let kept = Known(look: look, recipe: recipe, plan: plan)
    known.withLock { known in
      known.insert(kept, at: 0)
      known.removeLast(max(0, known.count - Self.most))
    }
  }
}

/// Plans of a picture that has no file depend on these values: all but its samples.
private struct FrameLook: Equatable {
  var samples: PixelBuffer
  private let format: FileFormat
  private let numbers: [Int]
  private let model: ColorModel
  private let formats: [SampleFormat]
  private let chroma: ChromaSubsampling
  private let siting: ChromaSiting
  private let color: SourceColor
  private let geometry: Geometry
  private let light: LightMetadata

  /// Returns `nil` for pictures with more than samples in one block of memory and their colour.
  init?(_ source: SourceImage) {
    let image = source.image, planes = image.channels + (image.alpha.map { [$0] } ?? [])
    guard let samples = planes.first?.buffer, planes.allSatisfy({ $0.buffer === samples }), samples.device == nil,
      image.handover == nil, image.reduction == nil, source.gainMap == nil, source.sensor == nil, source.exr == nil
    else { return nil }
    self.samples = samples
    numbers =
      [image.width, image.height, image.bitDepth, image.lowZeroBits, image.channels.count, image.alphaBitDepth]
      + [image.alphaIsPremultiplied ? 1 : 0, source.bitDepth]
      + planes.flatMap { [$0.offset, $0.rowBytes, $0.stepBytes, $0.width, $0.height] }
    format = source.format
    (model, formats, chroma, siting) = (image.model, [image.format, image.alphaFormat], image.chroma, image.siting)
    (color, geometry, light) = (source.color, source.geometry, source.light)
  }

  static func == (a: FrameLook, b: FrameLook) -> Bool {
    a.format == b.format && a.numbers == b.numbers && a.model == b.model && a.formats == b.formats
      && a.chroma == b.chroma
      && a.siting == b.siting && a.color == b.color && a.geometry == b.geometry && a.light == b.light
  }
}

extension Plan {
  /// Returns the plan with the samples of another picture of the same layout.
  fileprivate func reading(_ samples: PixelBuffer, insteadOf old: PixelBuffer) -> Plan {
    func moved(_ image: SampleImage) -> SampleImage {
      var image = image
      for channel in image.channels.indices where image.channels[channel].buffer === old {
        image.channels[channel].buffer = samples
      }
      if image.alpha?.buffer === old { image.alpha?.buffer = samples }
      return image
    }
    var plan = self
    for pass in passes.indices {
      for (index, source) in passes[pass].sources.enumerated() {
        if case .image(let image) = source { plan.passes[pass].sources[index] = .image(moved(image)) }
      }
    }
    plan.kept = kept.map(moved)
    return plan
  }
}
