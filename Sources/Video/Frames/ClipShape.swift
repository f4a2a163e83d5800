import FileParts
import HDRCore
import HDRPlan
import HDRRender
import VideoStreams

/// The shape of a clip's frames: what is made of their samples, and what the output states for players.
package struct ClipShape: Sendable, Hashable {
  /// The turn that frames get, and the one that players do.
  package let turn: Orientation
  package private(set) var stated = Orientation.up
  /// The size of turned frames with square pixels, where these are asked for.
  package private(set) var size: PictureSize
  /// True if frames are resampled to square pixels.
  package let squares: Bool
  /// The shape of a pixel of the output.
  package private(set) var aspect: SampleAspect?
  /// The part that players show.
  package private(set) var crop: PixelRect?

  /// Decides what frames get and what players are told.
  ///
  /// - Parameter unit: the numbers that the sides must be multiples of.
  /// - Throws: `HDRError`, `video.rotation` for a turn of frames by other angles than multiples of 90 degrees.
  init(_ facts: ClipFacts, _ options: VideoOptions, unit: PictureSize = PictureSize(1, 1)) throws(HDRError) {
    let found = facts.orientation
    if options.turns, found == nil {
      throw HDRError(
        clip: "rotation",
        "players turn the clip by \(short(facts.rotation)) degrees, and frames are turned by multiples of 90 only")
    }
    turn = options.turns ? found ?? .up : .up
    if !options.turns { stated = found ?? .up }
    size = turn.swapsAxes ? PictureSize(facts.height, facts.width) : PictureSize(facts.width, facts.height)
    var aspect = facts.sampleAspect
    if turn.swapsAxes, let upright = aspect { aspect = SampleAspect(upright.vertical, upright.horizontal) }
    crop = facts.shownPart?.turned(turn, width: facts.width, height: facts.height)
    self.aspect = aspect
    squares = options.squares && aspect.map { $0.horizontal != $0.vertical } ?? false
    guard squares, let aspect else { return }
    let squared = aspect.squared(size, unit: unit)
    crop = crop?.scaled(from: size, to: squared)
    (size, self.aspect) = (squared, .square)
  }

  /// The filter that makes pixels square; `nil` if they are, or are not to be.
  var squaring: FilterStep? { squares ? .stretch(to: size) : nil }

  /// Forgets the shown part of frames that have got another size.
  mutating func dropCrop() { crop = nil }
}

extension ClipFacts {
  /// The turn for viewing; `nil` for other angles than multiples of 90 degrees. FFmpeg's angle knows no mirrors.
  var orientation: Orientation? {
    if let stated, let turn = stated.orientation, turn != .up { return turn }
    if let stated, stated.orientation == nil { return nil }
    // Counter-clockwise.
    let turns = (rotation / 90).rounded()
    guard abs(turns * 90 - rotation) < 0.01 else { return nil }
    return [.up, .left, .down, .right][(Int(turns) % 4 + 4) % 4]
  }

  /// The part of frames that players show; `nil`: all. A container that says another size than the stream's frames have means
  /// others by its crop, too.
  var shownPart: PixelRect? {
    guard let stated, let crop = stated.crop, (stated.width, stated.height) == (width, height),
      crop.x >= 0, crop.y >= 0, crop.width > 0, crop.height > 0, crop.x <= width - crop.width,
      crop.y <= height - crop.height, (crop.width, crop.height) != (width, height)
    else { return nil }
    return crop
  }
}

extension SampleAspect {
  /// Returns the size of a picture in square pixels: the shorter side of a pixel becomes longer, so that nothing gets lost.
  ///
  /// - Parameter unit: the side that becomes longer is made the nearest multiple.
  func squared(_ size: PictureSize, unit: PictureSize = PictureSize(1, 1)) -> PictureSize {
    func scaled(_ side: Int, _ to: Int, _ from: Int, _ unit: Int) -> Int {
      max(1, Int((min(Double(side) * Double(to) / Double(from), 1e9) / Double(unit)).rounded())) * unit
    }
    var size = size
    if horizontal > vertical { size.width = scaled(size.width, horizontal, vertical, unit.width) }
    if horizontal < vertical { size.height = scaled(size.height, vertical, horizontal, unit.height) }
    return size
  }
}

extension FilterStep {
  /// Makes the filter that gives pictures a size, whatever their shape.
  static func stretch(to size: PictureSize) -> FilterStep {
    FilterStep(
      "resize",
      [
        "width": .number(Double(size.width)), "height": .number(Double(size.height)), "fit": .word("stretch"),
        "enlarge": .flag(true),
      ])
  }
}

extension PixelRect {
  /// Returns where a part of a picture lies when that is turned.
  ///
  /// - Parameter width: of the picture before.
  func turned(_ turn: Orientation, width: Int, height: Int) -> PixelRect {
    let step = Geometry(width: 1, height: 1, orientation: turn).mapping, swaps = turn.swapsAxes
    let across = swaps ? (y, self.height, height) : (x, self.width, width)
    let down = swaps ? (x, self.width, width) : (y, self.height, height)
    func start(_ side: (at: Int, count: Int, all: Int), _ isMirrored: Bool) -> Int {
      isMirrored ? side.all - side.at - side.count : side.at
    }
    return PixelRect(
      x: start(across, step.columnX + step.columnY < 0), y: start(down, step.rowX + step.rowY < 0), width: across.1,
      height: down.1)
  }

  /// Returns the same part of a picture that is resampled, in whole pixels.
  func scaled(from old: PictureSize, to new: PictureSize) -> PixelRect {
    func place(_ at: Int, _ from: Int, _ to: Int) -> Int {
      Int((Double(at) * Double(to) / Double(from)).rounded())
    }
    let (left, top) = (place(x, old.width, new.width), place(y, old.height, new.height))
    let (right, bottom) = (place(x + width, old.width, new.width), place(y + height, old.height, new.height))
    return PixelRect(x: left, y: top, width: max(1, right - left), height: max(1, bottom - top))
  }
}
