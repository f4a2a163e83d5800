import FileParts
import HDRCore

/// Overlays (`iovl`).
extension ItemPictures {
  private func overlay(_ id: Int) throws(DecodeError) -> Overlay {
    try Overlay(try file.data(of: id), items: file.targets("dimg", from: id))
  }

  /// Describes the canvas. Chroma is that of the pictures if all lie on whole chroma samples, else 4:4:4.
  ///
  /// - Throws: `.unsupported` for pictures of different samples or colours, and for an overlay in an overlay, whose
  ///   pictures could be described without end.
  func describeOverlay(
    _ id: Int, _ properties: ItemProperties, width: Int, height: Int, path: [Int]
  ) throws(DecodeError) -> ItemPicture {
    let overlay = try overlay(id)
    guard overlay.width == width, overlay.height == height else {
      throw .malformed(
        where: "iovl item",
        what: "its size \(overlay.width)x\(overlay.height) is not that of ispe, \(width)x\(height)")
    }
    guard !path.dropLast().contains(where: { file.items[$0]?.type == "iovl" }) else {
      throw .unsupported(feature: "an overlay within an overlay", found: "item \(id)")
    }
    let first = try describe(overlay.layers[0].item, path: path)
    var isWhole = true
    for layer in overlay.layers {
      let picture = try describe(layer.item, path: path)
      try check(picture, against: first)
      let format = first.format.chroma, h = 1 << format.horizontalShift - 1, v = 1 << format.verticalShift - 1
      let isTurned =
        try Geometry(width: picture.width, height: picture.height, transforms: picture.transforms)
        != Geometry(width: picture.width, height: picture.height)
      if isTurned || layer.x & h != 0 || layer.y & v != 0 || picture.format.chroma != format
        || picture.format.alphaBitDepth != nil || alphaItem(of: layer.item) != nil
      {
        isWhole = false
      }
    }
    var picture = first
    picture.properties = properties.filled(from: first.properties)
    (picture.width, picture.height, picture.transforms) = (width, height, properties.transforms)
    if !isWhole, picture.format.chroma != .none { picture.format.chroma = .s444 }
    picture.format.alphaBitDepth = overlay.isTransparent ? picture.format.bitDepth : nil
    return picture
  }

  private func check(_ picture: ItemPicture, against first: ItemPicture) throws(DecodeError) {
    let (one, other) = (picture.format, first.format)
    guard one.bitDepth == other.bitDepth, one.isRGB == other.isRGB, (one.chroma == .none) == (other.chroma == .none)
    else {
      throw .unsupported(
        feature: "an overlay of pictures of different samples",
        found: "\(one.bitDepth) bit \(one.chroma.rawValue), \(other.bitDepth) bit \(other.chroma.rawValue)")
    }
    guard picture.properties.nclx == first.properties.nclx, picture.properties.icc == first.properties.icc else {
      throw .unsupported(feature: "an overlay of pictures of different colours", found: "other colour boxes")
    }
  }

  private func alphaItem(of id: Int) -> Int? {
    var ignored: [Warning] = []
    return file.auxiliaries(of: id, warnings: &ignored).first { HEIFFile.alphaURNs.contains($0.urn) }?.id
  }

  /// Decodes the pictures one after another and lays them on the canvas.
  func composeOverlay(_ id: Int, _ picture: ItemPicture, path: [Int]) throws(DecodeError) -> SampleImage {
    let overlay = try overlay(id)
    try charge(picture.width * picture.height)
    var canvas: OverlayCanvas?
    for layer in overlay.layers {
      let described = try describe(layer.item, path: path)
      var image = try decode(layer.item, path: path)
      if image.alpha == nil, let alpha = alphaItem(of: layer.item) {
        let isPremultiplied = file.targets("prem", from: layer.item).contains(alpha)
        let mask = try decode(alpha, path: path)
        guard image.attachAlpha(mask, isPremultiplied: isPremultiplied) else {
          throw .malformed(where: "iovl item", what: "alpha of item \(layer.item) has another size")
        }
      }
      // Memory for the canvas is allocated only after the first picture is decoded.
      if canvas == nil { canvas = try self.canvas(overlay, picture) }
      canvas?.draw(
        image, try Geometry(width: described.width, height: described.height, transforms: described.transforms),
        x: layer.x, y: layer.y)
    }
    guard let canvas else { throw .malformed(where: "iovl item", what: "it is made of no picture") }
    return canvas.image
  }

  private func canvas(_ overlay: Overlay, _ picture: ItemPicture) throws(DecodeError) -> OverlayCanvas {
    let canvas = OverlayCanvas(
      image: picture.format.makeImage(width: picture.width, height: picture.height),
      black: try codes(of: [0, 0, 0], picture))
    canvas.fill(try codes(of: overlay.fill.prefix(3).map { Double($0) / 65_535 }, picture), alpha: overlay.fill[3])
    return canvas
  }

  // MARK: Fill

  /// Returns the codes of an sRGB colour in a picture, one a plane. Of an ICC profile it is the R'G'B' as it stands.
  private func codes(of rgb: [Double], _ picture: ItemPicture) throws(DecodeError) -> [Int] {
    let format = picture.format
    var ignored: [Warning] = []
    let color = try SourceColor(
      picture.properties, stream: format.color, range: limits.reading.fullRange, isGrey: format.chroma == .none,
      limits: limits, warnings: &ignored)
    let signal = Self.signal(rgb, color.encoding),
      range = SampleRange(bits: format.bitDepth, fullRange: color.fullRange)
    func luma(_ value: Double) -> Int { range.codes([value, 0, 0], bits: format.bitDepth)[0] }
    if format.isRGB { return signal.map(luma) }
    if format.chroma != .none, color.matrix == CICP.Matrix.identity {
      return [signal[1], signal[2], signal[0]].map(luma)
    }
    let primaries = color.cicp?.primaries ?? CICP.Primaries.bt709
    guard let weights = YCbCr(matrix: color.matrix, primaries: primaries) else {
      guard signal.allSatisfy({ $0 == signal[0] }) else {
        throw .unsupported(feature: "a coloured canvas of an overlay", found: "matrix coefficients \(color.matrix)")
      }
      return range.codes([signal[0], 0, 0], bits: format.bitDepth)
    }
    return Array(range.codes(weights.fromRGB(signal), bits: format.bitDepth).prefix(format.chroma == .none ? 1 : 3))
  }

  /// Returns the signal of an sRGB colour in an encoding; white is reference white.
  private static func signal(_ rgb: [Double], _ encoding: ColorEncoding) -> [Double] {
    guard case .cicp(let code, let transfer) = encoding, rgb.contains(where: { $0 > 0 }),
      let matrix = Primaries(code: code).flatMap({ Primaries.bt709.matrix(to: $0) })
    else { return rgb }
    let light = (matrix * rgb.map(Transfer.sRGBDecode)).map { max(0, $0) }
    switch transfer {
    case CICP.Transfer.pq: return light.map { Transfer.pqInverseEOTF($0 * ReferenceWhite.nits) }
    case CICP.Transfer.hlg: return Transfer.hlgInverseEOTF(light.map { $0 * ReferenceWhite.nits }, peak: 1000)
    case CICP.Transfer.linear: return light
    default: return light.map(Transfer.sRGBEncode)
    }
  }
}
