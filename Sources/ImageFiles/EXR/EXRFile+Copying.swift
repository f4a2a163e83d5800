import FileParts
import HDRCore

extension EXRFile {
  /// Returns the places of all chunks of a part in its table's order, smaller levels included, each with the fields
  /// before its data but for the number of the part. Together they are not larger than the file.
  func wholeChunks(of part: Int) throws(DecodeError) -> [Range<Int>] {
    func fault() -> DecodeError { .malformed(where: "OpenEXR chunks", what: "the table names other chunks") }
    let count = chunkCount(parts[part])
    guard count <= EXRHeader.maxChunks else {
      throw .limit(what: "chunk count of OpenEXR", found: count, allowed: EXRHeader.maxChunks)
    }
    var total = 0, chunks: [Range<Int>] = []
    for offset in try offsets(of: part, count: count) {
      guard bytes.indices.contains(offset) else { throw fault() }
      var reader = ByteReader(bytes[offset...], place: "OpenEXR chunk", isLittleEndian: true)
      let leader = try Leader(&reader, parts, isMultipart)
      guard leader.part == part, leader.size >= 0, leader.size <= reader.remaining else { throw fault() }
      let chunk = offset + (isMultipart ? 4 : 0)..<reader.position + leader.size
      total += chunk.count
      guard total <= bytes.count else { throw fault() }
      chunks.append(chunk)
    }
    return chunks
  }
}
