import FileParts
import HDRCore

/// A decoder of chunks of HTJ2K and LJ2K: code streams of JPEG 2000 with high throughput, whose components are halves as
/// signed words, in LJ2K after a curve and with losses. OpenJPEG decodes them, once their heads are those of the chunk.
///
/// Source: OpenEXR 3.5.3's files, of which each word was compared; ISO/IEC 15444-1 A.5.1 (SIZ).
struct EXRHTJ2K {
  private let isLossy: Bool
  private let channels: [EXRHeader.Channel]
  private let window: EXRHeader.Window
  /// The columns and rows that LJ2K may add on the right and below.
  private static let mostPadding = 63

  init(_ coding: EXRCoding, _ channels: [EXRHeader.Channel], _ window: EXRHeader.Window) {
    (isLossy, self.channels, self.window) = (coding == .lj2k, channels, window)
  }

  private var name: String { isLossy ? "LJ2K" : "HTJ2K" }
  private var place: String { "OpenEXR \(name) chunk" }
  private func fault(_ what: String) -> DecodeError { .malformed(where: place, what: what) }

  /// Decodes one chunk to samples in the layout of `EXRRows`.
  func unpack(_ data: UnsafeRawBufferPointer, into out: UnsafeMutablePointer<UInt8>) throws(DecodeError) {
    guard channels.allSatisfy({ $0.type == .half && !$0.isSubsampled }) else {
      throw .unsupported(feature: "OpenEXR \(name)", found: "channels other than halves for each pixel")
    }
    var head = ByteReader(Array(data.prefix(6 + 2 + 2 * channels.count)), place: place)
    let mark = isLossy ? "HL" : "HT"
    guard try head.take(2).elementsEqual(mark.utf8) else { throw fault("it does not begin with \(mark)") }
    let length = try head.u32(), count = try head.u16()
    guard count == channels.count, length >= 2 + 2 * count, length <= data.count - 6 else {
      throw fault("\(count) components in \(length) bytes")
    }
    var places: [Int] = []
    for _ in 0..<count { places.append(try head.u16()) }
    guard Set(places) == Set(channels.indices) else { throw fault("its components are not the channels") }
    let stream = Array(data[(6 + length)...])[...], size = try size(stream)
    let curves =
      isLossy
      ? try EXRWordCurves(stream, components: count, place: place) : EXRWordCurves(components: count)
    let picture = try J2KLibrary(
      width: size.width, height: size.height, components: count, isSigned: true, stream)
    let words = UnsafeMutableRawPointer(out)
    for (component, channel) in places.enumerated() {
      let samples = picture.samples(of: component)
      for y in 0..<window.height {
        let row = 2 * window.width * (y * count + channel)
        for x in 0..<window.width {
          words.storeBytes(
            of: curves.word(samples[y * size.width + x], of: component), toByteOffset: row + 2 * x, as: UInt16.self)
        }
      }
    }
    withExtendedLifetime(picture) {}
  }

  /// Returns the code stream's own sizes, which are those of the chunk, or in LJ2K a little more: one tile of signed words
  /// of 16 bits.
  private func size(_ stream: ArraySlice<UInt8>) throws(DecodeError) -> (width: Int, height: Int) {
    let count = channels.count
    var reader = ByteReader(stream.prefix(42 + 3 * count), place: place)
    guard try reader.u32() == 0xff4f_ff51, try reader.u16() == 38 + 3 * count else { throw fault("no code stream") }
    try reader.skip(2)
    var sizes: [Int] = []
    for _ in 0..<8 { sizes.append(try reader.u32()) }
    let (width, height) = (sizes[0], sizes[1]), padding = 0...(isLossy ? Self.mostPadding : 0)
    guard sizes == [width, height, 0, 0, width, height, 0, 0], padding.contains(width - window.width),
      padding.contains(height - window.height), try reader.u16() == count
    else { throw fault("a code stream of \(width)x\(height) for \(window.width)x\(window.height) pixels") }
    for _ in 0..<count {
      guard try reader.u8() == 0x8f, try reader.u16() == 0x0101 else { throw fault("components of other words") }
    }
    return (width, height)
  }
}
