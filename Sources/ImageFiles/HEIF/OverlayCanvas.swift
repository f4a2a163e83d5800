import HDRCore

/// The canvas of an overlay: planes on which pictures are laid one after another. Where a picture has alpha, codes are
/// mixed, which ISO/IEC 23008-12 leaves to the reader.
struct OverlayCanvas {
  let image: SampleImage
  /// The codes of black, one a plane.
  let black: [Int]

  /// Gives all samples of the canvas their code.
  ///
  /// - Parameter alpha: of 16 bits.
  func fill(_ codes: [Int], alpha: Int) {
    for (plane, code) in zip(image.channels, codes) { Self.fill(plane, code) }
    guard let plane = image.alpha else { return }
    let most = 1 << image.alphaBitDepth - 1
    Self.fill(plane, (alpha * most + 32_767) / 65_535)
  }

  private static func fill(_ plane: SamplePlane, _ code: Int) {
    for y in 0..<plane.height { for x in 0..<plane.width { store(code, plane, x, y) } }
  }

  /// Lays a picture on the canvas, turned and cropped by its geometry.
  ///
  /// - Parameter x, y: the place of its top left corner. With subsampled chroma it must lie on a chroma sample.
  func draw(_ layer: SampleImage, _ geometry: Geometry, x: Int, y: Int) {
    let columns = max(0, x)..<max(0, x, min(image.width, x + geometry.outputWidth))
    let rows = max(0, y)..<max(0, y, min(image.height, y + geometry.outputHeight))
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let map = geometry.mapping
    func stored(_ canvasX: Int, _ canvasY: Int) -> (x: Int, y: Int) {
      let x = canvasX - x, y = canvasY - y
      return (map.x0 + x * map.columnX + y * map.rowX, map.y0 + x * map.columnY + y * map.rowY)
    }
    for (index, to) in image.channels.enumerated() {
      let from = layer.channels[index], isChroma = index > 0
      let h = isChroma ? image.chroma.horizontalShift : 0, v = isChroma ? image.chroma.verticalShift : 0
      let layerH = isChroma ? layer.chroma.horizontalShift : 0, layerV = isChroma ? layer.chroma.verticalShift : 0
      for row in rows.lowerBound >> v..<(rows.upperBound + (1 << v) - 1) >> v {
        for column in columns.lowerBound >> h..<(columns.upperBound + (1 << h) - 1) >> h {
          let place = stored(column << h, row << v)
          let code = Self.code(from, place.x >> layerH, place.y >> layerV)
          let mixed = layer.alpha == nil ? code : mix(code, layer, place, index, to, column, row)
          Self.store(mixed, to, column, row)
        }
      }
    }
    guard let to = image.alpha else { return }
    let most = Double(1 << image.alphaBitDepth - 1)
    for row in rows {
      for column in columns {
        let share = share(layer, stored(column, row)), below = Double(Self.code(to, column, row)) / most
        Self.store(Int((share + below * (1 - share)) * most + 0.5), to, column, row)
      }
    }
  }

  /// Returns a picture's alpha, 0...1.
  private func share(_ layer: SampleImage, _ place: (x: Int, y: Int)) -> Double {
    guard let plane = layer.alpha else { return 1 }
    return Double(Self.code(plane, place.x, place.y)) / Double(1 << layer.alphaBitDepth - 1)
  }

  /// Returns a picture's code mixed with the canvas's.
  private func mix(
    _ code: Int, _ layer: SampleImage, _ place: (x: Int, y: Int), _ index: Int, _ to: SamplePlane, _ column: Int,
    _ row: Int
  ) -> Int {
    let share = share(layer, place), below = Self.code(to, column, row)
    if share <= 0 { return below }
    var own = Double(code)
    if layer.alphaIsPremultiplied { own = Double(black[index]) + (own - Double(black[index])) / share }
    let under = image.alpha.map { Double(Self.code($0, column, row)) / Double(1 << image.alphaBitDepth - 1) } ?? 1
    let rest = under * (1 - share)
    let value = (share * own + rest * Double(below)) / (share + rest)
    return Int(min(max(value + 0.5, 0), Double(1 << image.bitDepth - 1)))
  }

  private static func code(_ plane: SamplePlane, _ x: Int, _ y: Int) -> Int {
    let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
    return plane.stepBytes == 1 ? Int(at.load(as: UInt8.self)) : Int(at.loadUnaligned(as: UInt16.self))
  }

  private static func store(_ code: Int, _ plane: SamplePlane, _ x: Int, _ y: Int) {
    let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
    if plane.stepBytes == 1 {
      at.storeBytes(of: UInt8(truncatingIfNeeded: code), as: UInt8.self)
    } else {
      at.storeBytes(of: UInt16(truncatingIfNeeded: code), as: UInt16.self)
    }
  }
}
