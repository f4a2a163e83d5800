extension LightMetadata {
  /// Each present field, with its place in the file.
  package var lines: [String] {
    fields.map { field in
      let place = places[field].map { $0 == .box ? "" : " (\($0.text))" } ?? ""
      return "  " + heading(field) + text(field) + place
    } + (isSceneReferred ? ["  scene     the profile says that the light is of the scene"] : [])
  }

  private func heading(_ field: Field) -> String {
    let word =
      switch field {
      case .clli: "light"
      case .mdcv: "mastered"
      case .cclv: "volume"
      case .amve: "ambient"
      case .reve: "viewing"
      case .ndwt: "white"
      case .toneMetadata: "tone"
      }
    return word + String(repeating: " ", count: 10 - word.count)
  }

  /// Returns a field in words; empty if it is absent.
  package func text(_ field: Field) -> String {
    func nits(_ value: Double) -> String { "\(short(value)) cd/m²" }
    switch field {
    case .clli: return clli.map { "MaxCLL \(nits($0.maxCLL)), MaxFALL \(nits($0.maxFALL))" } ?? ""
    case .mdcv:
      return mdcv.map {
        "\(short($0.minLuminance)) to \(nits($0.maxLuminance))" + ($0.primaries == nil ? "" : ", with primaries")
      } ?? ""
    case .cclv:
      guard let cclv else { return "" }
      let numbers = [("from", cclv.minLuminance), ("to", cclv.maxLuminance), ("mean", cclv.averageLuminance)]
      let parts = numbers.compactMap { name, value in value.map { "\(name) \(nits($0))" } }
      return (parts + (cclv.primaries == nil ? [] : ["with primaries"])).joined(separator: ", ")
    case .amve: return amve.map { "\(short($0.illuminance)) lux" } ?? ""
    case .reve: return reve.map { "surround \(nits($0.surround)), periphery \(nits($0.periphery))" } ?? ""
    case .ndwt: return diffuseWhite.map { "diffuse white \(nits($0))" } ?? ""
    case .toneMetadata: return headroomAdaptive.map { "ST 2094-50: \($0.text)" } ?? ""
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
    }
  }
}
