import Foundation
import HDRCore
import TestSupport
import VideoStreams

/// Copies of clips that say other things of their pictures.
enum ClipCopies {
  /// Writes a copy of a clip that players turn or cut, beside which nothing is changed.
  static func stating(
    _ clip: String, as path: String, _ turn: Orientation = .up, crop: PixelRect? = nil, width: Int = 0, height: Int = 0
  ) throws -> String {
    var bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: clip)))
    let change =
      path.hasSuffix(".mkv")
      ? try MatroskaChange.change(MemoryAccess(bytes), orientation: turn, crop: crop)
      : try MovieBoxes.change(
        MemoryAccess(bytes),
        adding: crop.map { [ApertureBox.bytes($0, width: width, height: height)] } ?? [], orientation: turn)
    bytes.replaceSubrange(change.offset..<min(bytes.count, change.offset + change.bytes.count), with: change.bytes)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  /// Returns what the container of a clip says of its pictures.
  static func video(_ path: String) throws -> ContainerVideo {
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    return try ContainerFile.read(MemoryAccess(bytes))?.videoTrack?.video ?? ContainerVideo()
  }
}

/// A `clap` box (ISO/IEC 14496-12 clause 12.1.4).
enum ApertureBox {
  static func bytes(_ part: PixelRect, width: Int, height: Int) -> [UInt8] {
    let numbers = [
      40, 0x636C_6170, part.width, 1, part.height, 1, 2 * part.x + part.width - width, 2,
      2 * part.y + part.height - height, 2,
    ]
    return numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
  }
}
