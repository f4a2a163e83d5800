import HDRCore
import PlainData

/// The pictures of an OpenEXR file: the layers of its parts, by the names of their channels.
struct EXRPictures {
  /// The colour channels, as indices into the part's list.
  enum Color: Equatable {
    case rgb(Int, Int, Int)
    case grey(Int)
    case lumaChroma(Int, ry: Int, by: Int)
  }

  struct Picture {
    var part: Int
    /// The prefix of the channels' names; empty at the root.
    var layer: String
    var name: String
    var color: Color
    var alpha: Int?
    /// True for a single channel that is no luminance.
    var isData = false

    /// The channels in the order of the picture's samples.
    var channels: [Int] {
      switch color {
      case .rgb(let r, let g, let b): [r, g, b] + (alpha.map { [$0] } ?? [])
      case .grey(let y): [y] + (alpha.map { [$0] } ?? [])
      case .lumaChroma(let y, let ry, let by): [y, ry, by] + (alpha.map { [$0] } ?? [])
      }
    }
  }

  let all: [Picture]

  init(_ file: EXRFile) {
    var all: [Picture] = []
    for (index, part) in file.parts.enumerated() where !part.kind.isDeep {
      all += Self.pictures(of: part, index, hasOthers: file.parts.count > 1)
      if all.count > 1024 { break }
    }
    self.all = Array(all.prefix(1024))
  }

  private static func pictures(of part: EXRHeader, _ index: Int, hasOthers: Bool) -> [Picture] {
    var layers: [String] = [], members: [String: [String: Int]] = [:]
    for (index, channel) in part.channels.enumerated() where channel.type != .uint {
      let cut = channel.name.lastIndex(of: ".")
      let layer = cut.map { String(channel.name[..<$0]) } ?? ""
      let own = cut.map { String(channel.name[channel.name.index(after: $0)...]) } ?? channel.name
      if members[layer] == nil { layers.append(layer) }
      members[layer, default: [:]][own] = index
    }
    // The root comes first, then the others by name.
    layers.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    let partName = part.name ?? (hasOthers ? "\(index + 1)" : nil)
    func name(_ words: String) -> String {
      guard let partName, hasOthers else { return words.isEmpty ? (partName ?? "main") : words }
      return words.isEmpty ? partName : partName + "/" + words
    }
    var found: [Picture] = []
    for layer in layers {
      guard var own = members[layer] else { continue }
      func whole(_ name: String) -> Int? { own[name].flatMap { part.channels[$0].isSubsampled ? nil : $0 } }
      var color: Color?
      if let r = whole("R"), let g = whole("G"), let b = whole("B") {
        color = .rgb(r, g, b)
        for used in ["R", "G", "B", "A", "AR", "AG", "AB", "RY", "BY"] { own[used] = nil }
      } else if let y = whole("Y") {
        color = .grey(y)
        if let ry = own["RY"], let by = own["BY"] { color = .lumaChroma(y, ry: ry, by: by) }
        for used in ["Y", "A", "RY", "BY"] { own[used] = nil }
      }
      if let color {
        let alpha = members[layer]?["A"].flatMap { part.channels[$0].isSubsampled ? nil : $0 }
        found.append(Picture(part: index, layer: layer, name: name(layer), color: color, alpha: alpha))
      }
      for channel in own.values.sorted() where !part.channels[channel].isSubsampled {
        found.append(
          Picture(
            part: index, layer: layer, name: name(part.channels[channel].name), color: .grey(channel), isData: true))
      }
    }
    return found
  }

  /// Returns the index in `all` of the picture that the caller chooses. Without a choice: the first part with R, G and
  /// B at its root, else with Y, else a layer with a renderer's name for the main picture, else any with R, G and B,
  /// else with Y, else the only picture.
  func index(_ reading: ReadingOptions, _ file: EXRFile) throws(DecodeError) -> Int {
    if reading.isChosen { return try reading.index(among: list(file), main: 0) }
    func first(_ fits: (Picture) -> Bool) -> Int? { all.firstIndex { !$0.isData && fits($0) } }
    func isRGB(_ picture: Picture) -> Bool { if case .rgb = picture.color { true } else { false } }
    func isBeauty(_ layer: String) -> Bool {
      ["rgba", "RGBA", "beauty"].contains(layer) || layer == "Combined" || layer.hasSuffix(".Combined")
    }
    if let found = first({ $0.layer.isEmpty && isRGB($0) }) ?? first({ $0.layer.isEmpty })
      ?? first({ isRGB($0) && isBeauty($0.layer) }) ?? first({ isRGB($0) }) ?? first({ _ in true })
      ?? (all.count == 1 ? 0 : nil)
    {
      return found
    }
    throw .unsupported(feature: "OpenEXR without R, G, B or Y, unless the image setting names a channel,", found: names)
  }

  /// Returns the description of each picture, from its header.
  func list(_ file: EXRFile) -> [FilePicture] {
    all.map { picture in
      let part = file.parts[picture.part], size = part.displayWindow
      let types = Set(picture.channels.map { part.channels[$0].type })
      let type = types.count > 1 ? "half and float" : types == [.half] ? "half" : "float"
      return FilePicture(
        name: streamSafe(picture.name), width: size.width, height: size.height, note: "\(type), \(part.coding.name)")
    }
  }

  private var names: String {
    if all.isEmpty { return "no half or float channel" }
    let shown = all.prefix(12).map(\.name).joined(separator: ", ")
    return streamSafe(all.count > 12 ? shown + ", ..." : shown)
  }
}
