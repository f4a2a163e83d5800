/// The channels of one layer, sorted by what their names say.
///
/// R, G, B, A and Y count first. Where one of them is missing, a channel of another usual name takes its place: r, red,
/// Red, alpha, grey, luminance.
struct EXRComponents {
  /// The picture of the layer's colours; `nil`: it has none. Two of R, G and B are a picture, one alone is not.
  private(set) var color: EXRPictures.Color?
  private(set) var alpha: Int?
  /// The channels that belong to no picture, in the file's order.
  private(set) var others: [Int]

  private static let names: [String: String] = [
    "r": "R", "red": "R", "g": "G", "green": "G", "b": "B", "blue": "B", "a": "A", "alpha": "A", "y": "Y", "grey": "Y",
    "gray": "Y", "luminance": "Y", "luma": "Y", "lum": "Y",
  ]

  /// True for the name of R, G, B or Y.
  static func isColor(_ name: String) -> Bool { names[name.lowercased()].map { $0 != "A" } ?? false }

  /// True for the name of alpha.
  static func isAlpha(_ name: String) -> Bool { names[name.lowercased()] == "A" }

  /// True for names of alpha, depths, coordinates and numbers of objects.
  static func isData(_ name: String) -> Bool {
    let name = name.lowercased()
    return isAlpha(name) || ["z", "zback", "depth", "x", "u", "v", "w", "id", "ar", "ag", "ab"].contains(name)
  }

  /// Sorts the channels of a layer.
  ///
  /// - Parameters:
  ///   - own: indices by the names that remain without the layer's.
  ///   - isSubsampled: true for a channel that has no sample for each pixel.
  init(_ own: [String: Int], isSubsampled: (Int) -> Bool) {
    var rest = own, found: [String: Int] = [:]
    for name in ["R", "G", "B", "A", "Y"] {
      if let channel = own[name], !isSubsampled(channel) { found[name] = channel }
    }
    for (name, channel) in own.sorted(by: { $0.value < $1.value }) {
      guard let meaning = Self.names[name.lowercased()], found[meaning] == nil, !isSubsampled(channel) else { continue }
      found[meaning] = channel
    }
    func isThere(_ name: String) -> Bool { own[name] != nil || own[name.lowercased()] != nil }
    let colors = ["R", "G", "B"].compactMap { found[$0] }
    var color: EXRPictures.Color?
    if colors.count > 1 {
      color = .rgb(found["R"], found["G"], found["B"])
      for used in ["AR", "AG", "AB", "RY", "BY"] { rest[used] = nil }
    } else if colors.isEmpty, let y = found["Y"], !(isThere("X") && isThere("Z")) {
      color = .grey(y)
      if let ry = own["RY"], let by = own["BY"] { color = .lumaChroma(y, ry: ry, by: by) }
      for used in ["RY", "BY"] { rest[used] = nil }
    }
    let alpha = color == nil ? nil : found["A"]
    let used = color.map { EXRPictures.Picture(part: 0, layer: "", name: "", color: $0, alpha: alpha).channels } ?? []
    others = rest.values.filter { !used.contains($0) }.sorted()
    (self.color, self.alpha) = (color, alpha)
  }
}
