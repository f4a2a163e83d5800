import HDRCore

/// The largest scale at which a JPEG is decoded where a filter makes it smaller: its means are of codes, not of light.
public enum DecodeScaleChoice: String, Sendable, Hashable, CaseIterable {
  /// `half`, if no filter comes before and four samples are left for each pixel of the result on each axis: most photos
  /// then look the same (docs/data/decode-scale.tsv).
  case automatic = "auto"
  case whole = "1"
  case half = "2"
  case quarter = "4"
  case eighth = "8"

  /// 1, 2, 4 or 8.
  package var most: Int { Int(rawValue) ?? 2 }

  /// The samples that must be left on each axis for a pixel of the result.
  fileprivate var samplesLeft: Int { self == .automatic ? 4 : 2 }
}

extension Filters {
  /// True if a filter of this name resamples the whole picture.
  package static func canScale(_ name: String) -> Bool {
    let scaling: [any Filter.Type] = [Resize.self, Scale.self, Thumbnail.self]
    return named(name).map { filter in scaling.contains { $0 == filter } } ?? false
  }
}

extension RenderRecipe {
  /// Returns the sizes at which a picture may be decoded because a filter makes it smaller: at least two samples are
  /// left for a pixel of the result, so that Lanczos still decides how sharp it is (docs/recipes.md#decode-scale).
  ///
  /// Filters before that one must not depend on places or neighbours.
  /// - Parameter source: the whole picture's metadata.
  /// - Returns: the scale, and why it is 1 whatever the picture's size, in words.
  package func decodeScale(
    of source: SourceImage, _ choice: DecodeScaleChoice
  ) -> (scale: DecodeScale, obstacle: String?) {
    let size = PictureSize(source.geometry.outputWidth, source.geometry.outputHeight)
    for step in resolvedEdits {
      guard let filter = step.filter, step.complaint == nil else { break }
      guard let target = filter.resampled(size, step.values) else {
        if choice != .automatic, takesSamples(step) { continue }
        return (.whole, "\(step.name) comes before and takes pixels of the whole picture")
      }
      func scale(_ size: PictureSize) -> Int {
        let scales = [8, 4, 2].filter { $0 <= choice.most }
        return scales.first { scale in
          let pixels = choice.samplesLeft * scale
          // Sides of the result are rounded to whole pixels: half a pixel more counts as none.
          return pixels * target.width <= size.width + pixels / 2
            && pixels * target.height <= size.height + pixels / 2
        } ?? 1
      }
      let swaps = source.geometry.orientation.swapsAxes
      let map = source.gainMap.map { map in
        swaps ? PictureSize(map.image.height, map.image.width) : PictureSize(map.image.width, map.image.height)
      }
      let base = scale(size)
      return (DecodeScale(base: base, map: base == 1 ? 1 : map.map(scale) ?? 1), nil)
    }
    return (.whole, "no filter makes the picture smaller")
  }

  /// True if a filter makes each sample's colour from that sample alone, wherever it lies.
  func takesSamples(_ step: FilterStep) -> Bool {
    guard let filter = step.filter, [.color, .tone].contains(filter.category), filter != DitherFilter.self else {
      return false
    }
    let builder = PlanBuilder(width: 64, height: 64)
    var edit = Edit(builder: builder, inputs: inputs, recipe: self, headroom: nil)
    guard (try? filter.apply(step.values, to: &edit)) != nil else { return false }
    let after = edit.builder
    return after.passes.isEmpty && after.open.sources.isEmpty
      && (after.open.width, after.open.height) == (builder.open.width, builder.open.height)
  }
}
