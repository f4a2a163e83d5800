import FileParts
import HDRCore
import HDRPlan
import HDRRender
import VideoStreams

/// Players cut, turn and stretch the frames of a clip; stills cannot ask for that and get it done.
struct FrameGeometry: Sendable, Hashable {
  /// The crop and the turn.
  private(set) var geometry: Geometry
  private let aspect: SampleAspect

  /// - Throws: `HDRError`, `video.rotation` for turns by other angles than multiples of 90 degrees.
  init(_ facts: ClipFacts) throws(HDRError) {
    geometry = Geometry(width: facts.width, height: facts.height)
    aspect = facts.sampleAspect ?? .square
    if let crop = facts.shownPart { geometry.crop = crop }
    guard let found = facts.orientation else {
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
  var size: PictureSize {
    let size = aspect.squared(PictureSize(geometry.crop.width, geometry.crop.height))
    return geometry.orientation.swapsAxes ? PictureSize(size.height, size.width) : size
  }

  /// The filter that makes pixels square; `nil`: they are.
  var squaring: FilterStep? {
    PictureSize(geometry.outputWidth, geometry.outputHeight) == size ? nil : .stretch(to: size)
  }
}
