import FileParts
import HDRCore
import HDRPlan
import HDRRender
import VideoStreams

/// What players do with the frames of a clip, and files of stills cannot ask for: cut, turn, stretch.
struct FrameGeometry: Sendable, Hashable {
  /// The crop and the turn.
  private(set) var geometry: Geometry
  private let aspect: SampleAspect

  /// - Throws: `HDRError`, `video.rotation` for turns by other angles than multiples of 90 degrees.
  init(_ facts: ClipFacts) throws(HDRError) {
    let video = facts.stated
    geometry = Geometry(width: facts.width, height: facts.height)
    aspect = facts.sampleAspect ?? .square
    // A container that says another size than the stream's frames have means others by its crop, too.
    if let crop = video?.crop, (video?.width, video?.height) == (facts.width, facts.height),
      crop.x >= 0, crop.y >= 0, crop.width > 0, crop.height > 0, crop.x <= facts.width - crop.width,
      crop.y <= facts.height - crop.height
    {
      geometry.crop = crop
    }
    guard let found = Self.orientation(video, facts.rotation) else {
      throw HDRError(
        clip: "rotation",
        "players turn the clip by \(short(facts.rotation)) degrees, and stills are turned by multiples of 90 only")
    }
    geometry.orientation = found
    guard max(size.width, size.height) <= FFmpegSource.maxSide else {
      throw HDRError(clip: "limit", "pixels of \(aspect) make a picture of \(size.width)x\(size.height)")
    }
  }

  /// The size of a still, in square pixels.
  var size: (width: Int, height: Int) {
    let (width, height) = (geometry.crop.width, geometry.crop.height)
    func scaled(_ side: Int, _ to: Int, _ from: Int) -> Int {
      Int(min(Double(side) * Double(to) / Double(from), 1e9).rounded())
    }
    let isWide = aspect.horizontal > aspect.vertical
    let across = isWide ? scaled(width, aspect.horizontal, aspect.vertical) : width
    let down = isWide ? height : scaled(height, aspect.vertical, aspect.horizontal)
    return geometry.orientation.swapsAxes ? (down, across) : (across, down)
  }

  /// The filter that makes pixels square: it makes the shorter side of a pixel longer, so that nothing gets lost. `nil`: they
  /// are square.
  var squaring: FilterStep? {
    guard (geometry.outputWidth, geometry.outputHeight) != size else { return nil }
    return FilterStep(
      "resize",
      [
        "width": .number(Double(size.width)), "height": .number(Double(size.height)), "fit": .word("stretch"),
        "enlarge": .flag(true),
      ])
  }

  /// - Parameter rotation: FFmpeg's, counter-clockwise, which knows no mirrors.
  private static func orientation(_ video: ContainerVideo?, _ rotation: Double) -> Orientation? {
    if let stated = video?.orientation, stated != .up { return stated }
    if video != nil, video?.orientation == nil { return nil }
    let turns = (rotation / 90).rounded()
    guard abs(turns * 90 - rotation) < 0.01 else { return nil }
    return [.up, .left, .down, .right][(Int(turns) % 4 + 4) % 4]
  }
}
