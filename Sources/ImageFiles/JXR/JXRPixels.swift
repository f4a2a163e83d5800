import HDRCore

/// Samples of a JPEG XR picture as pictures here hold them: integers and halves interleaved, R, G, B and alpha in this
/// order; floats, fixed point and RGBE as planes of binary32. NaN is 0, infinity the largest half.
package struct JXRPixels {
  let file: JXRContainer
  /// True if alpha beside floats is kept.
  let keepsAlpha: Bool

  package init(file: JXRContainer, keepsAlpha: Bool) { (self.file, self.keepsAlpha) = (file, keepsAlpha) }

  private var format: JXRFormat { file.format }

  private var stored: SampleFormat {
    switch format.sample {
    case _ where format.isRGBE: .float32
    case .byte, .bits555, .bits565: .uint8
    case .word, .bits101010: .uint16
    case .half: .float16
    case .fixed16, .fixed32, .float: .float32
    }
  }

  private var alpha: Int? {
    guard file.alpha != nil || file.hasInterleavedAlpha, !format.isLinear || keepsAlpha else { return nil }
    return format.alpha
  }

  /// True if the file has alpha that is not read.
  var leavesAlpha: Bool { alpha == nil && (file.alpha != nil || file.hasInterleavedAlpha) }

  private var channels: Int { format.colors.count + (alpha == nil ? 0 : 1) }

  /// The result without pixels.
  var description: SampleImage {
    let isGrey = format.colors.count == 1
    return SampleImage(
      width: file.width, height: file.height, model: isGrey ? .grey : .rgb, format: stored,
      bitDepth: format.sample == .bits101010 ? 10 : stored.bytes * 8, chroma: isGrey ? .none : .s444, channels: [],
      alphaIsPremultiplied: alpha != nil && format.isPremultiplied)
  }

  /// The bits of a sample that the file holds, where a picture holds others.
  var statedBits: Int? { [.bits555, .bits565].contains(format.sample) ? 5 : nil }

  /// Takes decoded samples over.
  ///
  /// - Parameters:
  ///   - samples: rows of pixels as the file's format lays them out.
  ///   - rowBytes: bytes from a row to the next.
  /// - Returns: the picture, and true if alpha that is left out differs from 1 anywhere.
  package func image(_ samples: UnsafeRawPointer, rowBytes: Int) -> (image: SampleImage, leavesShape: Bool) {
    let target = Target(description, channels: channels, isPlanar: stored == .float32), order = order
    var madeFinite = 0
    for y in 0..<file.height {
      let row = samples + y * rowBytes
      switch stored {
      case .uint8 where format.sample == .byte: target.copy(row, y, UInt8.self, order, step: format.bytes)
      case .uint8: unpack16(row, target.row(y, UInt8.self))
      case .uint16 where format.sample == .word: target.copy(row, y, UInt16.self, order, step: format.bytes / 2)
      case .uint16: unpack32(row, target.row(y, UInt16.self))
      case .float16:
        target.copy(row, y, UInt16.self, order, step: format.bytes / 2)
        madeFinite += Self.clean(target.row(y, UInt16.self), file.width * channels)
      case .float32: madeFinite += convert(row, y, target)
      }
    }
    if alpha != nil, format.isLinear { target.limitAlpha() }
    var image = target.image
    image.madeFinite = madeFinite
    return (image, leavesAlpha && hasShape(samples, rowBytes))
  }

  /// The places of the result's channels in a pixel.
  private var order: [Int] { format.colors + (alpha.map { [$0] } ?? []) }

  /// Makes NaN 0 and infinity the largest half.
  ///
  /// - Returns: the number of both.
  private static func clean(_ halves: UnsafeMutablePointer<UInt16>, _ count: Int) -> Int {
    var found = 0
    for index in 0..<count where halves[index] & 0x7C00 == 0x7C00 {
      let word = halves[index]
      halves[index] = word & 0x03FF == 0 ? word & 0x8000 | 0x7BFF : 0
      found += 1
    }
    return found
  }

  /// Makes bytes of words of 5 or 6 bits: red is the upper part.
  private func unpack16(_ row: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt8>) {
    let green = format.sample == .bits565 ? 63 : 31, shift = format.sample == .bits565 ? 11 : 10
    func byte(_ code: Int, _ most: Int) -> UInt8 { UInt8((code * 255 + most / 2) / most) }
    for x in 0..<file.width {
      let word = Int(row.load(fromByteOffset: 2 * x, as: UInt16.self))
      out[3 * x] = byte(word >> shift & 31, 31)
      out[3 * x + 1] = byte(word >> 5 & green, green)
      out[3 * x + 2] = byte(word & 31, 31)
    }
  }

  /// Takes words of three times 10 bits apart: red is the upper part.
  private func unpack32(_ row: UnsafeRawPointer, _ out: UnsafeMutablePointer<UInt16>) {
    for x in 0..<file.width {
      let word = row.load(fromByteOffset: 4 * x, as: UInt32.self)
      for color in 0..<3 { out[3 * x + color] = UInt16(word >> UInt32(20 - 10 * color) & 1023) }
    }
  }

  /// Makes floats of a row.
  ///
  /// - Returns: the number of those that were NaN or infinite.
  private func convert(_ row: UnsafeRawPointer, _ y: Int, _ target: Target) -> Int {
    let bytes = format.bytes, width = file.width
    var found = 0
    for (plane, place) in order.enumerated() {
      let out = target.row(y, Float.self, plane: plane)
      switch format.sample {
      case .fixed16:
        for x in 0..<width { out[x] = Float(row.load(fromByteOffset: bytes * x + 2 * place, as: Int16.self)) / 8192 }
      case .fixed32:
        for x in 0..<width {
          out[x] = Float(Double(row.load(fromByteOffset: bytes * x + 4 * place, as: Int32.self)) / 16_777_216)
        }
      case .float:
        for x in 0..<width {
          let value = row.load(fromByteOffset: bytes * x + 4 * place, as: Float.self)
          out[x] = value.isNaN ? 0 : max(-65_504, min(65_504, value))
          found += value.isFinite ? 0 : 1
        }
      default:
        for x in 0..<width {
          let pixel = (row + bytes * x).assumingMemoryBound(to: UInt8.self)
          out[x] = Self.light(pixel[place], exponent: pixel[3])
        }
      }
    }
    return found
  }

  /// The value of a byte with a common exponent: m * 2^(e - 136); of exponent 0 black.
  package static func light(_ mantissa: UInt8, exponent: UInt8) -> Float {
    exponent == 0 ? 0 : min(65_504, Float(sign: .plus, exponent: Int(exponent) - 136, significand: Float(mantissa)))
  }

  /// True if alpha differs from 1 anywhere.
  private func hasShape(_ samples: UnsafeRawPointer, _ rowBytes: Int) -> Bool {
    guard let place = format.alpha else { return false }
    let bytes = format.bytes
    func isWhole(_ at: UnsafeRawPointer) -> Bool {
      switch format.sample {
      case .half: at.load(fromByteOffset: 2 * place, as: UInt16.self) == 0x3C00
      case .float: at.load(fromByteOffset: 4 * place, as: Float.self) == 1
      case .fixed16: at.load(fromByteOffset: 2 * place, as: Int16.self) == 8192
      default: at.load(fromByteOffset: 4 * place, as: Int32.self) == 16_777_216
      }
    }
    return (0..<file.height).contains { y in
      let row = samples + y * rowBytes
      return (0..<file.width).contains { !isWhole(row + bytes * $0) }
    }
  }

  /// The memory of the result.
  private final class Target {
    let image: SampleImage
    private let buffer: PixelBuffer
    private let channels: Int

    init(_ description: SampleImage, channels: Int, isPlanar: Bool) {
      let width = description.width, height = description.height, bytes = description.format.bytes
      self.channels = channels
      buffer = PixelBuffer(uninitializedByteCount: width * height * channels * bytes)
      let step = isPlanar ? bytes : bytes * channels
      let planes = (0..<channels).map { [buffer] in
        SamplePlane(
          buffer: buffer, offset: $0 * bytes * (isPlanar ? width * height : 1), rowBytes: width * step, stepBytes: step,
          width: width, height: height)
      }
      let colors = description.model == .grey ? 1 : 3
      var image = description
      image.channels = Array(planes[..<colors])
      image.alpha = channels > colors ? planes[colors] : nil
      self.image = image
    }

    /// Returns the place of a row; of a plane where the picture is planes.
    func row<Word>(_ y: Int, _ type: Word.Type, plane: Int = 0) -> UnsafeMutablePointer<Word> {
      let first = image.channels.count > plane ? image.channels[plane] : image.alpha ?? image.channels[0]
      return (buffer.base + first.offset + y * first.rowBytes).assumingMemoryBound(to: Word.self)
    }

    /// Copies a row of interleaved words, whose pixels are `step` words apart.
    func copy<Word: FixedWidthInteger>(_ row: UnsafeRawPointer, _ y: Int, _ type: Word.Type, _ order: [Int], step: Int)
    {
      let from = row.assumingMemoryBound(to: Word.self), out = self.row(y, type)
      for (place, source) in order.enumerated() {
        for x in 0..<image.width { out[x * channels + place] = from[x * step + source] }
      }
    }

    /// Limits alpha of floats to 0...1.
    func limitAlpha() {
      guard let alpha = image.alpha else { return }
      for y in 0..<image.height {
        let row = buffer.base + alpha.offset + y * alpha.rowBytes
        for x in 0..<image.width {
          let at = row + x * alpha.stepBytes
          if image.format == .float16 {
            let word = at.load(as: UInt16.self)
            // Words of numbers below 0 have the sign; above 1 is what exceeds the word of 1.
            at.storeBytes(of: word & 0x8000 != 0 ? 0 : min(word, 0x3C00), as: UInt16.self)
          } else {
            at.storeBytes(of: max(0, min(1, at.load(as: Float.self))), as: Float.self)
          }
        }
      }
    }
  }
}
