import HDRCore

/// The components of a JPEG 2000 picture by what they are: one or three colours or four inks, and alpha.
package struct JP2Layout: Sendable, Hashable {
  /// The components of the colours, in the order grey; red (luma), green, blue; or cyan, magenta, yellow, black.
  package private(set) var colors: [Int]
  package private(set) var alpha: Int?
  package private(set) var isPremultiplied = false

  /// Finds the components of a file; of a code stream without a word about them, the second or fourth is alpha.
  ///
  /// - Throws: `.malformed` for definitions without one or three colours or four inks; `.unsupported` for inks of several
  ///   depths.
  package init(_ file: JP2Container, warnings: inout [Warning]) throws(DecodeError) {
    let count = file.stream.components.count, inks = file.isCMYK ? 4 : nil
    guard count >= inks ?? 1 else {
      throw .malformed(where: JP2Container.place, what: "CMYK of \(count) components")
    }
    if inks != nil, Set(file.stream.components.map(\.bits)).count > 1 {
      throw .unsupported(feature: "these samples of JPEG 2000", found: "inks of several depths")
    }
    guard let channels = file.channels else {
      colors = Array(0..<(inks ?? (count < 3 ? 1 : 3)))
      if count > colors.count, file.isBare {
        alpha = colors.count
      } else if count > colors.count {
        warnings.append(
          Warning("jp2.extra", "a component of which the file does not say what it is (cdef) is left out"))
      }
      return
    }
    var places: [Int: Int] = [:]
    for (index, channel) in channels.enumerated() {
      switch channel {
      case .color(let place) where place < inks ?? 3: places[place] = places[place] ?? index
      case .alpha(let premultiplied):
        if alpha == nil { (alpha, isPremultiplied) = (index, premultiplied) }
      case .color, .other:
        warnings.append(Warning("jp2.extra", "a component that is neither colour nor alpha is left out"))
      }
    }
    let wanted = inks ?? (places.count == 1 ? 1 : 3)
    colors = (0..<wanted).compactMap { places[$0] }
    guard colors.count == places.count, colors.count == wanted else {
      throw .malformed(where: "cdef box", what: "it defines \(places.count) colours")
    }
  }
}
