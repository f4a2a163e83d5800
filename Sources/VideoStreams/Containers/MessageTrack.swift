import FileParts
import HDRCore

/// A track of ITU-T T.35 messages about the pictures of another track: its sample entry `it35` has the first bytes of all
/// messages, its samples have the rest, and its reference `rndr` names the pictures.
package enum MessageTrack {
  /// The most bytes of one message, and of all of a file.
  private static let messageBytes = 1 << 14, allBytes = 1 << 28
  private static let mostSamples = 1 << 24
  /// The bytes of a table of samples.
  private static let tableBytes = 1 << 27

  /// Reads the messages for a track of pictures, in the order of time.
  ///
  /// - Returns: `nil` if no track has any.
  package static func messages(
    _ file: some RandomAccess, for pictures: Int
  ) throws(DecodeError) -> [T35Message]? {
    guard let moov = try movie(file) else { return nil }
    for track in try FileBoxes.all(file, in: moov).prefix(ContainerLimits.tracks) where track.type == "trak" {
      let boxes = try FileBoxes.all(file, in: track)
      guard let references = boxes.first("tref"), let media = boxes.first("mdia"),
        let reference = try FileBoxes.all(file, in: references).first("rndr"),
        try reference.head(file, 4).remaining == 4, try number(file, reference) == pictures,
        let information = try FileBoxes.all(file, in: media).first("minf"),
        let table = try FileBoxes.all(file, in: information).first("stbl")
      else { continue }
      let parts = try FileBoxes.all(file, in: table), entries = try parts.needed("stsd", in: "stbl box")
      let list = FileBox(type: entries.type, payload: entries.payload.dropFirst(8))
      guard let entry = try FileBoxes.all(file, in: list).first("it35") else { continue }
      return try messages(file, try start(file, entry), parts)
    }
    return nil
  }

  private static func movie(_ file: some RandomAccess) throws(DecodeError) -> FileBox? {
    var boxes = FileBoxes(file, 0..<file.byteCount)
    while let box = try boxes.next() {
      if box.type == "moov" { return box }
    }
    return nil
  }

  private static func number(_ file: some RandomAccess, _ box: FileBox) throws(DecodeError) -> Int {
    var reader = try box.head(file, 4)
    return try reader.u32()
  }

  /// Returns the first bytes of all messages, which follow their number.
  private static func start(_ file: some RandomAccess, _ entry: FileBox) throws(DecodeError) -> [UInt8] {
    var reader = try entry.reader(file, atMost: 1 << 12)
    try reader.skip(8)
    return Array(try reader.take(Int(try reader.u8())))
  }

  private static func messages(
    _ file: some RandomAccess, _ start: [UInt8], _ parts: [FileBox]
  ) throws(DecodeError) -> [T35Message] {
    var found: [T35Message] = [], sum = 0
    for sample in try samples(file, parts) {
      sum += start.count + sample.count
      guard sample.count <= messageBytes, sum <= allBytes else {
        throw .limit(what: "bytes of messages in a track", found: sum, allowed: allBytes)
      }
      guard sample.upperBound <= file.byteCount else { throw .truncated(where: "it35 track") }
      found.append(T35Message(start + (try file.read(at: sample.lowerBound, count: sample.count))))
    }
    return found
  }

  /// Returns the places of samples, by the tables of their sizes and of the chunks that they lie in (ISO/IEC 14496-12
  /// clauses 8.7.3 to 8.7.5).
  private static func samples(_ file: some RandomAccess, _ parts: [FileBox]) throws(DecodeError) -> [Range<Int>] {
    var sizes = try parts.needed("stsz", in: "stbl box").reader(file, atMost: tableBytes)
    try sizes.skip(4)
    let size = try sizes.u32(), count = try sizes.u32()
    guard count <= mostSamples else {
      throw .limit(what: "messages of a track", found: count, allowed: mostSamples)
    }
    guard size > 0 ? count * size <= file.byteCount : count * 4 <= sizes.remaining else {
      throw .malformed(where: sizes.place, what: "there is no room for the \(count) samples that it states")
    }
    let isLong = parts.first("co64") != nil
    var chunks = try parts.needed(isLong ? "co64" : "stco", in: "stbl box").reader(file, atMost: tableBytes)
    try chunks.skip(4)
    let chunkCount = try chunks.u32(), placeBytes = isLong ? 8 : 4
    guard chunkCount * placeBytes <= chunks.remaining else {
      throw .malformed(where: chunks.place, what: "it has no room for the \(chunkCount) chunks that it states")
    }
    var runs = try parts.needed("stsc", in: "stbl box").reader(file, atMost: tableBytes)
    try runs.skip(4)
    var runCount = try runs.u32(), run: (first: Int, samples: Int)?, perChunk = 0
    var ranges: [Range<Int>] = []
    for chunk in stride(from: 1, through: chunkCount, by: 1) where ranges.count < count {
      let place = try chunks.unsigned(placeBytes)
      guard place <= UInt64(file.byteCount) else { throw .truncated(where: "it35 track") }
      if run == nil, runCount > 0 {
        run = (try runs.u32(), try runs.u32())
        // The number of the sample entry.
        try runs.skip(4)
        runCount -= 1
      }
      if let begun = run, begun.first == chunk { (perChunk, run) = (begun.samples, nil) }
      var offset = Int(place)
      for _ in 0..<min(perChunk, count - ranges.count) {
        let length = size == 0 ? try sizes.u32() : size
        ranges.append(offset..<offset + length)
        offset += length
      }
    }
    guard ranges.count == count else {
      throw .malformed(where: runs.place, what: "chunks have \(ranges.count) samples, not \(count)")
    }
    return ranges
  }
}
