import FileParts
import HDRCore

/// The payload of an `iovl` item: pictures that lie on a canvas, the first one lowest (ISO/IEC 23008-12 clause 6.6.2.2).
struct Overlay {
  struct Layer {
    var item: Int
    /// The place of its top left corner on the canvas; it may lie outside.
    var x: Int
    var y: Int
  }

  static let maxLayers = 64

  /// R, G, B of sRGB and alpha, of 16 bits each, where no picture lies.
  let fill: [Int]
  let width: Int
  let height: Int
  let layers: [Layer]

  /// Reads the payload.
  ///
  /// - Parameter items: the pictures, in the order of the item's `dimg` reference.
  init(_ data: ArraySlice<UInt8>, items: [Int]) throws(DecodeError) {
    var reader = ByteReader(data, place: "iovl item")
    let version = try reader.u8()
    guard version == 0 else { throw .unsupported(feature: "overlay version", found: "\(version)") }
    let isWide = try reader.u8() & 1 != 0
    fill = [try reader.u16(), try reader.u16(), try reader.u16(), try reader.u16()]
    width = isWide ? try reader.u32() : try reader.u16()
    height = isWide ? try reader.u32() : try reader.u16()
    guard !items.isEmpty else { throw .malformed(where: "iovl item", what: "it is made of no picture") }
    guard items.count <= Self.maxLayers else {
      throw .limit(what: "pictures of an overlay", found: items.count, allowed: Self.maxLayers)
    }
    var layers: [Layer] = []
    for item in items {
      func offset() throws(DecodeError) -> Int {
        isWide ? try reader.i32() : Int(Int16(truncatingIfNeeded: try reader.u16()))
      }
      layers.append(Layer(item: item, x: try offset(), y: try offset()))
    }
    self.layers = layers
  }

  /// True if the canvas shows through.
  var isTransparent: Bool { fill[3] < 65_535 }
}
