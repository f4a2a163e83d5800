import Foundation
import HDRCore
import ImageFiles

/// Pictures and requests of the Adaptive HDR HEIC and AVIF tests.
enum AdaptiveHEIF {
  /// The layout of a test's picture.
  struct Layout: Sendable, CustomStringConvertible {
    var chroma: ChromaSubsampling
    var bits: Int
    init(_ chroma: ChromaSubsampling, _ bits: Int) {
      self.chroma = chroma
      self.bits = bits
    }
    var description: String { "\(chroma.rawValue) \(bits) bits" }
  }

  static let layouts = [ChromaSubsampling.none, .s420, .s444].flatMap { [Layout($0, 8), Layout($0, 10)] }

  /// Soft waves over most of the range, planar.
  static func picture(_ width: Int, _ height: Int, _ layout: Layout) -> SampleImage {
    let image = SampleImage.planar(
      width: width, height: height, model: layout.chroma == .none ? .grey : .ycc,
      format: layout.bits > 8 ? .uint16 : .uint8, bitDepth: layout.bits, chroma: layout.chroma)
    let peak = Double(1 << layout.bits - 1)
    for (index, plane) in image.channels.enumerated() {
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let wave = sin(Double(x) * 0.11 + Double(index)) + cos(Double(y) * 0.07 - Double(index))
          let value = (index == 0 ? 0.45 + 0.2 * wave : 0.5 + 0.06 * wave) * peak
          let at = plane.buffer.base + y * plane.rowBytes + x * plane.stepBytes
          if layout.bits > 8 {
            at.storeBytes(of: UInt16(value), as: UInt16.self)
          } else {
            at.storeBytes(of: UInt8(value), as: UInt8.self)
          }
        }
      }
    }
    return image
  }

  /// Largest and mean distance of samples, as a share of the range.
  static func difference(_ a: SampleImage, _ b: SampleImage) -> (mean: Double, worst: Double) {
    guard a.width == b.width, a.height == b.height, a.chroma == b.chroma, a.bitDepth == b.bitDepth,
      a.channels.count == b.channels.count
    else { return (.infinity, .infinity) }
    var sum = 0, worst = 0, count = 0
    for (a, b) in zip(a.channels, b.channels) {
      for y in 0..<a.height {
        for x in 0..<a.width {
          let distance = abs(a.value(x, y) - b.value(x, y))
          sum += distance
          count += 1
          worst = max(worst, distance)
        }
      }
    }
    let peak = Double(1 << a.bitDepth - 1)
    return (Double(sum) / Double(count) / peak, Double(worst) / peak)
  }

  /// Metadata as a file holds it: fractions that are no writer's defaults.
  static func metadata(channels: Int = 1, hdrBase: Bool = false) -> GainMapMetadata {
    let rows = (0..<Int64(channels)).map { index in
      ISO21496.Channel(
        min: Rational32(-256_907 - index, 1_000_000), max: Rational32(1_277_177, 1_000_000 + UInt32(index)),
        gamma: Rational32(119_223, 125_000), baseOffset: Rational32(1, 64), alternateOffset: Rational32(3, 128))
    }
    let sdr = Rational32(0, 1), hdr = Rational32(13, 10)
    let iso = ISO21496(
      baseHeadroom: hdrBase ? hdr : sdr, alternateHeadroom: hdrBase ? sdr : hdr, channels: rows,
      usesBaseColorSpace: !hdrBase)
    return GainMapMetadata(iso, rawPayload: iso.serialized(for: .jpeg))
  }

  /// An SDR base in Display P3 with a PQ alternate.
  static func request(
    _ container: AdaptiveContainer, base: AdaptivePicture, map: AdaptivePicture, mapMatrix: Int = 6
  ) -> AdaptiveRequest {
    AdaptiveRequest(
      container: container, base: base, baseColor: AdaptiveColor(cicp: CICP(12, 13, 6, full: true)), map: map,
      mapColor: CICP(2, 2, mapMatrix, full: true), metadata: metadata(),
      alternateColor: AdaptiveColor(cicp: CICP(12, 16, 6, full: true)))
  }

  static func request(
    _ container: AdaptiveContainer, _ width: Int = 96, _ height: Int = 80, base: Layout = Layout(.s420, 8),
    map: Layout = Layout(.none, 8)
  ) -> AdaptiveRequest {
    request(
      container, base: .samples(picture(width, height, base)),
      map: .samples(picture((width + 1) / 2, (height + 1) / 2, map)))
  }

  /// Lossless payloads: what is decoded must be what went in.
  static func lossless(_ image: SampleImage, _ container: AdaptiveContainer, cicp: CICP) throws -> HEIFCodedPicture {
    let properties = [HEIFBox.nclx(cicp), HEIFBox.pixi(bitDepth: image.bitDepth, channels: image.channels.count)].map {
      HEIFCodedPicture.Property(box: $0, isEssential: false)
    }
    let item: HEIFCodedItem
    if container == .avif {
      let coded = try AV1Encoder.encode(
        image, cicp: cicp, settings: AV1Encoder.Settings(quality: 90, isLossless: true))
      item = HEIFCodedItem(
        type: "av01", configuration: HEIFBox.av1C(coded.configuration), data: coded.data, width: coded.width,
        height: coded.height)
    } else {
      let coded = try HEVCEncoder.encode(
        image, cicp: cicp, settings: HEVCEncoder.Settings(quality: 90, isLossless: true))
      item = HEIFCodedItem(
        type: "hvc1", configuration: HEIFBox.hvcC(coded.configuration), data: coded.data, width: coded.width,
        height: coded.height)
    }
    return HEIFCodedPicture(items: [item], width: item.width, height: item.height, properties: properties)
  }

  static func kept(_ picture: AdaptivePicture?) -> HEIFCodedPicture? {
    if case .heif(let picture) = picture { picture } else { nil }
  }
}
