import FileParts
import CJXL
import HDRCore
import PlainData

/// The metadata in boxes beside the codestream. The first box of a kind is used; an unreadable one is a warning.
struct JXLMetadata {
  private(set) var exif: [UInt8]?
  private(set) var xmp: [UInt8]?
  private(set) var gainMap: JHGM?
  private(set) var credentials: ContentCredentials?
  /// Boxes that this program does not know.
  private(set) var unknown = UnknownParts(.unknown)

  /// The types of boxes that are read, describe the codestream, restore a JPEG, or hold nothing.
  private static let known: Set<String> = [
    "Exif", "xml ", "jhgm", "jumb", "ftyp", "JXL ", "jxll", "jxli", "jbrd", "free", "skip",
  ]

  init(_ file: JXLContainer, limits: DecodeLimits, warnings: inout [Warning]) {
    var seen: Set<String> = []
    for box in file.others {
      let isPacked = box.type == "brob", type = isPacked ? latin1(box.payload.prefix(4)) : box.type
      if type == "jumb", credentials == nil { credentials = Self.credentials(box, isPacked, warnings: &warnings) }
      if !Self.known.contains(type) {
        unknown.add(String(type.map { ("!"..."~").contains($0) ? $0 : "?" }), byteCount: box.payload.count)
      }
      guard ["Exif", "xml ", "jhgm"].contains(type) else { continue }
      guard seen.insert(type).inserted else {
        warnings.append(Warning("jxl.several", "a second box '\(type)' is ignored"))
        continue
      }
      let limit = Self.limit(type, file, limits)
      guard let payload = isPacked ? Self.unpacked(box.payload, limit: limit) : box.payload, payload.count <= limit
      else {
        warnings.append(Warning("jxl.box", "box '\(type)' is damaged or too large and is ignored"))
        continue
      }
      switch type {
      case "Exif": exif = Self.exif(payload, warnings: &warnings)
      case "xml ":
        // A packet that our scanner refuses is not written to outputs either.
        let text = Array(payload)
        if XMPPacket(text, warnings: &warnings) != nil { xmp = text }
      default: gainMap = Self.gainMap(payload, warnings: &warnings)
      }
    }
  }

  /// Reads a C2PA store. What is compressed may be one, and is not unpacked.
  private static func credentials(
    _ box: JXLContainer.Box, _ isPacked: Bool, warnings: inout [Warning]
  ) -> ContentCredentials? {
    if isPacked { return ContentCredentials(place: "jumb box", pieces: [], byteCount: box.payload.count) }
    return ContentCredentials(box.whole, place: "jumb box", warnings: &warnings)
  }

  private static func limit(_ type: String, _ file: JXLContainer, _ limits: DecodeLimits) -> Int {
    switch type {
    case "Exif": min(limits.maxMetadataBytes, 16 << 20)
    case "xml ": XMLScanner.maxBytes
    // Brotli cannot make a codestream much smaller.
    default: 2 * file.byteCount + (1 << 16)
    }
  }

  /// Reads Exif after a 32-bit offset to its TIFF header.
  private static func exif(_ payload: ArraySlice<UInt8>, warnings: inout [Warning]) -> [UInt8]? {
    let offset = payload.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard payload.count > 4, offset < payload.count - 4 else {
      warnings.append(Warning("exif.malformed", "Exif is not read: its box has \(payload.count) bytes"))
      return nil
    }
    let bytes = Array(payload.dropFirst(4 + offset))
    return Exif(bytes, warnings: &warnings) == nil ? nil : bytes
  }

  private static func gainMap(_ payload: ArraySlice<UInt8>, warnings: inout [Warning]) -> JHGM? {
    do throws(JHGM.ParseError) {
      return try JHGM(parsing: payload)
    } catch {
      warnings.append(Warning("gainmap.invalid", "the gain map is ignored: its jhgm box is \(error)"))
      return nil
    }
  }

  /// Decompresses a `brob` box by the library, as the only box of a file.
  private static func unpacked(_ payload: ArraySlice<UInt8>, limit: Int) -> ArraySlice<UInt8>? {
    var file = ByteSink()
    file.append(JXLContainer.signature)
    file.append(JXLContainer.fileType)
    JXLContainer.append("brob", [Array(payload)], to: &file)
    guard let handle = try? JXLDecoderHandle(JXL_DEC_BOX, memory: 64 << 20) else { return nil }
    let library = handle.library, decoder = handle.decoder
    guard library.JxlDecoderSetDecompressBoxes(decoder, JXL_TRUE) == JXL_DEC_SUCCESS else { return nil }
    return file.bytes.withUnsafeBufferPointer { input in
      handle.input(input)
      var found: [UInt8] = []
      var room = [UInt8](repeating: 0, count: 1 << 16)
      var isOurs = false
      return room.withUnsafeMutableBufferPointer { room in
        while true {
          switch handle.next() {
          // `ftyp` is a box too.
          case JXL_DEC_BOX:
            var type: JxlBoxType = (0, 0, 0, 0)
            guard library.JxlDecoderGetBoxType(decoder, &type, JXL_FALSE) == JXL_DEC_SUCCESS else { return nil }
            isOurs = type.0 == 0x62 && type.1 == 0x72
            if isOurs { _ = library.JxlDecoderSetBoxBuffer(decoder, room.baseAddress, room.count) }
          case JXL_DEC_BOX_NEED_MORE_OUTPUT:
            let left = library.JxlDecoderReleaseBoxBuffer(decoder)
            found += room.prefix(room.count - left)
            guard found.count <= limit else { return nil }
            _ = library.JxlDecoderSetBoxBuffer(decoder, room.baseAddress, room.count)
          // Without a codestream the file never ends without an error.
          case JXL_DEC_SUCCESS, JXL_DEC_NEED_MORE_INPUT:
            guard isOurs else { return nil }
            let left = library.JxlDecoderReleaseBoxBuffer(decoder)
            found += room.prefix(room.count - left)
            return found.count <= limit ? found[...] : nil
          default: return nil
          }
        }
      }
    }
  }
}
