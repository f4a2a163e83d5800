import CodecService
import HDRCore
import HDRRender
import ImageFiles
import PlainData

/// Returns a view with the facts that the page needs; `nil` where there is none.
func pagePicture(_ view: FilePath, _ role: String, _ file: FilePath, _ codecs: any CodecBorder) -> JSON? {
  guard let bytes = try? readWholeFile(view, maxBytes: 1 << 28), let held = try? InputFile(bytes: bytes, name: view),
    let head = try? codecs.decode(held, request: .metadata, limits: DecodeLimits()).value
  else { return nil }
  var fields = [
    JSON.Field("role", .string(role)), JSON.Field("name", .string(printable(file.name))),
    JSON.Field("primaries", .string(primaries(head.color))),
  ]
  if let map = head.gainMap, !map.metadata.usesBaseColorSpace, let color = map.alternateColor {
    fields.append(JSON.Field("mapPrimaries", .string(primaries(color))))
  }
  fields.append(JSON.Field("jpeg", .string(base64(bytes))))
  return .object(fields)
}

private func primaries(_ color: SourceColor) -> String {
  let name = color.iccDescription?.lowercased() ?? ""
  let code =
    color.cicp?.primaries
    ?? (name.contains("p3")
      ? CICP.Primaries.p3 : name.contains("2020") || name.contains("2100") ? CICP.Primaries.bt2020 : 1)
  return code == CICP.Primaries.p3 ? "p3" : code == CICP.Primaries.bt2020 ? "bt2020" : "bt709"
}

/// Encodes bytes as base64 (RFC 4648, padded).
func base64(_ bytes: [UInt8]) -> String {
  let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  return String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
    var to = 0
    for at in stride(from: 0, to: bytes.count, by: 3) {
      let left = bytes.count - at
      let word =
        UInt32(bytes[at]) << 16 | (left > 1 ? UInt32(bytes[at + 1]) << 8 : 0) | (left > 2 ? UInt32(bytes[at + 2]) : 0)
      text[to] = digits[Int(word >> 18)]
      text[to + 1] = digits[Int(word >> 12 & 63)]
      text[to + 2] = left > 1 ? digits[Int(word >> 6 & 63)] : UInt8(ascii: "=")
      text[to + 3] = left > 2 ? digits[Int(word & 63)] : UInt8(ascii: "=")
      to += 4
    }
    return to
  }
}
