import FileParts
import HDRCore
import PlainData

/// The metadata that ImageMagick and ExifTool keep in text chunks of PNG: the keyword `Raw profile type` with a name, and
/// a text of the name, a length and hexadecimal digits. What a chunk of its own says goes first.
///
/// Source: ImageMagick, coders/png.c (Magick_png_write_raw_profile); ExifTool, tags of PNG.
struct PNGRawProfiles {
  private enum Block: Hashable {
    case exif, xmp, iptc, resources, icc
  }

  private static let prefix = "Raw profile type "
  private static let profileNames: Set<String> = ["icc", "icm"]

  private var blocks: [Block: [UInt8]] = [:]
  /// The places of the chunks that are read, or say what chunks of their own say too.
  private(set) var used: Set<Int> = []

  var exif: [UInt8]? { blocks[.exif] }
  var xmp: [UInt8]? { blocks[.xmp] }
  var icc: [UInt8]? { blocks[.icc] }
  /// The image resources; separate IPTC is added if they lack it.
  var photoshop: [UInt8]? { PhotoshopResources.joined(blocks[.resources], iptc: blocks[.iptc]) }

  /// Reads the chunks of a file.
  ///
  /// - Parameters:
  ///   - exif: the Exif block of `eXIf`.
  ///   - xmp: the packet of `iTXt`.
  init(_ png: PNGChunks, exif: [UInt8]?, xmp: [UInt8]?, limits: DecodeLimits) {
    let own: [Block: [UInt8]] = [Block.exif: exif, .xmp: xmp].compactMapValues(\.self)
    // A profile decides the colour only where nothing else does.
    let statesColor = ["cICP", "iCCP", "sRGB", "gAMA", "cHRM"].contains { png.first($0) != nil }
    var kinds: Set<String> = []
    for (index, chunk) in png.chunks.enumerated() where PNGText.chunks.contains(chunk.name) {
      let payload = png.bytes[chunk.payload], keyword = latin1(payload.prefix(80).prefix { $0 != 0 })
      guard keyword.hasPrefix(Self.prefix) else { continue }
      let kind = keyword.dropFirst(Self.prefix.count).lowercased(), isProfile = Self.profileNames.contains(kind)
      // One of a kind is unpacked.
      guard !(isProfile && statesColor), kinds.insert(kind).inserted,
        let text = PNGText(payload, isInternational: chunk.name == "iTXt", isPacked: chunk.name == "zTXt"),
        let (block, content) = Self.block(kind, text, limits), Self.isSound(block, content)
      else { continue }
      if let stated = own[block] ?? blocks[block] {
        if stated == content { used.insert(index) }
      } else {
        blocks[block] = content
        used.insert(index)
      }
    }
  }

  /// Returns what the text of a kind holds; `nil` for other kinds, and for a text out of shape.
  private static func block(_ kind: String, _ text: PNGText, _ limits: DecodeLimits) -> (Block, [UInt8])? {
    let most =
      switch kind {
      case "exif", "app1", "iptc", "8bim": min(limits.maxMetadataBytes, ExifValues.maxBytes)
      case "xmp": min(limits.maxMetadataBytes, XMLScanner.maxBytes)
      case "icc", "icm": limits.maxICCBytes
      default: 0
      }
    // Lines have 72 digits and an end.
    guard most > 0, let digits = text.bytes(limit: 2 * most + most / 16 + 256),
      let content = bytes(of: digits, limit: most)
    else { return nil }
    func without(_ mark: some Collection<UInt8>) -> [UInt8]? {
      content.starts(with: mark) ? Array(content.dropFirst(mark.count)) : nil
    }
    switch kind {
    case "icc", "icm": return (.icc, content)
    case "xmp": return (.xmp, content)
    case "iptc", "8bim":
      let resources = without(JPEGIdentifier.photoshop.utf8) ?? content
      return (resources.starts(with: "8BIM".utf8) ? .resources : .iptc, resources)
    default:
      if let packet = without(JPEGIdentifier.xmp.utf8) { return (.xmp, packet) }
      return (.exif, without(JPEGIdentifier.exif.utf8) ?? content)
    }
  }

  /// Returns true for a block that its reader takes.
  private static func isSound(_ block: Block, _ content: [UInt8]) -> Bool {
    var ignored: [Warning] = []
    switch block {
    case .exif: return Exif(content, warnings: &ignored) != nil
    case .xmp: return XMPPacket(content, warnings: &ignored) != nil
    case .iptc: return content.first == 0x1C
    case .resources: return PhotoshopResources.blocks(content) != nil
    case .icc: return (try? ICCProfile(content)) != nil
    }
  }

  /// Returns the bytes of a text: a line feed, a name, a line feed, the number of bytes, a line feed, digits in lines.
  ///
  /// - Returns: `nil` for another shape, another number of digits, and more than `limit` bytes.
  static func bytes(of text: [UInt8], limit: Int) -> [UInt8]? {
    let lines = text.drop { $0 == 0x0A }.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count == 3, let count = Int(latin1(lines[1].prefix(16).drop { $0 == 0x20 })),
      (1...limit).contains(count)
    else { return nil }
    var found: [UInt8] = [], high: UInt8?
    found.reserveCapacity(min(count, lines[2].count / 2))
    for character in lines[2] {
      let digit: UInt8
      switch character {
      case 0x30...0x39: digit = character - 0x30
      case 0x41...0x46: digit = character - 0x41 + 10
      case 0x61...0x66: digit = character - 0x61 + 10
      case 0x0A, 0x0D, 0x20: continue
      default: return nil
      }
      if let first = high {
        found.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil && found.count == count ? found : nil
  }
}
