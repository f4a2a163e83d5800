import HDRCore

extension JXLDecoder {
  /// Copies the codestreams of base and map.
  ///
  /// A map that the reader ignores is no error: `map` is `nil`.
  package static func codedRenditions(
    _ bytes: [UInt8], limits: DecodeLimits
  ) throws(DecodeError) -> CodedRenditions {
    let source = try decode(bytes, request: .metadata, limits: limits)
    guard source.picture == 1 else {
      throw .unsupported(feature: "taking the payload of a frame out", found: "frame \(source.picture)")
    }
    let file = try JXLContainer(bytes)
    var ignored: [Warning] = []
    let map = source.gainMap == nil ? nil : JXLMetadata(file, limits: limits, warnings: &ignored).gainMap
    let level = file.others.first { $0.type == "jxll" }?.payload.first.map { Int($0) } ?? 5
    return CodedRenditions(
      base: .jxl(JXLCodedPicture(codestream: Array(file.codestream), level: level)),
      map: map.map { .jxl(JXLCodedPicture(codestream: $0.codestream, level: 5)) })
  }
}
