import HDRCore
import Kernels

extension Plan {
  /// Returns a plan that makes a picture of its own R, G, B codes of 8 or 16 bits (`SinkKind.rgba8`, `.rgba16`) and alpha, of its
  /// own finite halves (`.rgba16f`), or of its own planes of binary32 (`.floatPlanes`).
  package static func copying(_ image: SampleImage) -> Plan {
    var words = PlanDataBuilder()
    let stages: [Stage], sink: Sink
    switch image.format {
    case .float16:
      stages = [words.stage(.loadHalf, LoadHalf.words(image))]
      sink = words.sink(.rgba16f, [])
    case .float32:
      let channels = image.channels.count + (image.alpha == nil ? 0 : 1)
      stages = [words.stage(.loadFloatPlanes, LoadFloatPlanes.words(channels: channels))]
      sink = words.sink(.floatPlanes, StoreFloatPlanes.words(channels: channels), channels: channels)
    default:
      let is16 = image.format == .uint16, scale: Double = is16 ? 1 / 65_535 : 1 / 255
      stages = [
        words.stage(.loadSamples, LoadSamples.words(image, lumaOffset: 0, chromaOffset: 0)),
        words.stage(.affine, Affine.words(scale: [scale, scale, scale], offset: [0, 0, 0])),
      ]
      sink = is16 ? words.sink(.rgba16, StoreRGBA16.words(dither: 0)) : words.sink(.rgba8, StoreRGBA8.words(dither: 0))
    }
    let pass = Pass(
      name: "copy", sources: [.image(image)], width: image.width, height: image.height, mapping: .identity,
      stages: stages, sink: sink)
    return Plan(passes: [pass], constants: words.constants, tables: words.tables, report: PlanReport())
  }

  /// Returns the plan with the samples that it reads copied to other memory; what lies in one block stays in one.
  ///
  /// - Parameter memory: allocates blocks of the given size.
  package func moved(to memory: (Int) -> PixelBuffer) -> Plan {
    var blocks: [ObjectIdentifier: PixelBuffer] = [:]
    func move(_ plane: SamplePlane) -> SamplePlane {
      let old = plane.buffer, key = ObjectIdentifier(old), new = blocks[key] ?? memory(old.byteCount)
      if blocks.updateValue(new, forKey: key) == nil { new.base.copyMemory(from: old.base, byteCount: old.byteCount) }
      var plane = plane
      plane.buffer = new
      return plane
    }
    var moved = self
    for pass in passes.indices {
      for (place, source) in passes[pass].sources.enumerated() {
        guard case .image(var image) = source else { continue }
        image.channels = image.channels.map(move)
        image.alpha = image.alpha.map(move)
        moved.passes[pass].sources[place] = .image(image)
      }
    }
    return moved
  }
}
