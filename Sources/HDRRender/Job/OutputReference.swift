import HDRCore
import HDRPlan
import ImageFiles

/// A rendition before it is coded, which the coded file is compared with.
///
/// The light is rendered a second time, by the plan of the output but with 16 bits, a chroma sample for each pixel and
/// no dither: what depth and chroma of the file lose counts too. It is made before the source is freed, and stays in
/// memory until the file is judged, so that any number of files can be compared with it.
package struct OutputReference: Sendable {
  /// The rendition: R'G'B' of 16 bits or floats of light, with its gain map for Adaptive HDR.
  package var light: SourceImage
  /// The samples that the encoder got, which words are compared with.
  package var coded: SourceImage

  package init(light: SourceImage, coded: SourceImage) { (self.light, self.coded) = (light, coded) }
}

extension OutputReference {
  /// Makes the reference of a rendition.
  ///
  /// - Parameters:
  ///   - light: the rendition in 16 bits or floats; `nil`: the request's own samples.
  ///   - cicp: the code points of `light`.
  init(_ request: EncodeRequest, light: SampleImage?, cicp: CICP) {
    let isPremultiplied = request.kind.takesPremultiplied
    func picture(_ image: SampleImage, _ color: SourceColor) -> SourceImage {
      var image = image
      // An opaque file has its picture on black.
      if !request.hasAlpha || request.kind.isOpaque { image.alpha = nil }
      // As readers have samples of 8 bits.
      image = image.narrowed(toBits: image.bitDepth)
      image.alphaIsPremultiplied = isPremultiplied && image.alpha != nil
      return SourceImage(
        format: request.kind.format, image: image, color: color,
        geometry: Geometry(width: image.width, height: image.height), light: request.light)
    }
    coded = picture(request.image, SourceColor(request.cicp, icc: request.icc))
    self.light = light.map { picture($0, SourceColor(ofRGB: cicp)) } ?? coded
  }

  /// Makes the reference of an Adaptive HDR file.
  ///
  /// - Parameter base: the base in full chroma, with the source's gain map if its payload is kept.
  init(_ request: AdaptiveRequest, base: SourceImage) {
    var light = base, coded = base
    if case .samples(var image) = request.base {
      image.alpha = nil
      coded.image = image
      coded.color = SourceColor(request.baseColor.cicp, icc: request.baseColor.icc)
      coded.geometry = Geometry(width: image.width, height: image.height)
    }
    light.image.alpha = nil
    light.light = request.baseLight
    coded.light = request.baseLight
    var map = base.gainMap?.image
    var (matrix, isFull) = (base.gainMap?.matrix ?? CICP.Matrix.identity, base.gainMap?.fullRange ?? true)
    if case .samples(var image) = request.map {
      image.alpha = nil
      map = image
      (matrix, isFull) = (image.model == .rgb ? CICP.Matrix.identity : request.mapColor.matrix, true)
    }
    let alternate = base.gainMap?.alternateColor ?? request.alternateColor.map { SourceColor($0.cicp, icc: $0.icc) }
    light.gainMap = map.map {
      GainMap(
        metadata: request.metadata, image: $0, matrix: matrix, fullRange: isFull, alternateColor: alternate,
        bindings: [])
    }
    light.gainMap?.alternateLight = request.alternateLight
    coded.gainMap = light.gainMap
    (self.light, self.coded) = (light, coded)
  }
}

extension SourceColor {
  /// Makes the colour of samples with these code points.
  init(_ cicp: CICP, icc: [UInt8]? = nil) {
    self.init(
      matrix: cicp.matrix, fullRange: cicp.fullRange,
      encoding: .cicp(primaries: cicp.primaries, transfer: cicp.transfer), cicp: cicp, icc: icc)
  }

  /// Makes the colour of R'G'B' with the primaries and the transfer of code points.
  init(ofRGB cicp: CICP) {
    self.init(CICP(cicp.primaries, cicp.transfer, CICP.Matrix.identity, full: true))
  }
}
