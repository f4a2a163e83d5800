import HDRCore
import HDRRender
import VideoStreams

/// A change of places: frames are turned, and get further columns and rows at the right and at the bottom, which repeat the
/// last ones. No sample is changed but chroma that has to lie elsewhere between those of luma.
struct PlaneArrangement: Sendable, Hashable {
  let from: FrameShape
  let to: FrameShape
  /// The place of chroma in the result: that of the source or another one, at which turned samples lie as they are; else left.
  let siting: ChromaSiting
  private let turn: Orientation

  /// - Parameters:
  ///   - siting: that of the source.
  ///   - to: the size of the turned frames or a larger one.
  init(_ from: FrameShape, _ turn: Orientation, _ siting: ChromaSiting, width: Int, height: Int) {
    precondition(Self.canTurn(from.format, turn), "its chroma would have another layout")
    (self.from, self.turn) = (from, turn)
    to = FrameShape(from.format, width: width, height: height)
    let (from, to) = (from, to)
    self.siting =
      [siting, .center, .left, .topLeft].first { found in
        let (columns, rows) = Self.places(from, to, turn, from: siting, to: found, isChroma: true)
        return columns.isExact && rows.isExact
      } ?? .left
    given = siting
  }

  private let given: ChromaSiting

  /// True if turned frames have the layout of those that are not: 4:2:2 has half the columns of chroma and all rows.
  static func canTurn(_ format: PlanarFormat, _ turn: Orientation) -> Bool {
    !turn.swapsAxes || format.chroma.horizontalShift == format.chroma.verticalShift
  }

  /// Returns the samples of a frame in their new places.
  func arranged(_ samples: PixelBuffer) -> PixelBuffer {
    precondition(samples.byteCount == from.byteCount, "a frame of the source")
    let result = PixelBuffer(uninitializedByteCount: to.byteCount), size = from.format.sampleBytes
    let sources = from.format.planeSizes(width: from.width, height: from.height)
    let targets = to.format.planeSizes(width: to.width, height: to.height)
    var source = UnsafeRawPointer(samples.base), target = result.base
    for plane in sources.indices {
      let isChroma = from.format.model == .ycc && (plane == 1 || plane == 2)
      let (columns, rows) = Self.places(from, to, turn, from: given, to: siting, isChroma: isChroma)
      if size == 1 {
        Self.put(source, target, UInt8.self, columns, rows)
      } else {
        Self.put(source, target, UInt16.self, columns, rows)
      }
      source += sources[plane].width * sources[plane].height * size
      target += targets[plane].width * targets[plane].height * size
    }
    return result
  }

  private static func put<Sample: FixedWidthInteger & UnsignedInteger>(
    _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _: Sample.Type, _ columns: Places, _ rows: Places
  ) {
    let source = source.assumingMemoryBound(to: Sample.self), target = target.assumingMemoryBound(to: Sample.self)
    let width = columns.first.count, isExact = columns.isExact && rows.isExact
    for y in rows.first.indices {
      let near = source + rows.first[y], far = source + rows.next[y], line = target + y * width
      if isExact {
        for x in 0..<width { line[x] = near[columns.first[x]] }
        continue
      }
      let down = rows.quarters[y]
      for x in 0..<width {
        let (a, b, across) = (columns.first[x], columns.next[x], columns.quarters[x])
        let above = Int(near[a]) * (4 - across) + Int(near[b]) * across
        let below = Int(far[a]) * (4 - across) + Int(far[b]) * across
        line[x] = Sample(truncatingIfNeeded: (above * (4 - down) + below * down + 8) >> 4)
      }
    }
  }

  /// The places along an axis of the result: between two samples of the source, in quarters of the way from the first.
  private struct Places: Sendable {
    var first: [Int] = []
    var next: [Int] = []
    var quarters: [Int] = []
    var isExact: Bool { quarters.allSatisfy { $0 == 0 } }

    /// - Parameters:
    ///   - count: the samples of the result.
    ///   - spacing: the columns of luma from one sample to the next, 1 or 2.
    ///   - offset: that of the first sample from the first one of luma in half columns, and in the result.
    ///   - length: the columns of luma of the source.
    ///   - stride: the distance of two samples of the source in memory.
    init(
      _ count: Int, spacing: Int, offset: (from: Int, to: Int), length: Int, stride: Int, isMirrored: Bool
    ) {
      let last = (length + spacing - 1) / spacing - 1
      for index in 0..<count {
        let shown = 2 * spacing * index + offset.to, place = isMirrored ? 2 * (length - 1) - shown : shown
        let quarter = max(0, min(4 * last, 2 * (place - offset.from) / spacing))
        first.append(quarter / 4 * stride)
        next.append(min(last, quarter / 4 + 1) * stride)
        quarters.append(quarter % 4)
      }
    }
  }

  private static func places(
    _ from: FrameShape, _ to: FrameShape, _ turn: Orientation, from given: ChromaSiting, to wanted: ChromaSiting,
    isChroma: Bool
  ) -> (columns: Places, rows: Places) {
    let chroma = from.format.chroma, swaps = turn.swapsAxes
    let step = Geometry(width: 1, height: 1, orientation: turn).mapping
    let across = isChroma ? chroma.horizontalShift : 0, down = isChroma ? chroma.verticalShift : 0
    // Between two columns of luma, or with the first.
    func offset(_ isCosited: Bool, _ shift: Int) -> Int { shift == 0 || isCosited ? 0 : 1 }
    let own = (
      x: offset(given.horizontallyCosited, across), y: offset(given.verticallyCosited, down)
    )
    let width = (from.width + across) >> across
    return (
      Places(
        (to.width + across) >> across, spacing: 1 << across,
        offset: (swaps ? own.y : own.x, offset(wanted.horizontallyCosited, across)),
        length: swaps ? from.height : from.width, stride: swaps ? width : 1,
        isMirrored: step.columnX + step.columnY < 0),
      Places(
        (to.height + down) >> down, spacing: 1 << down,
        offset: (swaps ? own.x : own.y, offset(wanted.verticallyCosited, down)),
        length: swaps ? from.width : from.height, stride: swaps ? 1 : width,
        isMirrored: step.rowX + step.rowY < 0)
    )
  }
}
