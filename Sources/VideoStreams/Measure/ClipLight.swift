import HDRCore

/// The light of a clip, or of a segment of it, frame by frame in the order of display.
///
/// Segments are appended in any grouping: what comes out is the same.
package struct ClipLight: Sendable, Hashable {
  /// The numbers that are kept of a frame.
  package struct Frame: Sendable, Hashable {
    /// The largest component as a PQ code of 16 bits.
    package var largest: Int
    /// The light of all pixels' largest components, in 2^-18 cd/m².
    package var units: Int
    package var brightest: [LightTail]
    /// The sum of differences of the pixels in 64 bins to the frame before; twice the pixels if all are other ones. 0 for the
    /// first frame.
    package var change: Int
  }

  /// The pixels of a frame; 0 before the first.
  package private(set) var pixels = 0
  package private(set) var frames: [Frame] = []
  /// The pixels of all frames.
  package private(set) var histogram = LightHistogram()
  /// The light of rows and columns in all frames; `nil` if it is not known of one.
  package private(set) var edges: EdgeLight?
  /// The coarse histograms of the first and the last frame, for what comes before and behind.
  private var first: [Int] = []
  private var last: [Int] = []

  package init() {}

  /// Appends a frame.
  package mutating func append(_ sums: FrameSums) throws(DecodeError) {
    let coarse = sums.histogram.coarse
    let frame = Frame(largest: sums.largest, units: sums.units, brightest: sums.histogram.brightest, change: 0)
    try append(
      ClipLight(
        pixels: sums.histogram.pixels, frames: [frame], histogram: sums.histogram, edges: sums.edges, first: coarse,
        last: coarse))
  }

  /// Appends the segment that follows.
  ///
  /// - Throws: `.malformed` if its frames have another number of pixels.
  package mutating func append(_ segment: ClipLight) throws(DecodeError) {
    guard let start = segment.frames.first else { return }
    guard !frames.isEmpty else { return self = segment }
    guard segment.pixels == pixels else {
      throw .malformed(where: "measured light", what: "frames of \(pixels) and of \(segment.pixels) pixels")
    }
    var joint = start
    joint.change = zip(last, segment.first).reduce(0) { $0 + abs($1.0 - $1.1) }
    frames.append(joint)
    frames += segment.frames.dropFirst()
    histogram.merge(segment.histogram)
    edges = edges.flatMap { $0.merged(segment.edges) }
    last = segment.last
  }

  /// The parts that only other segments need.
  var ends: (first: [Int], last: [Int]) { (first, last) }

  init(
    pixels: Int, frames: [Frame], histogram: LightHistogram, edges: EdgeLight?, first: [Int], last: [Int]
  ) {
    (self.pixels, self.frames, self.histogram) = (pixels, frames, histogram)
    (self.edges, self.first, self.last) = (edges, first, last)
  }
}

/// Figures of light, of the pixels that count.
extension ClipLight {
  /// The pixels of each frame in borders that stay dark; 0 if they are not known.
  package var darkBorders: Int {
    edges.map { $0.activeArea.ignored(width: $0.columns.count, height: $0.rows.count) } ?? 0
  }

  /// Returns the light that 99.99 % of the pixels of a frame do not exceed, cd/m²: the middle of its bin, at most the largest.
  ///
  /// - Parameter ignored: the pixels of the frame that do not count, all of them dark.
  package func p9999(_ frame: Frame, ignoring ignored: Int = 0) -> Double {
    // The ⌈0.9999 N⌉-th of N pixels has as many above it.
    var above = max(pixels - ignored, 1) / 10_000
    for tail in frame.brightest {
      if above < tail.pixels {
        return min(LightHistogram.light(ofBin: tail.bin), Self.light(ofCode: frame.largest))
      }
      above -= tail.pixels
    }
    return Self.light(ofCode: frame.largest)
  }

  /// Returns the mean light of a frame, cd/m².
  package func mean(_ frame: Frame, ignoring ignored: Int = 0) -> Double {
    Double(frame.units) / 0x1p18 / Double(max(pixels - ignored, 1))
  }

  package static func light(ofCode code: Int) -> Double { Transfer.pqEOTF(Double(code) / 65_535) }

  /// The largest component of all frames, cd/m².
  package var largest: Double { Self.light(ofCode: frames.map(\.largest).max() ?? 0) }

  /// Returns the peak of the clip, the largest p99.99, cd/m², and the number of its frame; `nil` without frames.
  package func peak(ignoring ignored: Int = 0) -> (light: Double, frame: Int)? {
    let peaks = frames.map { p9999($0, ignoring: ignored) }
    guard let most = peaks.max(), let frame = peaks.firstIndex(of: most) else { return nil }
    return (most, frame)
  }

  /// Returns MaxCLL and MaxFALL (CTA-861.3), both rounded up; `nil` for a black clip, as 0 stands for unknown.
  ///
  /// - Parameter usesPercentile: true if MaxCLL is the largest p99.99, so that grain does not count.
  package func level(ignoring ignored: Int = 0, usesPercentile: Bool = false) -> ContentLightLevel? {
    let most = usesPercentile ? peak(ignoring: ignored)?.light ?? 0 : largest
    let average = frames.map { mean($0, ignoring: ignored) }.max() ?? 0
    guard most > 0, average > 0 else { return nil }
    return ContentLightLevel(maxCLL: most.rounded(.up), maxFALL: min(average, most).rounded(.up))
  }
}
