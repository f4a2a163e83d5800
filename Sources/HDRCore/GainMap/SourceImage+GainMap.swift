extension SourceImage {
  /// The gain map as a separate picture, turned and cropped like the main one; `nil` without a map. Its codes are taken
  /// as sRGB signals, so that a rendition in sRGB has the same codes.
  ///
  /// A map is data, not colour (docs/gain-map-maths.md#the-map-as-a-picture); `gainMap.metadata` says what its codes
  /// mean. A crop that does not fall on whole map samples is rounded to the nearest ones.
  package var auxiliaryGainMap: SourceImage? {
    guard let map = gainMap else { return nil }
    func span(_ start: Int, _ count: Int, _ size: Int, _ mapSize: Int) -> (start: Int, count: Int) {
      let first = min((2 * start * mapSize + size) / (2 * size), mapSize - 1)
      let end = min((2 * (start + count) * mapSize + size) / (2 * size), mapSize)
      return (first, max(end - first, 1))
    }
    let across = span(geometry.crop.x, geometry.crop.width, image.width, map.image.width)
    let down = span(geometry.crop.y, geometry.crop.height, image.height, map.image.height)
    return SourceImage(
      format: format, image: map.image,
      color: SourceColor(
        matrix: map.matrix, fullRange: map.fullRange,
        encoding: .cicp(primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.sRGB)),
      geometry: Geometry(
        crop: PixelRect(x: across.start, y: down.start, width: across.count, height: down.count),
        orientation: geometry.orientation))
  }

  /// Lowers the headroom of Apple's map to a cap, as programs do that know no brighter one. Maps of other kinds, and those
  /// of less headroom, stay as they are.
  package mutating func capAppleHeadroom(at cap: Headroom) {
    guard let apple = gainMap?.metadata.apple, let headroom = apple.headroom, headroom > cap.factor else { return }
    gainMap?.metadata = GainMapMetadata(AppleGainMap(given: cap.factor, version: apple.version))
  }
}
