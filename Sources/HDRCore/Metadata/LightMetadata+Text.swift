extension LightMetadata {
  /// Each present field, with its place in the file.
  package var lines: [String] {
    fields.map { field in
      let place = places[field].map { $0 == .box ? "" : " (\($0.text))" } ?? ""
      let (heading, text) = words(field)
      return "  " + heading + String(repeating: " ", count: 10 - heading.count) + (text ?? "") + place
    } + (isSceneReferred ? ["  scene     the profile says that the light is of the scene"] : [])
  }

  /// Returns a field in words; empty if it is absent.
  package func text(_ field: Field) -> String { words(field).text ?? "" }

  /// Returns the heading of a field's line, and the field in words.
  private func words(_ field: Field) -> (heading: String, text: String?) {
    func nits(_ value: Double) -> String { "\(short(value)) cd/m²" }
    return switch field {
    case .clli: ("light", clli.map { "MaxCLL \(nits($0.maxCLL)), MaxFALL \(nits($0.maxFALL))" })
    case .mdcv:
      (
        "mastered",
        mdcv.map {
          "\(short($0.minLuminance)) to \(nits($0.maxLuminance))" + ($0.primaries == nil ? "" : ", with primaries")
        }
      )
    case .cclv:
      (
        "volume",
        cclv.map { volume in
          let numbers = [
            ("from", volume.minLuminance), ("to", volume.maxLuminance), ("mean", volume.averageLuminance),
          ]
          let parts = numbers.compactMap { name, value in value.map { "\(name) \(nits($0))" } }
          return (parts + (volume.primaries == nil ? [] : ["with primaries"])).joined(separator: ", ")
        }
      )
    case .amve: ("ambient", amve.map { "\(short($0.illuminance)) lux" })
    case .reve: ("viewing", reve.map { "surround \(nits($0.surround)), periphery \(nits($0.periphery))" })
    case .ndwt: ("white", diffuseWhite.map { "diffuse white \(nits($0))" })
    case .toneMetadata: ("tone", headroomAdaptive.map { "ST 2094-50: \($0.text)" })
    }
  }
}

extension LightMetadata.Place {
  fileprivate var text: String {
    switch self {
    case .box: "box"
    case .message: "message in the picture"
    case .profile: "ICC profile"
    case .setting: "setting"
    case .samples: "measured"
    }
  }
}
