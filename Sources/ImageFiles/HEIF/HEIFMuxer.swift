import FileParts
import HDRCore

/// A writer that joins items, properties, references and groups to one HEIF or AVIF still file.
///
/// It does not depend on codecs: a grid, a `tmap`, an auxiliary map or a thumbnail are items with data, properties and
/// references like any other. Layout of the result: `ftyp`, `meta` (hdlr, pitm, iloc, iinf, iref, iprp, idat, grpl),
/// `mdat`.
/// Source: ISO/IEC 14496-12 clause 8.11 (meta boxes), ISO/IEC 23008-12 clauses 6 and 9 (items, properties, groups).
package struct HEIFMuxer {
  /// The box for an item's data: `mdat` for pictures and metadata, `idat` for the few bytes of derived pictures.
  package enum Storage { case mediaData, itemData }

  private struct Item {
    var id: Int
    var type: String
    var contentType: String?
    var isHidden: Bool
    var storage: Storage
    var data: [UInt8]
    /// Indices into the muxer's properties, in the order of the calls; in `ipma` that is the order of transforms.
    var properties: [(index: Int, isEssential: Bool)] = []
  }

  private struct Reference {
    var type: String
    var from: Int
    var to: [Int]
  }

  private struct Group {
    var type: String
    var id: Int
    var members: [Int]
  }

  private var items: [Item] = []
  private var properties: [[UInt8]] = []
  private var references: [Reference] = []
  private var groups: [Group] = []
  /// The brands, the major brand first; all are listed as compatible.
  package let brands: [String]
  /// The item that a reader shows first.
  package var primaryItem = 1

  package init(brands: [String]) { self.brands = brands }

  /// Adds an item and returns its number, counted from 1.
  ///
  /// - Parameters:
  ///   - type: a four-character code, e.g. `hvc1`, `grid`, `tmap`, `Exif`, `mime`.
  ///   - contentType: the MIME type of a `mime` item.
  ///   - isHidden: true for items that are not shown by themselves (tiles, gain maps).
  package mutating func addItem(
    _ type: String, data: [UInt8], contentType: String? = nil, isHidden: Bool = false, storage: Storage = .mediaData
  ) -> Int {
    let id = items.count + 1
    items.append(
      Item(id: id, type: type, contentType: contentType, isHidden: isHidden, storage: storage, data: data))
    return id
  }

  /// Adds a property, a whole box, to an item. Equal boxes are stored once.
  package mutating func setProperty(_ box: [UInt8], essential: Bool, of item: Int) {
    let index: Int
    if let known = properties.firstIndex(of: box) {
      index = known
    } else {
      index = properties.count
      properties.append(box)
    }
    items[item - 1].properties.append((index, essential))
  }

  /// Adds a typed reference, e.g. `cdsc` from metadata to its picture, `dimg` from a grid to its tiles in order.
  package mutating func addReference(_ type: String, from item: Int, to targets: [Int]) {
    references.append(Reference(type: type, from: item, to: targets))
  }

  /// Adds an entity group, e.g. `altr` with the preferred alternative first. Returns the group's number, which no item
  /// has.
  @discardableResult
  package mutating func addGroup(_ type: String, members: [Int]) -> Int {
    let id = (1 << 16) + groups.count
    groups.append(Group(type: type, id: id, members: members))
    return id
  }

  /// Returns the file.
  ///
  /// - Throws: `EncodeError.unsupported` for more items than 16-bit item numbers hold.
  package func fileBytes() throws(EncodeError) -> [UInt8] {
    guard items.count < 1 << 16, properties.count < 1 << 15 else {
      throw .unsupported(feature: "number of HEIF items", found: "\(items.count)")
    }
    var file = ByteSink(reserving: items.reduce(1 << 16) { $0 + $1.data.count })
    file.append(fileType)
    let mediaBytes = items.filter { $0.storage == .mediaData }.reduce(0) { $0 + $1.data.count }
    // The offsets in iloc are absolute; the size of `meta` depends only on their width.
    let isLarge = mediaBytes + (1 << 26) > Int(UInt32.max)
    let headerBytes = isLarge ? 16 : 8
    let size = meta(mediaStart: 0, offsetBytes: isLarge ? 8 : 4).count
    file.append(meta(mediaStart: file.count + size + headerBytes, offsetBytes: isLarge ? 8 : 4))
    if isLarge {
      file.u32(1)
      file.ascii("mdat")
      file.integer(mediaBytes + headerBytes, bytes: 8)
    } else {
      file.u32(mediaBytes + headerBytes)
      file.ascii("mdat")
    }
    for item in items where item.storage == .mediaData { file.append(item.data) }
    return file.bytes
  }

  // MARK: - Boxes

  private var fileType: [UInt8] {
    HEIFBox.plain("ftyp") { box in
      box.ascii(brands[0])
      box.u32(0)
      for brand in brands { box.ascii(brand) }
    }
  }

  private func meta(mediaStart: Int, offsetBytes: Int) -> [UInt8] {
    HEIFBox.full("meta") { box in
      box.append(handler)
      box.append(HEIFBox.full("pitm") { $0.u16(primaryItem) })
      box.append(locations(mediaStart: mediaStart, offsetBytes: offsetBytes))
      box.append(itemInfos)
      if !references.isEmpty { box.append(itemReferences) }
      box.append(itemProperties)
      let data = items.filter { $0.storage == .itemData }.flatMap(\.data)
      if !data.isEmpty { box.append(HEIFBox.plain("idat") { $0.append(data) }) }
      if !groups.isEmpty { box.append(entityGroups) }
    }
  }

  private var handler: [UInt8] {
    HEIFBox.full("hdlr") { box in
      box.u32(0)
      box.ascii("pict")
      // Three reserved words and an empty name.
      box.zeros(13)
    }
  }

  /// Makes `iloc`. Version 1 has construction methods (0 file, 1 idat); without an idat, the older version 0 is enough.
  private func locations(mediaStart: Int, offsetBytes: Int) -> [UInt8] {
    let version = items.contains { $0.storage == .itemData } ? 1 : 0
    return HEIFBox.full("iloc", version: version) { box in
      // Sizes of offset, length, base offset and (version 1) index.
      box.u8(offsetBytes << 4 | offsetBytes)
      box.u8(0)
      box.u16(items.count)
      var mediaOffset = mediaStart, dataOffset = 0
      for item in items {
        box.u16(item.id)
        if version == 1 { box.u16(item.storage == .itemData ? 1 : 0) }
        box.u16(0)
        box.u16(1)
        switch item.storage {
        case .mediaData:
          box.integer(mediaOffset, bytes: offsetBytes)
          mediaOffset += item.data.count
        case .itemData:
          box.integer(dataOffset, bytes: offsetBytes)
          dataOffset += item.data.count
        }
        box.integer(item.data.count, bytes: offsetBytes)
      }
    }
  }

  private var itemInfos: [UInt8] {
    HEIFBox.full("iinf") { box in
      box.u16(items.count)
      for item in items {
        box.append(
          HEIFBox.full("infe", version: 2, flags: item.isHidden ? 1 : 0) { entry in
            entry.u16(item.id)
            entry.u16(0)
            entry.ascii(item.type)
            // Empty name.
            entry.u8(0)
            if let contentType = item.contentType {
              entry.ascii(contentType)
              entry.u8(0)
            }
          })
      }
    }
  }

  private var itemReferences: [UInt8] {
    HEIFBox.full("iref") { box in
      for reference in references {
        box.append(HEIFBox.reference(reference.type, from: reference.from, to: reference.to))
      }
    }
  }

  private var itemProperties: [UInt8] {
    HEIFBox.plain("iprp") { box in
      box.append(HEIFBox.plain("ipco") { container in for property in properties { container.append(property) } })
      // Property numbers count from 1; above 127 they need 15 bits, marked by flag 1.
      let isWide = properties.count > 127
      box.append(
        HEIFBox.full("ipma", flags: isWide ? 1 : 0) { association in
          let described = items.filter { !$0.properties.isEmpty }
          association.u32(described.count)
          for item in described {
            association.u16(item.id)
            association.u8(item.properties.count)
            for (index, isEssential) in item.properties {
              if isWide {
                association.u16((isEssential ? 0x8000 : 0) | (index + 1))
              } else {
                association.u8((isEssential ? 0x80 : 0) | (index + 1))
              }
            }
          }
        })
    }
  }

  private var entityGroups: [UInt8] {
    HEIFBox.groupsList(groups.map { HEIFBox.group($0.type, id: $0.id, members: $0.members) })
  }
}
