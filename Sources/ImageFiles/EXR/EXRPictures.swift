import HDRCore
import PlainData

/// The pictures of an OpenEXR file: the layers of its parts, by the names of their channels.
struct EXRPictures {
  /// The colour channels, as indices into the part's list.
  enum Color: Equatable {
    /// R, G and B; one that the file lacks is 0.
    case rgb(Int?, Int?, Int?)
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

    /// The channel of each of the picture's planes; `nil` for one that the file lacks.
    var planes: [Int?] {
      let colors: [Int?] =
        switch color {
        case .rgb(let r, let g, let b): [r, g, b]
        case .grey(let y): [y]
        case .lumaChroma(let y, let ry, let by): [y, ry, by]
        }
      return alpha.map { colors + [$0] } ?? colors
    }

    /// The channels in the order of the picture's planes.
    var channels: [Int] { planes.compactMap(\.self) }

    /// The names of the colours that the file lacks.
    var missing: [String] { zip(["R", "G", "B"], planes).compactMap { $1 == nil ? $0 : nil } }
  }

  let all: [Picture]

  init(_ file: EXRFile) {
    var all: [Picture] = []
    for (index, part) in file.parts.enumerated() {
      all += Self.pictures(of: part, index, hasOthers: file.parts.count > 1)
      if all.count > 1024 { break }
    }
    self.all = Array(all.prefix(1024))
  }

  private static func pictures(of part: EXRHeader, _ index: Int, hasOthers: Bool) -> [Picture] {
    var layers: [String] = [], members: [String: [String: Int]] = [:]
    for (index, channel) in part.channels.enumerated() {
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
      guard let own = members[layer] else { continue }
      let parts = EXRComponents(own) { part.channels[$0].isSubsampled }
      if let color = parts.color {
        found.append(Picture(part: index, layer: layer, name: name(layer), color: color, alpha: parts.alpha))
      }
      for channel in parts.others where !part.channels[channel].isSubsampled {
        found.append(
          Picture(
            part: index, layer: layer, name: name(part.channels[channel].name), color: .grey(channel), isData: true))
      }
    }
    return found
  }

  /// Returns the index in `all` of the picture that the caller chooses. Without a choice: the first part with R, G and
  /// B at its root, else with Y, else a layer with a renderer's name for the main picture, else any with R, G and B,
  /// else with Y; flat parts come before deep ones. Else one channel: R, G or B, else any that is no depth or number.
  func index(_ reading: ReadingOptions, _ file: EXRFile) throws(DecodeError) -> Int {
    if reading.isChosen { return try reading.index(among: list(file), main: 0) }
    func isRGB(_ picture: Picture) -> Bool { if case .rgb = picture.color { true } else { false } }
    func isBeauty(_ layer: String) -> Bool {
      ["rgba", "RGBA", "beauty"].contains(layer) || layer == "Combined" || layer.hasSuffix(".Combined")
    }
    for isDeep in [false, true] {
      func first(_ fits: (Picture) -> Bool) -> Int? {
        all.firstIndex { !$0.isData && file.parts[$0.part].kind.isDeep == isDeep && fits($0) }
      }
      if let found = first({ $0.layer.isEmpty && isRGB($0) }) ?? first({ $0.layer.isEmpty })
        ?? first({ isRGB($0) && isBeauty($0.layer) }) ?? first({ isRGB($0) }) ?? first({ _ in true })
      {
        return found
      }
    }
    func own(_ picture: Picture) -> String {
      let name = picture.channels.first.map { file.parts[picture.part].channels[$0].name }
      return name?.split(separator: ".").last.map(String.init) ?? ""
    }
    guard !all.isEmpty else { throw .unsupported(feature: "OpenEXR of subsampled channels alone,", found: "no other") }
    return all.firstIndex { EXRComponents.isColor(own($0)) } ?? all.firstIndex { !EXRComponents.isData(own($0)) } ?? 0
  }

  /// Returns warnings about the choice of a picture: colours that are missing, integers, and a channel that was chosen
  /// although it is no colour.
  func warnings(of number: Int, _ reading: ReadingOptions, _ file: EXRFile) -> [Warning] {
    let picture = all[number], types = picture.channels.map { file.parts[picture.part].channels[$0].type }
    var warnings: [Warning] = []
    if picture.isData, !reading.isChosen, all.count > 1 {
      warnings.append(
        Warning(
          "exr.channel",
          "no R, G, B or Y: \(streamSafe(picture.name)) is shown; \(setting: "image") takes another of \(names)"))
    }
    if !picture.missing.isEmpty {
      warnings.append(
        Warning("exr.channel-missing", "no channel \(picture.missing.joined(separator: " and ")): it is taken as 0"))
    }
    if types.contains(.uint) {
      warnings.append(Warning("exr.integers", "samples are integers: 1 is taken as reference white"))
    }
    if file.parts[picture.part].kind.isDeep {
      warnings.append(
        Warning("exr.deep", "the deep picture is flattened: samples lie over each other in the order of their depth"))
    }
    return warnings
  }

  /// Returns the description of each picture, from its header.
  func list(_ file: EXRFile) -> [FilePicture] {
    all.map { picture in
      let part = file.parts[picture.part], size = part.displayWindow
      let types = Set(picture.channels.map { part.channels[$0].type })
      let type = [EXRHeader.SampleType.half, .float, .uint].filter(types.contains).map { "\($0)" }
      let note = (part.kind.isDeep ? "deep " : "") + type.joined(separator: " and ") + ", " + part.coding.name
      return FilePicture(name: streamSafe(picture.name), width: size.width, height: size.height, note: note)
    }
  }

  private var names: String {
    let shown = all.prefix(12).map(\.name).joined(separator: ", ")
    return streamSafe(all.count > 12 ? shown + ", ..." : shown)
  }
}
