import FileParts
import HDRCore

/// A layout of raw video: a plane for each channel, rows without gaps, words of 16 bits little endian. Only planar
/// layouts survive NUT: FFmpeg's codes for others are not unique.
package struct PlanarFormat: Sendable, Hashable {
  /// Y', Cb, Cr; G, B, R; or one channel.
  package var model: ColorModel
  package var chroma: ChromaSubsampling
  /// The bits of a sample; up to 8 take a byte, up to 16 two.
  package var bitDepth: Int
  /// True if a plane of alpha follows, in full size.
  package var hasAlpha: Bool

  /// Makes a layout of Y'CbCr; without chroma, of grey.
  package init(_ chroma: ChromaSubsampling, bitDepth: Int, hasAlpha: Bool = false) {
    model = chroma == .none ? .grey : .ycc
    (self.chroma, self.bitDepth, self.hasAlpha) = (chroma, bitDepth, hasAlpha)
  }

  /// Makes a layout of G, B and R.
  package init(rgbBits bitDepth: Int, hasAlpha: Bool = false) {
    (model, chroma, self.bitDepth, self.hasAlpha) = (.rgb, .s444, bitDepth, hasAlpha)
  }

  /// The layouts that have a code and a name.
  package static let all: [PlanarFormat] = {
    let depths = [8, 10, 12, 16]
    let opaque = depths.flatMap { depth in
      [ChromaSubsampling.s420, .s422, .s444, .none].map { PlanarFormat($0, bitDepth: depth) }
    }
    let layered = depths.flatMap { depth in
      [ChromaSubsampling.s420, .s422, .s444].map { PlanarFormat($0, bitDepth: depth, hasAlpha: true) }
    }
    let rgb = depths.flatMap { depth in
      [false, true].map { PlanarFormat(rgbBits: depth, hasAlpha: $0) }
    }
    // FFmpeg knows no Y'CbCr 4:2:0 of 12 bits with alpha.
    return (opaque + layered + rgb).filter { !($0.hasAlpha && $0.chroma == .s420 && $0.bitDepth == 12) }
  }()

  /// The bytes of a sample.
  package var sampleBytes: Int { bitDepth > 8 ? 2 : 1 }

  /// FFmpeg's name (`pix_fmt`).
  package var name: String {
    let depth = bitDepth == 8 ? "" : bitDepth > 8 ? "\(bitDepth)le" : ""
    switch model {
    case .grey: return "gray" + depth
    case .rgb: return (hasAlpha ? "gbrap" : "gbrp") + depth
    default:
      return (hasAlpha ? "yuva" : "yuv") + chroma.rawValue.filter { $0 != ":" } + "p" + depth
    }
  }

  /// Finds a layout by FFmpeg's name; `nil` for others. `yuvj` names are those of full range, which tags say.
  package init?(named name: String) {
    let plain = name.hasPrefix("yuvj") ? "yuv" + name.dropFirst(4) : name
    guard let found = Self.all.first(where: { $0.name == plain }) else { return nil }
    self = found
  }

  /// The code of the layout in NUT, as FFmpeg writes and reads it: letters for 8 bits, else `Y` or `G`, the number of
  /// planes, the shifts of chroma by digits, and the bits.
  package var code: FourCC {
    if bitDepth == 8, model != .rgb, !hasAlpha {
      switch chroma {
      case .none: return "Y800"
      case .s420: return "I420"
      case .s422: return "Y42B"
      default: return "444P"
      }
    }
    let shifts =
      switch chroma {
      case .s420: 11
      case .s422: 10
      default: 0
      }
    let planes = model == .grey ? "1" : hasAlpha ? "4" : "3"
    let letters = [UInt8(ascii: model == .rgb ? "G" : "Y")] + planes.utf8
    return FourCC(
      rawValue: (letters + [UInt8(shifts), UInt8(bitDepth)]).reduce(0) { $0 << 8 | UInt32($1) })
  }

  /// Finds a layout by its code in NUT; `nil` for others.
  package init?(code: FourCC) {
    guard let found = Self.all.first(where: { $0.code == code }) else { return nil }
    self = found
  }

  /// The size of each plane of a picture, in samples. Odd sides of chroma are rounded up.
  package func planeSizes(width: Int, height: Int) -> [(width: Int, height: Int)] {
    let full = (width, height)
    guard model != .grey else { return [full] }
    let horizontal = chroma.horizontalShift, vertical = chroma.verticalShift
    let small = ((width + (1 << horizontal) - 1) >> horizontal, (height + (1 << vertical) - 1) >> vertical)
    return [full, small, small] + (hasAlpha ? [full] : [])
  }

  /// The bytes of a picture.
  package func byteCount(width: Int, height: Int) -> Int {
    planeSizes(width: width, height: height).reduce(0) { $0 + $1.width * $1.height } * sampleBytes
  }
}
