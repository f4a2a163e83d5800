import HDRCore
import Kernels

/// The first stages that the last passes of two plans have in common, such as the light of one decoded picture: they are
/// run once for both, to planes of binary32 that hold their numbers bit for bit.
package struct SharedStart: Sendable {
  /// Makes the planes in one pass.
  package let plan: Plan
  /// The two plans. Source 0 of their last passes stands for the planes.
  package let first: Plan
  package let second: Plan

  /// The stages that may be shared: they read source 0 at their own pixel, and have a fixed number of words.
  private static let kinds: Set<StageKind> = [
    .loadSamples, .dolbyReshape, .yccToRGB, .curve, .matrix3, .affine, .clamp,
  ]

  /// Returns `nil` for plans without such stages, or with later ones that read the picture, too.
  package init?(_ first: Plan, _ second: Plan) {
    guard let one = first.passes.last, let other = second.passes.last,
      case .image(let image) = one.sources.first, case .image(let same) = other.sources.first,
      image.isSamePicture(as: same), one.mapping == .identity, other.mapping == .identity,
      (one.width, one.height) == (image.width, image.height),
      (other.width, other.height) == (image.width, image.height),
      // Equal words then name equal tables.
      zip(first.tables, second.tables).allSatisfy({ $0 == $1 })
    else { return nil }
    let count = zip(one.stages, other.stages).prefix {
      $0.kind == $1.kind && Self.kinds.contains($0.kind) && first.words(of: $0).elementsEqual(second.words(of: $1))
    }.count
    guard count > 1, !first.readsFirstSource(one.stages[count...]), !second.readsFirstSource(other.stages[count...])
    else { return nil }
    let channels = image.alpha == nil ? 3 : 4
    var start = first, pass = one
    pass.sources = [.image(image)]
    pass.stages = Array(one.stages[..<count])
    pass.sink = Sink(kind: .floatPlanes, constants: first.constants.count, channels: channels)
    start.constants += StoreFloatPlanes.words(channels: channels)
    start.passes = [pass]
    (plan, self.first, self.second) = (
      start, first.loading(channels, after: count), second.loading(channels, after: count)
    )
  }
}

extension Plan {
  /// Returns the parameters of a stage with a fixed number of words.
  fileprivate func words(of stage: Stage) -> ArraySlice<UInt32> {
    constants[stage.constants..<stage.constants + (stage.kind.words?.count ?? 0)]
  }

  /// Returns true if one of the stages reads source 0 of its pass by itself.
  fileprivate func readsFirstSource(_ stages: ArraySlice<Stage>) -> Bool {
    constants.withUnsafeBufferPointer { constants in
      withUnsafePointer(to: ChannelView(SamplePlane.empty)) { channels in
        guard let words = constants.baseAddress else { return true }
        return stages.contains { stage in
          // No stage looks at a table to say what it reads.
          let context = StageContext(
            constants: words + stage.constants, tables: words, channels: channels, mapping: .identity)
          return stage.kind.reach > 0 || stage.reads(0, context)
        }
      }
    }
  }

  /// Returns the plan with a load of binary32 in place of the first stages of its last pass.
  fileprivate func loading(_ channels: Int, after count: Int) -> Plan {
    var plan = self
    let load = Stage(kind: .loadFloatPlanes, constants: constants.count)
    plan.constants += LoadFloatPlanes.words(channels: channels)
    plan.passes[passes.count - 1].stages.replaceSubrange(..<count, with: [load])
    return plan
  }
}

extension SampleImage {
  /// Returns true if both are the same samples in the same memory.
  fileprivate func isSamePicture(as other: SampleImage) -> Bool {
    func places(_ image: SampleImage) -> [SamplePlane] { image.channels + (image.alpha.map { [$0] } ?? []) }
    return width == other.width && height == other.height
      && places(self).elementsEqual(places(other)) {
        $0.buffer === $1.buffer && $0.offset == $1.offset && $0.rowBytes == $1.rowBytes && $0.stepBytes == $1.stepBytes
          && $0.width == $1.width && $0.height == $1.height
      }
  }
}

extension SamplePlane {
  fileprivate static let empty = SamplePlane(
    buffer: PixelBuffer(byteCount: 0), rowBytes: 0, stepBytes: 0, width: 1, height: 1)
}
