/// The image resources of Adobe Photoshop, as JPEG holds them in APP13 segments ("Photoshop File Formats
/// Specification", Image Resources Section): blocks of `8BIM`, u16 id, Pascal string of even length, u32 size, data
/// padded to even length. One block holds IPTC-IIM.
package enum PhotoshopResources {
  /// The ids of blocks that do not describe pixels: IPTC-IIM, copyright flag, URL, digest of the IPTC data.
  package static let travelling: Set<Int> = [0x0404, 0x040A, 0x040B, 0x0425]

  /// Returns the blocks that do not describe pixels; `nil` if there is none or the blocks cannot be parsed.
  package static func travelling(_ bytes: [UInt8]) -> [UInt8]? {
    guard let blocks = blocks(bytes)?.filter({ travelling.contains($0.id) }), !blocks.isEmpty else { return nil }
    return blocks.flatMap { bytes[$0.whole] }
  }

  /// The ids of saved paths.
  static let paths = 2000...2997

  package struct Block {
    package var id: Int
    package var whole: Range<Int>
    package var data: Range<Int>
  }

  /// Returns the blocks in order; `nil` if they cannot be parsed.
  package static func blocks(_ bytes: [UInt8]) -> [Block]? {
    var result: [Block] = [], at = 0
    func number(_ place: Int, _ count: Int) -> Int? {
      place + count <= bytes.count ? bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) } : nil
    }
    while at < bytes.count {
      guard bytes[at...].starts(with: "8BIM".utf8), let id = number(at + 4, 2), let name = number(at + 6, 1) else {
        return nil
      }
      let head = at + 6 + (name + 2) / 2 * 2
      guard let size = number(head, 4), head + 4 + size <= bytes.count else { return nil }
      let end = min(head + 4 + (size + 1) / 2 * 2, bytes.count)
      result.append(Block(id: id, whole: at..<end, data: head + 4..<head + 4 + size))
      at = end
    }
    return result
  }

  /// A data set of IPTC-IIM: the whole, and its value.
  struct DataSet {
    var record: Int
    var number: Int
    var whole: Range<Int>
    var data: Range<Int>
  }

  /// Returns the data sets of IPTC-IIM in order, up to the first invalid one. Source: IPTC-IIM 4.2 clause 1.5.
  static func dataSets(_ bytes: ArraySlice<UInt8>) -> [DataSet] {
    var sets: [DataSet] = [], at = bytes.startIndex
    while at + 5 <= bytes.endIndex, bytes[at] == 0x1C {
      // A count above 32767 means an extended data set, with the size of its own count; such long ones hold no text.
      let count = Int(bytes[at + 3]) << 8 | Int(bytes[at + 4]), end = at + 5 + count
      guard count < 0x8000, end <= bytes.endIndex else { break }
      sets.append(
        DataSet(record: Int(bytes[at + 1]), number: Int(bytes[at + 2]), whole: at..<end, data: at + 5..<end))
      at = end
    }
    return sets
  }

  package static let iptc = 0x0404
  /// The id of the MD5 digest of the IPTC block.
  static let digest = 0x0425

  /// Joins resources and separate IPTC-IIM, as TIFF has it; the resources' own IPTC has priority. `nil` if both are
  /// missing.
  package static func joined(_ resources: [UInt8]?, iptc apart: [UInt8]?) -> [UInt8]? {
    guard let apart else { return resources }
    let head = Array("8BIM".utf8) + [UInt8(iptc >> 8), UInt8(iptc & 255), 0, 0]
    if let resources, resources.count >= head.count,
      resources.indices.dropLast(head.count - 1).contains(where: { resources[$0...].starts(with: head.prefix(6)) })
    {
      return resources
    }
    let size = (0..<4).map { UInt8(truncatingIfNeeded: apart.count >> (24 - 8 * $0)) }
    return (resources ?? []) + head + size + apart + (apart.count & 1 == 1 ? [0] : [])
  }
}

/// Returns the image resources that remain valid for a rendition with other pixels: IPTC and related blocks.
package func photoshopWithoutPixelDescription(_ bytes: [UInt8]) -> [UInt8]? { PhotoshopResources.travelling(bytes) }
