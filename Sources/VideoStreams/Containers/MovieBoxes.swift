import FileParts
import Glibc
import HDRCore

/// Additions to the description of a movie whose `moov` box is the last of its file, so that no place of a sample moves
/// (ISO/IEC 14496-12).
package enum MovieBoxes {
  /// The most bytes of a description that is changed: that of 16 million frames has less than half of it.
  private static let mostBytes = 1 << 30

  /// A part of a file that is written anew; it may reach beyond the end.
  package struct Change: Sendable, Hashable {
    package var offset: Int
    package var bytes: [UInt8]
  }

  /// Makes the change that adds boxes to the description of the first track of pictures.
  ///
  /// - Parameters:
  ///   - boxes: whole boxes, for the end of its sample entry.
  ///   - orientation: the turn for viewing; `nil` leaves the one that is there.
  /// - Throws: `DecodeError` for a file without such a track, or whose `moov` is not the last box.
  package static func change(
    _ file: some RandomAccess, adding boxes: [[UInt8]], orientation: Orientation? = nil
  ) throws(DecodeError) -> Change {
    let place = "moov box"
    var top = FileBoxes(file, 0..<file.byteCount), last: FileBox?
    while let box = try top.next() { last = box }
    guard let movie = last, movie.type == "moov", movie.payload.upperBound == file.byteCount else {
      throw .malformed(where: place, what: "it is not the last box of the file")
    }
    for track in try FileBoxes.all(file, in: movie) where track.type == "trak" {
      let inside = try FileBoxes.all(file, in: track)
      let media = try inside.needed("mdia", in: "trak box"), inMedia = try FileBoxes.all(file, in: media)
      var handler = try inMedia.needed("hdlr", in: "mdia box").head(file, 12)
      try handler.skip(8)
      guard try handler.code() == "vide" else { continue }
      let information = try inMedia.needed("minf", in: "mdia box")
      let table = try FileBoxes.all(file, in: information).needed("stbl", in: "minf box")
      let entries = try FileBoxes.all(file, in: table).needed("stsd", in: "stbl box")
      let list = FileBox(type: entries.type, payload: entries.payload.dropFirst(8))
      guard let entry = try FileBoxes.all(file, in: list).first else { break }
      var reader = try file.reader(
        movie.payload.lowerBound - 8..<file.byteCount, atMost: mostBytes, place: place)
      var bytes = Array(try reader.take(reader.remaining))
      let start = movie.payload.lowerBound - 8
      if let orientation {
        try turn(&bytes, orientation, try inside.needed("tkhd", in: "trak box"), start, file)
      }
      let around = [movie, track, media, information, table, entries, entry].map { $0.payload.lowerBound - 8 - start }
      try insert(boxes.flatMap { $0 }, at: try end(of: entry, file) - start, into: around, &bytes)
      return Change(offset: start, bytes: bytes)
    }
    throw .malformed(where: place, what: "it has no track of pictures")
  }

  /// Returns the place behind the last box of a sample entry: QuickTime ends the list with four zeros.
  private static func end(of entry: FileBox, _ file: some RandomAccess) throws(DecodeError) -> Int {
    let fields = 78
    guard entry.payload.count >= fields else { throw .truncated(where: "\(entry.type) box") }
    var place = entry.payload.lowerBound + fields
    while entry.payload.upperBound - place >= 8 {
      var reader = try file.reader(place..<place + 4, atMost: 4, place: "\(entry.type) box")
      let size = try reader.u32()
      guard size != 0 else { break }
      guard size >= 8, size <= entry.payload.upperBound - place else { throw .truncated(where: "\(entry.type) box") }
      place += size
    }
    return place
  }

  /// Inserts bytes and makes the boxes around them longer.
  ///
  /// - Parameter around: where those boxes begin, each with a size of 32 bits.
  private static func insert(
    _ added: [UInt8], at place: Int, into around: [Int], _ bytes: inout [UInt8]
  ) throws(DecodeError) {
    for start in around {
      let size = bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } + added.count
      guard size > added.count + 7, size <= UInt32.max else {
        throw .malformed(where: "moov box", what: "a box with a size of 64 bits is not made longer")
      }
      for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: size >> (24 - 8 * index)) }
    }
    bytes.insert(contentsOf: added, at: place)
  }

  /// Writes the matrix of a track header (clause 8.3.2), with the picture moved into view.
  private static func turn(
    _ bytes: inout [UInt8], _ orientation: Orientation, _ header: FileBox, _ start: Int, _ file: some RandomAccess
  ) throws(DecodeError) {
    var reader = try header.head(file, 84)
    let isLong = try reader.u8() == 1, fields = isLong ? 52 : 40
    guard header.payload.count >= fields + 44 else { throw .truncated(where: "tkhd box") }
    var size = try file.reader(
      header.payload.lowerBound + fields + 36..<header.payload.lowerBound + fields + 44, atMost: 8, place: "tkhd box")
    let width = try size.u32(), height = try size.u32(), m = orientation.matrix
    // The least x and y of the four corners become 0.
    let x = -(min(0, m.a * width) + min(0, m.c * height)), y = -(min(0, m.b * width) + min(0, m.d * height))
    var sink = ByteSink()
    for (value, shift) in [
      (m.a, 16), (m.b, 16), (0, 0), (m.c, 16), (m.d, 16), (0, 0), (x, 0), (y, 0), (1, 30),
    ] { sink.u32(value << shift) }
    bytes.replaceSubrange(
      header.payload.lowerBound + fields - start..<header.payload.lowerBound + fields + 36 - start, with: sink.bytes)
  }
}

extension MovieBoxes.Change {
  /// Writes it into an open file, whose offset is not moved.
  package func write(to descriptor: Int32) throws(DecodeError) {
    var done = 0
    while done < bytes.count {
      let part = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress! + done, bytes.count - done, offset + done) }
      if part < 0, errno == EINTR { continue }
      guard part > 0 else { throw .io("a file could not be written: \(String(cString: strerror(errno)))") }
      done += part
    }
  }
}
