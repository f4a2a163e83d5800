/// The parts of a file beside its picture, gain map and metadata: what an output may lose.
package struct FileExtras: Sendable, Hashable {
  /// The video of a motion photo.
  package var motion: MotionVideo?
  /// The signed statements about where the picture comes from.
  package var credentials: ContentCredentials?
  /// Depth, mattes and other pictures of the same scene, but alpha and the gain map that is applied.
  package var auxiliaries: [AuxiliaryPicture] = []
  /// Trailers lie behind the picture and are none of the above.
  package var trailers: [FileTrailer] = []
  /// The identifier that a Live Photo's picture and its video have in common; the video is a file of its own.
  package var liveIdentifier: String?

  package init() {}
}

/// Some bytes of a file, counted from its start.
package struct FileRange: Sendable, Hashable {
  package var start: Int
  package var byteCount: Int

  package init(start: Int, byteCount: Int) { (self.start, self.byteCount) = (start, byteCount) }
  package init(_ range: Range<Int>) { self.init(start: range.lowerBound, byteCount: range.count) }

  package var end: Int { start + byteCount }

  /// True if the bytes lie in a file of a size.
  package func lies(in fileBytes: Int) -> Bool {
    start >= 0 && byteCount >= 0 && start <= fileBytes && byteCount <= fileBytes - start
  }
}

/// The video of a motion photo, which is copied and never decoded.
package struct MotionVideo: Sendable, Hashable {
  /// The way by which a video was found.
  package enum Finder: String, Sendable, Hashable, CaseIterable {
    /// Google's container directory, or the older `MicroVideoOffset`.
    case directory, microVideo
    /// Samsung's trailer.
    case samsung
    /// The box `mpvd` of HEIC and AVIF.
    case box
    /// A video behind the picture of which nothing says that it is there.
    case position
  }

  /// The largest video that is kept.
  package static let mostBytes = 1 << 30

  package var range: FileRange
  package var finder: Finder
  /// True for QuickTime, else MP4.
  package var isQuickTime: Bool
  /// The moment of the picture in the video, in microseconds; `nil` if it is not stated.
  package var moment: Int?

  package init(range: FileRange, finder: Finder, isQuickTime: Bool = false, moment: Int? = nil) {
    self.range = range
    self.finder = finder
    self.isQuickTime = isQuickTime
    self.moment = moment
  }

  package var mimeType: String { isQuickTime ? "video/quicktime" : "video/mp4" }
  package var fileExtension: String { isQuickTime ? "mov" : "mp4" }
}

/// A C2PA manifest store, or the address of one. It is signed over the bytes of its file, so no output may copy it.
package struct ContentCredentials: Sendable, Hashable {
  /// The part of the format that holds it, as "APP11", or "XMP" for an address alone.
  package var place: String
  /// The pieces of the store in order; empty if it is damaged or elsewhere.
  package var pieces: [FileRange]
  /// The bytes of the store; 0 for an address.
  package var byteCount: Int

  package init(place: String, pieces: [FileRange], byteCount: Int? = nil) {
    self.place = place
    self.pieces = pieces
    self.byteCount = byteCount ?? pieces.reduce(0) { $0 + $1.byteCount }
  }
}

/// A picture beside the picture: depth, a matte, a preview.
package struct AuxiliaryPicture: Sendable, Hashable {
  /// The type as the file states it: a URN of `auxC` or of Apple's XMP, the semantic of a directory.
  package var type: String
  package var width: Int
  package var height: Int
  /// The number of its item in HEIF; 0 in other files.
  package var item: Int
  /// True for a smaller copy of the picture, which an output makes anew or does without.
  package var isPreview: Bool

  package init(type: String, width: Int, height: Int, item: Int = 0, isPreview: Bool = false) {
    self.type = type
    self.width = width
    self.height = height
    self.item = item
    self.isPreview = isPreview
  }

  /// The kind in a word: `depth`, `portraiteffectsmatte`.
  package var kind: String {
    switch type {
    case "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha": "alpha"
    case "urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth": "depth"
    default: type.split(separator: ":").last.map { $0.lowercased() } ?? "unknown"
    }
  }

  /// True for distances of the scene.
  package var isDepth: Bool { ["depth", "disparity"].contains(kind) }

  /// True for a matte of a person or a part of one, which has the picture's geometry.
  package var isMatte: Bool { kind.hasSuffix("matte") && kind != "semanticskymatte" }
}

/// Bytes behind a picture or beside it that no output holds.
package struct FileTrailer: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Samsung's list of entries, apart from a video in it.
    case samsung
    case insta360
    /// A video that the file says is none of a motion photo, or whose place is stated wrongly.
    case video
    /// Segments, chunks and tags of unknown meaning in the part of the file that holds the picture.
    case parts
    /// Texts beside Exif and XMP that found no place in XMP.
    case text
    case unknown
  }

  package var kind: Kind
  package var byteCount: Int
  /// The names of entries; empty if none are known.
  package var names: [String]

  package init(_ kind: Kind, byteCount: Int, names: [String] = []) {
    self.kind = kind
    self.byteCount = byteCount
    self.names = names
  }
}
