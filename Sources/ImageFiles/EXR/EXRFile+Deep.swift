import FileParts
import HDRCore

extension EXRFile {
  /// A chunk of a deep picture: the numbers of samples up to each pixel of its row, and the samples.
  struct DeepChunk {
    var window: EXRHeader.Window
    /// The places of both in the file.
    var counts: Range<Int>
    var samples: Range<Int>
    /// The bytes of the decoded numbers, four for each pixel.
    var countBytes: Int { 4 * window.width * window.height }
    /// The bytes of the decoded samples.
    var sampleBytes: Int
  }

  /// Returns the chunks of a deep part that hold pixels of `area`. Each is checked: it is the one that the table names,
  /// lies inside the file, and neither part of it is larger than a chunk may be or its data can make.
  func deepChunks(of part: Int, in area: EXRHeader.Window) throws(DecodeError) -> [DeepChunk] {
    let header = parts[part]
    guard [.none, .rle, .zips, .zip].contains(header.coding) else {
      throw .unsupported(feature: "deep OpenEXR", found: header.coding.name)
    }
    guard !header.channels.contains(where: \.isSubsampled) else {
      throw .unsupported(feature: "deep OpenEXR", found: "subsampled channels")
    }
    let all = try layout(header), table = try offsets(of: part, count: all.count)
    var found: [DeepChunk] = []
    for (index, chunk) in all.enumerated() where chunk.window.intersection(area) != nil {
      func fault(_ what: String) -> DecodeError { .malformed(where: "OpenEXR chunks", what: what) }
      guard let (leader, start) = leader(of: chunk, part: part, at: table[index]) else {
        throw fault("chunk \(index) is not where the table says")
      }
      let middle = start + leader.countBytes
      let deep = DeepChunk(
        window: chunk.window, counts: start..<middle, samples: middle..<start + leader.size,
        sampleBytes: leader.sampleBytes)
      // Some writers store the numbers of a whole tile for one at the edge.
      let mostCounts = header.tiles.map { 4 * $0.width * $0.height } ?? deep.countBytes
      guard deep.counts.count <= mostCounts else {
        throw fault("chunk \(index) has \(deep.counts.count) bytes of numbers")
      }
      let size = max(deep.countBytes, deep.sampleBytes)
      guard size <= EXRHeader.maxDeepBytes else {
        throw .limit(what: "bytes of a deep OpenEXR chunk", found: size, allowed: EXRHeader.maxDeepBytes)
      }
      for (data, size) in [(deep.counts, deep.countBytes), (deep.samples, deep.sampleBytes)] where size > 0 {
        guard !data.isEmpty, size / (header.coding.maxGrowth ?? 1) <= data.count else {
          throw fault("\(data.count) bytes of chunk \(index) cannot be \(size)")
        }
      }
      found.append(deep)
    }
    return found
  }
}
