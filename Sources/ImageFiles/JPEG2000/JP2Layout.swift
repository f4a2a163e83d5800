import HDRCore

/// The components of a JPEG 2000 picture by what they are: one or three colours, and alpha.
package struct JP2Layout: Sendable, Hashable {
  /// The components of the colours, in the order grey, or red (luma), green, blue.
  package private(set) var colors: [Int]
  package private(set) var alpha: Int?
  package private(set) var isPremultiplied = false

  /// Finds the components of a file; of a code stream without a word about them, the second or fourth is alpha.
  ///
  /// - Throws: `.malformed` for definitions without one or three colours.
  package init(_ file: JP2Container, warnings: inout [Warning]) throws(DecodeError) {
    let count = file.stream.components.count
    guard let channels = file.channels else {
      colors = Array(0..<(count < 3 ? 1 : 3))
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
      case .color(let place): places[place] = places[place] ?? index
      case .alpha(let premultiplied):
        if alpha == nil { (alpha, isPremultiplied) = (index, premultiplied) }
      case .other: warnings.append(Warning("jp2.extra", "a component that is neither colour nor alpha is left out"))
      }
    }
    colors = (0..<(places.count == 1 ? 1 : 3)).compactMap { places[$0] }
    guard colors.count == places.count, colors.count == 1 || colors.count == 3 else {
      throw .malformed(where: "cdef box", what: "it defines \(places.count) colours")
    }
  }
}
