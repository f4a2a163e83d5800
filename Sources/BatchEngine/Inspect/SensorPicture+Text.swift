import HDRCore
import HDRRender
import PlainData

// The text and JSON of a camera raw file, for `info`.

extension SensorPicture {
  private func area(_ area: SensorArea) -> JSON {
    .array([area.left, area.top, area.width, area.height].map { .int($0) })
  }

  /// `filters` is `null` for pictures whose samples have their colours; areas are x, y, width, height; exposure in stops.
  var json: JSON {
    [
      "make": .maybe(make), "model": .maybe(model), "width": .int(width), "height": .int(height),
      "activeArea": area(activeArea), "crop": area(crop), "filters": .maybe(filters?.letters),
      "white": .array(levels.white.map(JSON.number)), "black": .array(levels.black.map(JSON.number)),
      "neutral": neutral.map { .array($0.map(JSON.number)) } ?? .null, "kelvins": .maybe(kelvins?.rounded()),
      "exposure": .number(exposure), "profile": .maybe(profile.name), "hdrProfile": .maybe(hdrProfile?.name),
      "gainTableMap": .bool(profile.gainTableMap != nil), "toneCurve": .bool(profile.toneCurve != nil),
    ]
  }

  /// The colour temperature of the light that the camera took for white.
  private var kelvins: Double? {
    let place = white ?? neutral.flatMap { profile.calibration?.white(ofNeutral: $0) }
    return place.map(CorrelatedTemperature.kelvins)
  }

  var lines: [String] {
    // Models often begin with their maker's name.
    let maker = model?.hasPrefix(make ?? "") == true ? nil : make
    let camera = [maker, model].compactMap(\.self).joined(separator: " ")
    let kind =
      filters.map { "filters \($0.rows)x\($0.columns) \($0.letters.prefix(8))" }
      ?? (profile.calibration == nil ? "grey" : "linear")
    var first = [camera.isEmpty ? "unknown camera" : printable(camera), "\(width)x\(height)", kind]
    if crop.width != width || crop.height != height { first.append("shown \(crop.width)x\(crop.height)") }
    var second = ["exposure \(short(exposure)) stops"]
    if let kelvins { second.insert("white \(Int(kelvins.rounded())) K", at: 0) }
    if let name = profile.name { second.append("profile \"\(printable(name))\"") }
    if let name = hdrProfile?.name { second.append("HDR profile \"\(printable(name))\"") }
    if profile.gainTableMap != nil { second.append("local gains") }
    if profile.toneCurve != nil { second.append("tone curve") }
    return [first.joined(separator: ", "), second.joined(separator: ", ")]
  }
}
