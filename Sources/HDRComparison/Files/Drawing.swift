import HDRCore
import ImageFiles

/// A picture of 8-bit sRGB pixels for people.
struct Drawing: Sendable {
  let width: Int
  let height: Int
  private let image: SampleImage

  /// Makes a black picture.
  init(width: Int, height: Int) {
    (self.width, self.height) = (width, height)
    image = SampleImage.interleaved(width: width, height: height, channelCount: 4, format: .uint8, bitDepth: 8)
    for y in 0..<height { for x in 0..<width { self[x, y] = Self.word([0, 0, 0]) } }
  }

  /// The word of a pixel: R, G, B and 255 from the lowest byte.
  subscript(x: Int, y: Int) -> UInt32 {
    get { UInt32(littleEndian: place(x, y).load(as: UInt32.self)) }
    nonmutating set { place(x, y).storeBytes(of: newValue.littleEndian, as: UInt32.self) }
  }

  private func place(_ x: Int, _ y: Int) -> UnsafeMutableRawPointer {
    let plane = image.channels[0]
    return plane.buffer.base + plane.offset + y * plane.rowBytes + 4 * x
  }

  static func word(_ color: [UInt8]) -> UInt32 { (color + [255]).reversed().reduce(0) { $0 << 8 | UInt32($1) } }

  /// Draws a picture with each of its pixels as a square.
  func draw(_ other: Drawing, left: Int, zoom: Int) {
    for y in 0..<other.height * zoom {
      for x in 0..<other.width * zoom { self[left + x, y] = other[x / zoom, y / zoom] }
    }
  }

  func png() throws(EncodeError) -> [UInt8] { try encoded(.sdrPNG) }

  func jpeg(quality: Int) throws(EncodeError) -> [UInt8] {
    try encoded(.sdrJPEG) { $0.coding.quality = quality }
  }

  private func encoded(
    _ kind: OutputKind, _ change: (inout EncodeRequest) -> Void = { _ in }
  ) throws(EncodeError) -> [UInt8] {
    var request = EncodeRequest(
      kind: kind, image: image, hasAlpha: false, cicp: .sRGB, contentHeadroom: 1, displayHeadroom: 1)
    change(&request)
    return try encodeImage(request).main
  }
}
