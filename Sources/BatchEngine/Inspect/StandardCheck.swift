import FileParts
import HDRCore
import ImageFiles

/// The check of a file against a standard, field by field.
package struct StandardCheck: Sendable {
  /// Standards that files can be checked against.
  package enum Standard: String, Sendable, CaseIterable {
    /// HDR and wide colour gamut still pictures, as public descriptions have it (docs/light-metadata.md#iso-22028-5).
    case iso22028 = "iso22028-5"
    /// No statement about a place.
    case noLocation = "no-location"
    /// Ultra HDR: a JPEG with a gain map that Android and others find.
    case ultraHDR = "ultrahdr"

    /// The year of the edition whose rules are checked; `nil` for what has none. What the edition of 2026 of ISO 22028-5
    /// changed is not public.
    package var edition: Int? { self == .iso22028 ? 2023 : nil }
  }

  package enum Verdict: String, Sendable {
    /// The field is as the standard wants it.
    case ok
    /// The field is absent, and the standard's default value holds.
    case byDefault = "default"
    /// The field is absent, and need not be there.
    case absent
    /// The field is allowed as it is, but readers may be misled.
    case warning
    case fault
  }

  package struct Row: Sendable, Hashable {
    package var field: String
    package var verdict: Verdict
    package var text: String
  }

  package let standard: Standard
  package private(set) var rows: [Row] = []

  /// True if no field is against the standard.
  package var passes: Bool { rows.allSatisfy { $0.verdict != .fault } }

  package init(_ standard: Standard, _ source: SourceImage) {
    self.standard = standard
    switch standard {
    case .iso22028:
      checkSignal(source)
      checkLight(source)
    case .noLocation: rows = Self.places(source)
    case .ultraHDR: rows = Self.ultraHDR(source)
    }
  }

  private mutating func add(_ field: String, _ verdict: Verdict, _ text: String) {
    rows.append(Row(field: field, verdict: verdict, text: text))
  }

  // MARK: ISO 22028-5

  private mutating func checkSignal(_ source: SourceImage) {
    let depth = source.bitDepth, cicp = source.color.cicp
    var code: (primaries: Int, transfer: Int)?
    if case .cicp(let primaries, let transfer) = source.color.encoding { code = (primaries, transfer) }
    switch code?.transfer {
    case CICP.Transfer.pq: add("transfer", .ok, "PQ")
    case CICP.Transfer.hlg: add("transfer", .ok, "HLG")
    default: add("transfer", .fault, "\(source.inputKind), and PQ or HLG is wanted")
    }
    switch code?.primaries {
    case CICP.Primaries.bt2020: add("primaries", .ok, "BT.2020")
    case CICP.Primaries.p3: add("primaries", .warning, "P3: of the extended encodings, not of the baseline")
    default: add("primaries", .fault, "\(code.map { "\($0.primaries)" } ?? "of a profile"), and BT.2020 is wanted")
    }
    add("bit depth", depth >= 10 ? .ok : .fault, "\(depth)" + (depth >= 10 ? "" : ", and 10 are wanted"))
    guard let cicp, cicp.transfer == code?.transfer else {
      return add("signalling", .fault, "neither code points nor a profile with cicp say what the samples are")
    }
    add("signalling", .ok, "code points \(cicp.primaries)/\(cicp.transfer)/\(cicp.matrix)")
    add("range", .ok, cicp.fullRange ? "full" : "limited")
    if let own = source.color.icc.flatMap({ codePoints(ofICC: $0) }) {
      let agrees = own.primaries == cicp.primaries && own.transfer == cicp.transfer
      add(
        "profile", agrees ? .ok : .fault,
        "cicp \(own.primaries)/\(own.transfer)" + (agrees ? "" : " contradicts the code points"))
    }
  }

  private mutating func checkLight(_ source: SourceImage) {
    let light = source.light
    for field in LightMetadata.Field.allCases {
      guard !light.has(field) else {
        let place = light.places[field].map { " (\($0.rawValue))" } ?? ""
        add(field.rawValue, .ok, light.text(field) + place)
        continue
      }
      switch field {
      case .clli where source.color.cicp?.transfer == CICP.Transfer.pq:
        add(field.rawValue, .warning, "absent: readers of PQ do not know how bright the picture is")
      case .ndwt: add(field.rawValue, .byDefault, "absent: diffuse white is 203 cd/m²")
      case .reve: add(field.rawValue, .byDefault, "absent: the reference environment of BT.2100, 5 cd/m²")
      default: add(field.rawValue, .absent, "absent")
      }
    }
    add(
      "scene", light.isSceneReferred ? .ok : .byDefault,
      light.isSceneReferred ? "the light is of the scene" : "not stated: the light is of a display")
    for warning in source.warnings where warning.code.hasPrefix("light.") || warning.code == "tone.metadata" {
      add(warning.code, .warning, warning.message.text(dashes: true))
    }
  }
}
