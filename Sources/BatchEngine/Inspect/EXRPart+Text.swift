import HDRCore
import HDRRender
import PlainData

// The text and JSON of an OpenEXR file, for `info`.

extension EXRPart {
  /// Windows are x, y, width, height; chromaticities x and y of red, green, blue and white.
  var json: JSON {
    func window(_ window: Window) -> JSON {
      .array([window.left, window.top, window.width, window.height].map(JSON.int))
    }
    return [
      "space": .maybe(space), "chromaticities": primaries.map { .array(Self.points($0).map { JSON($0) }) } ?? .null,
      "dataWindow": window(dataWindow), "displayWindow": window(displayWindow), "compression": .string(compression),
      "channels": .array(channels.map { ["name": .string($0.name), "type": .string($0.type)] }),
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

  var lines: [String] {
    func text(_ window: Window) -> String { "\(window.width)x\(window.height) at \(window.left), \(window.top)" }
    let windows = dataWindow == displayWindow ? "" : ", display window \(text(displayWindow))"
    var types: [(type: String, names: [String])] = []
    for channel in channels {
      let name = printable(channel.name)
      if let index = types.firstIndex(where: { $0.type == channel.type }) {
        types[index].names.append(name)
      } else {
        types.append((channel.type, [name]))
      }
    }
    return [
      "\(compression), data window \(text(dataWindow))\(windows)",
      types.map { "\($0.type) \($0.names.joined(separator: " "))" }.joined(separator: "; "),
    ]
  }
}
