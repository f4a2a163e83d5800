/// The sizes at which a JPEG and its gain map are decoded: one sample for 1, 2, 4 or 8 pixels on each axis.
package struct DecodeScale: Sendable, Hashable {
  package var base: Int
  package var map: Int

  package static let whole = DecodeScale(base: 1, map: 1)

  package init(base: Int, map: Int) { (self.base, self.map) = (base, map) }
}

/// The size of a picture that was decoded smaller. Each sample is the mean of `scale` x `scale` pixels; the last column
/// and row may stand over the picture.
package struct Reduction: Sendable, Hashable {
  /// 2, 4 or 8.
  package var scale: Int
  /// The width of the whole picture in pixels, as stored.
  package var width: Int
  package var height: Int

  package init(scale: Int, width: Int, height: Int) { (self.scale, self.width, self.height) = (scale, width, height) }

  /// Returns the samples for so many pixels, rounded up.
  package static func samples(_ pixels: Int, scale: Int) -> Int { (pixels + scale - 1) / scale }

  /// True if a picture of so many samples is this one made smaller.
  package func fits(width samples: Int, height rows: Int) -> Bool {
    [2, 4, 8].contains(scale) && width > 0 && height > 0 && width <= 8 * samples && height <= 8 * rows
      && samples == Reduction.samples(width, scale: scale) && rows == Reduction.samples(height, scale: scale)
  }
}

/// The place of a picture's samples along an axis: sample i is the mean of the pixels from `i * scale - lead` up to
/// `(i + 1) * scale - lead`, of which `pixels` exist.
package struct SampleAxis: Sendable, Hashable {
  package let count: Int
  package let pixels: Int
  package let scale: Int
  /// The pixels by which the first sample stands over the picture; more than 0 only where the axis is mirrored.
  package let lead: Int

  /// Makes the axis of a picture with a sample for each pixel.
  package init(_ count: Int) { (self.count, pixels, scale, lead) = (count, count, 1, 0) }

  fileprivate init(_ pixels: Int, scale: Int, isMirrored: Bool) {
    count = Reduction.samples(pixels, scale: scale)
    (self.pixels, self.scale) = (pixels, scale)
    lead = isMirrored ? count * scale - pixels : 0
  }

  /// Returns the part of a sample, 0...1, that lies in the picture.
  package func coverage(_ sample: Int) -> Double {
    let start = sample * scale - lead
    return Double(max(0, min(start + scale, pixels) - max(start, 0))) / Double(scale)
  }

  /// Returns the samples for one of a coarser axis if that is the same whole number everywhere, else 0.
  package func stretch(of coarser: SampleAxis) -> Int {
    let own = pixels * coarser.scale, other = scale * coarser.pixels
    return lead == 0 && coarser.lead == 0 && own % other == 0 ? own / other : 0
  }

  /// True if samples of both lie at the same places of the picture.
  package func lies(on other: SampleAxis) -> Bool {
    count == other.count && scale * other.pixels == other.scale * pixels && lead * other.pixels == other.lead * pixels
  }
}

extension SampleImage {
  /// The pixels of the coded picture, which a decoder goes through at any scale.
  package var codedPixelCount: Int { reduction.map { $0.width * $0.height } ?? pixelCount }

  /// Returns the axes of the picture as it is viewed. Where it is cropped, samples count as pixels: no file with a crop
  /// is decoded smaller.
  package func axes(_ geometry: Geometry) -> (x: SampleAxis, y: SampleAxis) {
    guard let reduction, geometry.crop == PixelRect(x: 0, y: 0, width: width, height: height) else {
      return (SampleAxis(geometry.outputWidth), SampleAxis(geometry.outputHeight))
    }
    let map = geometry.mapping
    func axis(x: Int, y: Int) -> SampleAxis {
      SampleAxis(x != 0 ? reduction.width : reduction.height, scale: reduction.scale, isMirrored: x + y < 0)
    }
    return (axis(x: map.columnX, y: map.columnY), axis(x: map.rowX, y: map.rowY))
  }
}
