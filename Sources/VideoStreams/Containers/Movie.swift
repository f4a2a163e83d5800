import FileParts
import HDRCore

/// The reader of movie boxes in ISO base media files and QuickTime (ISO/IEC 14496-12; QuickTime File Format). Tables of
/// samples are not read: they are as long as the clip.
enum Movie {
  /// Boxes that begin such a file.
  static let firstBoxes: Set<FourCC> = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot", "styp"]

  static func read(_ file: some RandomAccess) throws(DecodeError) -> ContainerFile {
    var result = ContainerFile(kind: .quickTime), movie: FileBox?, isQuickTime = true
    var boxes = FileBoxes(file, 0..<file.byteCount)
    do throws(DecodeError) {
      // Behind the movie of a fragmented file there are as many boxes as it has fragments.
      while !result.isFragmented, let box = try boxes.next() {
        switch box.type {
        case "ftyp": isQuickTime = try box.head(file, 4).bytes.elementsEqual("qt  ".utf8)
        case "moov" where movie == nil:
          movie = box
          result.isFragmented = try FileBoxes.all(file, in: box).first("mvex") != nil
        default: break
        }
      }
    } catch {
      // Samples may be missing; a movie in front of them still describes them.
      guard movie != nil, case .truncated = error else { throw error }
      result.isCut = true
    }
    result.kind = isQuickTime ? .quickTime : .mp4
    guard let movie else {
      throw .malformed(where: "file", what: "it has no moov box, the list of its tracks, which may have been cut off")
    }
    for box in try FileBoxes.all(file, in: movie) where box.type == "trak" {
      guard result.tracks.count < ContainerLimits.tracks else {
        throw .limit(what: "tracks", found: result.tracks.count + 1, allowed: ContainerLimits.tracks)
      }
      result.tracks.append(try track(file, box, &result))
    }
    return result
  }

  private static func track(
    _ file: some RandomAccess, _ box: FileBox, _ result: inout ContainerFile
  ) throws(DecodeError) -> ContainerTrack {
    var track = ContainerTrack()
    let boxes = try FileBoxes.all(file, in: box)
    var header = try boxes.needed("tkhd", in: "trak box").reader(file, atMost: 1024)
    let orientation = try readHeader(&header, &track)
    let media = try FileBoxes.all(file, in: try boxes.needed("mdia", in: "trak box"))
    var mediaHeader = try media.needed("mdhd", in: "mdia box").reader(file, atMost: 1024)
    try readMediaHeader(&mediaHeader, &track)
    if var reader = try media.first("elng")?.reader(file, atMost: 1024) {
      try reader.skip(4)
      track.language = try reader.cString() ?? track.language
    }
    var handler = try media.needed("hdlr", in: "mdia box").head(file, 12)
    try handler.skip(8)
    switch try handler.code() {
    case "vide": track.kind = .video
    case "soun": track.kind = .audio
    case "sbtl", "subt", "text", "clcp", "subp": track.kind = .subtitle
    default: track.kind = .other
    }
    let information = try FileBoxes.all(file, in: try media.needed("minf", in: "mdia box"))
    let table = try FileBoxes.all(file, in: try information.needed("stbl", in: "minf box"))
    track.sampleCount = result.isFragmented ? nil : try sampleCount(file, table)
    let entries = try table.needed("stsd", in: "stbl box")
    let list = FileBox(type: entries.type, payload: entries.payload.dropFirst(8))
    guard let entry = try FileBoxes.all(file, in: list).first else {
      if track.kind == .video { throw .malformed(where: "stsd box", what: "it says nothing about the track") }
      return track
    }
    track.entry = "\(entry.type)"
    track.isEncrypted = entry.type == "encv" || entry.type == "enca"
    if track.kind == .video {
      var reader = try entry.reader(file)
      try SampleEntry.read(&reader, entry.type, &track, &result.warnings)
      track.video?.orientation = orientation
    }
    return track
  }

  /// Reads a track header (ISO/IEC 14496-12 clause 8.3.2) and returns the turn of its pictures.
  private static func readHeader(
    _ reader: inout ByteReader, _ track: inout ContainerTrack
  ) throws(DecodeError) -> Orientation? {
    let (version, flags) = try reader.fullBox()
    track.isEnabled = flags & 1 == 1
    try reader.skip(version == 1 ? 16 : 8)
    track.id = try reader.u32()
    // Reserved, duration, reserved, layer, group, volume, reserved.
    try reader.skip(4 + (version == 1 ? 8 : 4) + 8 + 8)
    let a = try reader.i32(), b = try reader.i32()
    try reader.skip(4)
    return Orientation(a: a, b: b, c: try reader.i32(), d: try reader.i32())
  }

  /// Reads a media header (ISO/IEC 14496-12 clause 8.4.2).
  private static func readMediaHeader(_ reader: inout ByteReader, _ track: inout ContainerTrack) throws(DecodeError) {
    let version = try reader.fullBox().version
    try reader.skip(version == 1 ? 16 : 8)
    let scale = try reader.u32()
    track.timeBase = scale > 0 && scale <= Int32.max ? TimeBase(1, scale) : nil
    let length = try reader.unsigned(version == 1 ? 8 : 4)
    // All ones: not known.
    let unknown: UInt64 = version == 1 ? 1 << 62 : 0xFFFF_FFFF
    track.duration = length < unknown ? Int(length) : nil
    let code = try reader.u16()
    // Five bits a letter; below 0x400 the numbers are those of the Macintosh, and 0x7FFF is no language.
    if code >= 0x400, code != 0x7FFF {
      track.language = latin1([10, 5, 0].map { UInt8(code >> $0 & 31) &+ 0x60 })
      if track.language == "und" { track.language = nil }
    }
  }

  /// Returns the number of samples, for which there must be room in the table (ISO/IEC 14496-12 clause 8.7.3).
  private static func sampleCount(_ file: some RandomAccess, _ table: [FileBox]) throws(DecodeError) -> Int? {
    guard let box = table.first("stsz") ?? table.first("stz2") else { return nil }
    var reader = try box.head(file, 12)
    try reader.skip(4)
    let size = try reader.u32(), count = try reader.u32()
    let bits = box.type == "stz2" ? size & 255 : size == 0 ? 32 : 0
    guard count * bits <= (box.payload.count - 12) * 8 else {
      throw .malformed(where: "\(box.type) box", what: "it has no room for the \(count) samples that it states")
    }
    guard count <= ContainerLimits.samples else {
      throw .limit(what: "samples of a track", found: count, allowed: ContainerLimits.samples)
    }
    return count
  }
}
