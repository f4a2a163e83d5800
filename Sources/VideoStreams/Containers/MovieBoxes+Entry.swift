import FileParts
import HDRCore

extension MovieBoxes {
  /// Makes the change that gives the sample entry of the first track of pictures another type of four letters.
  ///
  /// - Throws: `DecodeError` for a file without such a track.
  package static func change(_ file: some RandomAccess, entry type: FourCC) throws(DecodeError) -> Change {
    var top = FileBoxes(file, 0..<file.byteCount)
    while let box = try top.next() {
      guard box.type == "moov" else { continue }
      for track in try FileBoxes.all(file, in: box) where track.type == "trak" {
        let media = try FileBoxes.all(file, in: track).needed("mdia", in: "trak box")
        let inMedia = try FileBoxes.all(file, in: media)
        var handler = try inMedia.needed("hdlr", in: "mdia box").head(file, 12)
        try handler.skip(8)
        guard try handler.code() == "vide" else { continue }
        var inside = try inMedia.needed("minf", in: "mdia box")
        for type: FourCC in ["stbl", "stsd"] {
          inside = try FileBoxes.all(file, in: inside).needed(type, in: "\(inside.type) box")
        }
        let list = FileBox(type: inside.type, payload: inside.payload.dropFirst(8))
        guard let entry = try FileBoxes.all(file, in: list).first else { break }
        return Change(offset: entry.payload.lowerBound - 4, bytes: type.bytes)
      }
    }
    throw .malformed(where: "moov box", what: "it has no track of pictures")
  }
}
