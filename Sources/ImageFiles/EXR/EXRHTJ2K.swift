import FileParts
import HDRCore

/// A decoder of HTJ2K chunks: code streams of JPEG 2000 with high throughput, whose components are halves as signed
/// words. OpenJPEG decodes them, once their heads are those of the chunk.
///
/// Source: OpenEXR 3.5.3's files, of which each word was compared; ISO/IEC 15444-1 A.5.1 (SIZ), 15444-2 (NLT).
enum EXRHTJ2K {
  private static func fault(_ what: String) -> DecodeError { .malformed(where: "OpenEXR HTJ2K chunk", what: what) }

  /// Decodes one chunk to samples in the layout of `EXRRows`.
  static func unpack(
    _ data: UnsafeRawBufferPointer, _ channels: [EXRHeader.Channel], _ window: EXRHeader.Window,
    into out: UnsafeMutablePointer<UInt8>
  ) throws(DecodeError) {
    guard channels.allSatisfy({ $0.type == .half && !$0.isSubsampled }) else {
      throw .unsupported(feature: "OpenEXR HTJ2K", found: "channels other than halves for each pixel")
    }
    var head = ByteReader(Array(data.prefix(6 + 2 + 2 * channels.count)), place: "OpenEXR HTJ2K chunk")
    guard try head.u16() == 0x4854 else { throw fault("it does not begin with HT") }
    let length = try head.u32(), count = try head.u16()
    guard count == channels.count, length >= 2 + 2 * count, length <= data.count - 6 else {
      throw fault("\(count) components in \(length) bytes")
    }
    var places: [Int] = []
    for _ in 0..<count { places.append(try head.u16()) }
    guard Set(places) == Set(channels.indices) else { throw fault("its components are not the channels") }
    let stream = UnsafeRawBufferPointer(rebasing: data[(6 + length)...])
    try check(stream, count, window)
    try decode(stream, window, places, into: out)
  }

  /// Checks that the code stream's own sizes are those of the chunk: one tile of signed words of 16 bits.
  private static func check(
    _ stream: UnsafeRawBufferPointer, _ count: Int, _ window: EXRHeader.Window
  ) throws(DecodeError) {
    var reader = ByteReader(Array(stream.prefix(42 + 3 * count)), place: "OpenEXR HTJ2K chunk")
    guard try reader.u32() == 0xff4f_ff51, try reader.u16() == 38 + 3 * count else { throw fault("no code stream") }
    try reader.skip(2)
    var sizes: [Int] = []
    for _ in 0..<8 { sizes.append(try reader.u32()) }
    let (width, height) = (window.width, window.height)
    guard sizes == [width, height, 0, 0, width, height, 0, 0], try reader.u16() == count else {
      throw fault("a code stream of \(sizes[0])x\(sizes[1]) for \(width)x\(height) pixels")
    }
    for _ in 0..<count {
      guard try reader.u8() == 0x8f, try reader.u16() == 0x0101 else { throw fault("components of other words") }
    }
  }

  private static func decode(
    _ stream: UnsafeRawBufferPointer, _ window: EXRHeader.Window, _ places: [Int],
    into out: UnsafeMutablePointer<UInt8>
  ) throws(DecodeError) {
    let width = window.width, height = window.height
    let picture = try J2KLibrary(
      width: width, height: height, components: places.count, isSigned: true, Array(stream)[...])
    let words = UnsafeMutableRawPointer(out)
    for (component, channel) in places.enumerated() {
      let samples = picture.samples(of: component)
      for y in 0..<height {
        let row = 2 * width * (y * places.count + channel)
        for x in 0..<width {
          // Negative words are stored by NLT's rule, which OpenJPEG leaves to its caller.
          let value = samples[y * width + x], word = value < 0 ? -32769 - value : value
          words.storeBytes(of: UInt16(truncatingIfNeeded: word), toByteOffset: row + 2 * x, as: UInt16.self)
        }
      }
    }
    withExtendedLifetime(picture) {}
  }
}
