import FileParts
import HDRCore

/// The statements of a container about itself and its tracks. Samples are not read, and nothing in a file makes this value
/// larger than its description is.
package struct ContainerFile: Sendable, Hashable {
  package enum Kind: String, Sendable {
    case mp4, quickTime = "mov", matroska, webM = "webm"
  }

  package var kind: Kind
  package var tracks: [ContainerTrack] = []
  /// True for files whose samples are listed in fragments, so that their number is not known.
  package var isFragmented = false
  /// True if the file ends before its last part does.
  package var isCut = false
  /// The number of files that Matroska carries.
  package var attachments = 0
  package var warnings: [Warning] = []

  package init(kind: Kind) { self.kind = kind }

  /// Reads the description of a file.
  ///
  /// - Returns: `nil` for a file that is neither ISO base media nor Matroska, whose streams speak for themselves.
  /// - Throws: `DecodeError` for one that begins as such a file and has no readable list of tracks.
  package static func read(_ file: some RandomAccess) throws(DecodeError) -> ContainerFile? {
    let start = try file.read(at: 0, count: min(8, file.byteCount))
    if start.starts(with: Matroska.magic) { return try Matroska.read(file) }
    guard start.count == 8 else { return nil }
    let type = FourCC(rawValue: start[4...].reduce(0) { $0 << 8 | UInt32($1) })
    return Movie.firstBoxes.contains(type) ? try Movie.read(file) : nil
  }

  /// The track that is shown: the first of pictures that is meant to be shown, else the first of pictures.
  package var videoTrack: ContainerTrack? {
    let videos = tracks.filter { $0.video != nil }
    return videos.first { $0.isEnabled } ?? videos.first
  }
}

/// Bounds on what a container may ask for.
enum ContainerLimits {
  static let tracks = 256
  /// The bytes of the description of one track, decoder configuration included.
  static let descriptionBytes = 4 << 20
  /// The bytes of all tracks of a Matroska file.
  static let trackListBytes = 32 << 20
  /// The parts of one level that are looked at.
  static let parts = 10_000
  /// The most samples of a track.
  static let samples = 1 << 31
}
