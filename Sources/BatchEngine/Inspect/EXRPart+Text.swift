import HDRCore
import HDRRender
import PlainData

// The text and JSON of an OpenEXR file, for `info`.

extension EXRPart {
  /// Windows are x, y, width, height; chromaticities x and y of red, green, blue and white.
  var json: JSON {
    let all = ([outline] + others).sorted { $0.number < $1.number }
    return [
      "space": .maybe(space), "chromaticities": primaries.map { .array(Self.points($0).map { JSON($0) }) } ?? .null,
      "dataWindow": outline.dataWindow.json, "displayWindow": outline.displayWindow.json,
      "compression": .string(outline.compression), "channels": .array(outline.channels.map(\.json)),
      "part": .int(outline.number), "layer": .string(layer), "pixelAspectRatio": .number(pixelAspectRatio),
      "parts": .array(all.map(\.json)), "attributes": .array(attributes.map(\.json)),
    ]
  }

  private static func points(_ primaries: Primaries) -> [Chromaticity] {
    [primaries.red, primaries.green, primaries.blue, primaries.white]
  }

  /// `ACEScg (0.713 0.293, 0.165 0.83, 0.128 0.044, white 0.32168 0.33767), linear`; `nil`: nothing is stated.
  var colorText: String? {
    let points = primaries.map { primaries in
      let texts = Self.points(primaries).map { "\(decimals($0.x)) \(decimals($0.y))" }
      return texts.dropLast().joined(separator: ", ") + ", white " + texts[3]
    }
    guard space != nil || points != nil else { return nil }
    let isLinear = space.flatMap(NamedSpace.named).map { $0.kind == .linear } ?? true
    return (space ?? "chromaticities") + (points.map { " (\($0))" } ?? "") + (isLinear ? ", linear" : "")
  }

  /// Chromaticities are written with five decimals.
  private func decimals(_ x: Double) -> String { shortest((x * 1e5).rounded() / 1e5) }

  /// The lines about the part, the others and the attributes; of long lists the beginning.
  var lines: [String] {
    var lines = outline.lines(isNamed: !others.isEmpty)
    lines += others.prefix(8).map { "other " + $0.lines(isNamed: true).joined(separator: ", ") }
    if others.count > 8 { lines.append("and \(others.count - 8) more parts") }
    // Those of every file say nothing.
    let said = attributes.filter { !["screenWindowCenter", "screenWindowWidth"].contains($0.name) }
    lines += said.prefix(16).map { "\(printable($0.name)) = \(cut($0.text))" }
    if said.count > 16 { lines.append("and \(said.count - 16) more attributes (--json has them)") }
    return lines
  }

  private func cut(_ text: String) -> String {
    let text = printable(text)
    return text.count > 80 ? text.prefix(80) + "..." : text
  }
}

extension EXRPart.Window {
  fileprivate var json: JSON { .array([left, top, width, height].map(JSON.int)) }
  fileprivate var text: String { "\(width)x\(height) at \(left), \(top)" }
}

extension EXRPart.Channel {
  fileprivate var json: JSON { ["name": .string(name), "type": .string(type), "isShown": .bool(isShown)] }
}

extension EXRPart.Outline {
  fileprivate var json: JSON {
    [
      "number": .int(number), "name": .maybe(name), "storage": .string(storage), "hasLevels": .bool(hasLevels),
      "dataWindow": dataWindow.json, "displayWindow": displayWindow.json, "compression": .string(compression),
      "channels": .array(channels.map(\.json)),
    ]
  }

  /// The compression and windows, then the channels by types.
  fileprivate func lines(isNamed: Bool) -> [String] {
    let windows = dataWindow == displayWindow ? "" : ", display window \(displayWindow.text)"
    var types: [(type: String, names: [String])] = []
    for channel in channels {
      let name = printable(channel.name)
      if let index = types.firstIndex(where: { $0.type == channel.type }) {
        types[index].names.append(name)
      } else {
        types.append((channel.type, [name]))
      }
    }
    let title = isNamed ? "part \(number)" + (name.map { " \"\(printable($0))\"" } ?? "") + ": " : ""
    let kind = storage == "scan lines" ? "" : storage + (hasLevels ? " with levels, " : ", ")
    return [
      "\(title)\(kind)\(compression), data window \(dataWindow.text)\(windows)",
      types.map { "\($0.type) \($0.names.joined(separator: " "))" }.joined(separator: "; "),
    ]
  }
}
