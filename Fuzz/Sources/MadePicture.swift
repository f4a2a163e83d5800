import HDRCore

/// A small picture to be written, of an input's bytes.
struct MadePicture {
  let image: SampleImage
  let hasAlpha: Bool
  /// The bytes that are left for the target's own choices.
  let choices: (UInt8, UInt8)

  /// Makes R, G, B, A side by side in the layout of a kind, rows somewhere in a larger memory; the samples are the
  /// input's bytes from the ninth on, repeated with changes.
  init?(_ bytes: ArraySlice<UInt8>, _ layout: OutputKind.Layout) {
    guard bytes.count > 8, layout != .planarYCC else { return nil }
    let bytes = Array(bytes), format: SampleFormat = layout == .rgba8 ? .uint8 : layout == .rgba16 ? .uint16 : .float16
    let width = 1 + Int(bytes[1]) % 80, height = 1 + Int(bytes[2]) % 24, step = 4 * format.bytes
    let offset = Int(bytes[3]) % 3 * 8, row = width * step + Int(bytes[4]) % 4 * 8
    let buffer = PixelBuffer(byteCount: offset + (height - 1) * row + width * step)
    for index in 0..<buffer.byteCount {
      let byte = bytes[8 + index % (bytes.count - 8)]
      buffer.base.storeBytes(of: byte &+ UInt8(truncatingIfNeeded: index >> 8), toByteOffset: index, as: UInt8.self)
    }
    let planes = (0..<4).map {
      SamplePlane(
        buffer: buffer, offset: offset + $0 * format.bytes, rowBytes: row, stepBytes: step, width: width,
        height: height)
    }
    image = SampleImage(
      width: width, height: height, model: .rgb, format: format, bitDepth: 8 * format.bytes,
      channels: Array(planes.prefix(3)), alpha: planes[3])
    hasAlpha = bytes[5] & 1 != 0
    choices = (bytes[0], bytes[6])
  }
}
