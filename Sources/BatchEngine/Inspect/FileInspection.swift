import CodecService
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import PlainData

/// Output of `hdrbatch info` for a file. Keys are fixed, and the same for files that cannot be read: programs read them.
package struct FileInspection: Sendable {
  package let path: FilePath
  package private(set) var source: SourceImage
  /// The statements of a config of OpenColorIO about the file; `nil` if none was asked.
  package private(set) var config: (title: String, finding: ConfigReport.Finding)?
  /// The standard that the file is checked against.
  package var standard: StandardCheck.Standard?

  /// Reads structure and metadata of a file, no pixels.
  ///
  /// - Throws: `HDRError`.
  package init(_ path: FilePath, limits: DecodeLimits, codecs: any CodecBorder) throws(HDRError) {
    let file: InputFile
    do throws(FileFault) {
      file = try InputFile(path, maxBytes: limits.maxFileBytes)
    } catch {
      throw HDRError(reading: error, limit: limits.maxFileBytes)
    }
    try self.init(file, limits: limits, codecs: codecs)
  }

  /// Reads structure and metadata of an open file.
  ///
  /// - Throws: `HDRError`.
  package init(_ file: InputFile, limits: DecodeLimits, codecs: any CodecBorder) throws(HDRError) {
    path = file.path
    do throws(CodecError) {
      source = try codecs.decode(file, request: .metadata, limits: limits).value
    } catch {
      throw HDRError(error, reading: file)
    }
  }

  package init(_ path: FilePath, source: SourceImage) {
    self.path = path
    self.source = source
  }

  /// Asks a config about the file.
  ///
  /// - Throws: `HDRError` for a file rule whose space cannot be used.
  package mutating func ask(_ report: ConfigReport) throws(HDRError) {
    let finding = try report.finding(source, path)
    source = finding.source
    config = (report.title, finding)
  }

  /// The check of the file against `standard`; `nil` where none was asked for.
  package var check: StandardCheck? { standard.map { StandardCheck($0, source) } }

  /// The statements about camera, moment and place.
  private var photo: PhotoFacts { PhotoFacts(source) }

  /// True if the file has more than SDR: by its curve, or by a gain map that can be applied.
  package var hasHDR: Bool { source.isHDR || source.gainMap?.metadata.isComplete == true }

  /// Factor of reference white: 1 for SDR, 0 when unknown.
  var contentHeadroom: Double { ContentHeadroom.ofFile(source).headroom?.factor ?? 0 }

  private var chroma: String {
    switch source.image.model {
    case .grey: ChromaSubsampling.none.rawValue
    case .rgb: ChromaSubsampling.s444.rawValue
    case .ycc: source.image.chroma.rawValue
    }
  }

  /// Sizes are those of the stored picture, before `orientation`; headrooms of `gainMap` are in stops, as stored.
  package var json: JSON {
    let image = source.image
    var fields: JSON = [
      "file": .path(path),
      "format": .string(source.format.rawValue),
      "width": .int(image.width),
      "height": .int(image.height),
      "orientation": .int(source.geometry.orientation.rawValue),
      "bitDepth": .int(source.bitDepth),
      "chroma": .string(chroma),
      "decoder": .maybe(source.decoder),
      "cicp": source.color.cicp.map { JSON($0) } ?? .null,
      "icc": source.color.icc == nil ? .null : .string(source.color.iccDescription ?? ""),
      "hdrKind": .string(source.inputKind),
      "isHDR": .bool(source.isHDR),
      "contentHeadroom": .number(contentHeadroom),
      "gainMap": source.gainMap.map(Self.json) ?? .null,
      "sensor": source.sensor.map { $0.json } ?? .null,
      "exr": source.exr.map { $0.json } ?? .null,
      "header": Self.json(source.header),
      "ocio": config.map { Self.json($0.title, $0.finding) } ?? .null,
      "clli": source.light.clli.map { JSON($0) } ?? .null,
      "mdcv": source.light.mdcv.map { JSON($0) } ?? .null,
      "cclv": source.light.cclv.map { JSON($0) } ?? .null,
      "amve": source.light.amve.map { JSON($0) } ?? .null,
      "reve": source.light.reve.map { JSON($0) } ?? .null,
      "ndwt": .maybe(source.light.diffuseWhite),
      "lightPlaces": .object(
        source.light.fields.map { JSON.Field($0.rawValue, .maybe(source.light.places[$0]?.rawValue)) }),
      "sceneReferred": .bool(source.light.isSceneReferred),
      "toneMetadata": source.light.headroomAdaptive.map(Self.json) ?? .null,
      "pictures": .array(
        source.pictures.map {
          ["name": .maybe($0.name), "width": .int($0.width), "height": .int($0.height), "note": .string($0.note)]
        }),
      "picture": .int(source.picture),
    ]
    fields = (photo.json + source.extras.json).reduce(fields) { $0.with($1.key, $1.value) }
    if let check { fields = fields.with("check", Self.json(check)) }
    return fields.with("warnings", .array(source.warnings.map(\.json))).with("error", .null)
  }

  /// Returns the object of a file that cannot be read, with the keys of any other.
  package static func json(_ path: FilePath, _ error: HDRError) -> JSON {
    let known: [String: JSON] = [
      "file": .path(path),
      "error": ["code": .string(error.code), "message": .string(error.message.text(dashes: true))],
    ]
    let nothing = SourceImage(format: .memory, image: .blank, color: .blank, geometry: .blank)
    guard case .object(let fields) = FileInspection(path, source: nothing).json else { return .null }
    return .object(fields.map { JSON.Field($0.key, known[$0.key] ?? .null) })
  }

  // MARK: CSV

  /// Names of the columns: the keys of `json`.
  package static var columns: [String] {
    let nothing = SourceImage(format: .memory, image: .blank, color: .blank, geometry: .blank)
    return FileInspection(FilePath(""), source: nothing).fields.map(\.key)
  }

  /// A cell for each of `columns`: values as they are, a word for what has one, else JSON.
  package var cells: [String] { fields.map { cell($0.key, $0.value) } }

  private var fields: [JSON.Field] { if case .object(let fields) = json { fields } else { [] } }

  private func cell(_ key: String, _ value: JSON) -> String {
    switch key {
    case "contentHeadroom": short(contentHeadroom)
    case "gainMap": source.gainMap?.metadata.kind.rawValue ?? ""
    case "cicp": source.color.cicp.map { "\($0.primaries)/\($0.transfer)/\($0.matrix)" } ?? ""
    case "icc": source.color.icc == nil ? "" : source.color.iccDescription ?? "unnamed"
    case "pictures": "\(max(1, source.pictures.count))"
    case "c2pa": source.extras.credentials?.place ?? ""
    case "warnings": source.warnings.map(\.code).joined(separator: " ")
    default: value.cell
    }
  }

  /// The cells of a file that cannot be read.
  package static func cells(_ path: FilePath, _ error: HDRError) -> [String] {
    columns.map {
      $0 == "file" ? path.display : $0 == "error" ? "\(error.code): \(error.message.text(dashes: true))" : ""
    }
  }

  private static func json(_ title: String, _ finding: ConfigReport.Finding) -> JSON {
    [
      "config": .string(title), "space": .maybe(finding.space), "interopID": .maybe(finding.interopID),
      "rule": .maybe(finding.rule), "ruleSpace": .maybe(finding.ruleSpace), "isByRule": .bool(finding.isByRule),
    ]
  }

  /// Returns the fields of a header by name. Texts of fields that repeat follow each other.
  private static func json(_ header: [HeaderField]) -> JSON {
    var fields: [(name: String, text: String)] = []
    for field in header {
      if let index = fields.firstIndex(where: { $0.name == field.name }) {
        fields[index].text += "; " + field.text
      } else {
        fields.append((field.name, field.text))
      }
    }
    return .object(fields.map { JSON.Field($0.name, .string($0.text)) })
  }

  private static func json(_ check: StandardCheck) -> JSON {
    [
      "standard": .string(check.standard.rawValue), "edition": .maybe(check.standard.edition),
      "passes": .bool(check.passes),
      "rows": .array(
        check.rows.map {
          ["field": .string($0.field), "verdict": .string($0.verdict.rawValue), "text": .string($0.text)]
        }),
    ]
  }

  private static func json(_ map: GainMap) -> JSON {
    let data = map.metadata
    func row(_ values: [Double]) -> JSON { .array(values.map(JSON.number)) }
    return [
      "kind": .string(data.kind.rawValue),
      "width": .int(map.image.width),
      "height": .int(map.image.height),
      "channels": .int(map.image.model == .grey ? 1 : 3),
      "bitDepth": .int(map.image.bitDepth),
      "baseIsHDR": .bool(data.baseIsHDR),
      "headrooms": .array([.number(data.baseHeadroom), .number(data.alternateHeadroom)]),
      "baseHeadroom": .number(data.baseHeadroom),
      "alternateHeadroom": .number(data.alternateHeadroom),
      "headroomFactors": .array([
        .number(Headroom(stops: data.baseHeadroom).factor), .number(Headroom(stops: data.alternateHeadroom).factor),
      ]),
      "min": row(data.min),
      "max": row(data.max),
      "gamma": row(data.gamma),
      "baseOffset": row(data.baseOffset),
      "alternateOffset": row(data.alternateOffset),
      "isMultichannel": .bool(data.isMultichannel),
      "usesBaseColorSpace": .bool(data.usesBaseColorSpace),
      "alternateCICP": map.alternateColor?.cicp.map { JSON($0) } ?? .null,
      "alternateICC": map.alternateColor?.icc == nil ? .null : .string(map.alternateColor?.iccDescription ?? ""),
      "alternateClli": map.alternateLight.clli.map { JSON($0) } ?? .null,
      "matrix": .int(map.matrix),
      "fullRange": .bool(map.fullRange),
      "bindings": .array(map.bindings.map(JSON.string)),
      "apple": data.apple.map(json) ?? .null,
    ]
  }

  /// Headrooms in stops, as stored.
  private static func json(_ metadata: HeadroomAdaptiveMetadata) -> JSON {
    [
      "referenceWhite": .maybe(metadata.referenceWhite),
      "baselineHeadroom": .maybe(metadata.baselineHeadroom),
      "usesReferenceWhiteToneMapping": .bool(metadata.usesReferenceWhiteToneMapping),
      "alternateHeadrooms": .array(metadata.alternates.map { .number($0.headroom) }),
      "space": .string(metadata.space),
    ]
  }

  /// `headroom` is a factor; `rule` is its source.
  private static func json(_ apple: AppleGainMap) -> JSON {
    [
      "headroom": .maybe(apple.headroom),
      "rule": .string(apple.rule.rawValue),
      "version": .maybe(apple.version),
      "xmpHeadroom": .maybe(apple.xmpHeadroom),
      "tag33": .maybe(apple.tag33),
      "tag48": .maybe(apple.tag48),
    ]
  }

  /// The facts of `json` as a few lines of text.
  package var lines: [String] {
    let image = source.image, geometry = source.geometry
    var size = "\(image.width)x\(image.height)"
    if geometry.outputWidth != image.width || geometry.outputHeight != image.height {
      size += " (shown \(geometry.outputWidth)x\(geometry.outputHeight))"
    }
    let turned = geometry.orientation == .up ? "" : ", orientation \(geometry.orientation.rawValue)"
    var lines = [
      "\(path.display): \(source.format.rawValue.uppercased()) \(size), \(source.bitDepth) bit \(chroma)\(turned)",
      "  colour    " + colorText,
      "  HDR       " + headroomText,
    ]
    if let map = source.gainMap {
      let texts = Self.texts(map)
      lines += texts.enumerated().map { ($0.offset == 0 ? "  gain map  " : "            ") + $0.element }
    }
    if let sensor = source.sensor {
      lines += sensor.lines.enumerated().map { ($0.offset == 0 ? "  sensor    " : "            ") + $0.element }
    }
    if let part = source.exr {
      lines += part.lines.enumerated().map { ($0.offset == 0 ? "  OpenEXR   " : "            ") + $0.element }
    }
    lines += source.header.enumerated().map { index, field in
      (index == 0 ? "  header    " : "            ") + printable("\(field.name) \(field.text)")
    }
    if let config { lines.append("  ocio      " + printable(Self.text(config.title, config.finding))) }
    lines += source.light.lines
    for (index, picture) in source.pictures.enumerated() {
      let mark = index + 1 == source.picture ? "* " : ""
      let name = picture.name.map { " \"\(printable($0))\"" } ?? ""
      let note = picture.note.isEmpty ? "" : ", \(printable(picture.note))"
      lines.append("  image \(index + 1)   \(mark)\(picture.width)x\(picture.height)\(name)\(note)")
    }
    if let line = photo.line { lines.append("  metadata  " + printable(line)) }
    lines += source.extras.lines
    if let decoder = source.decoder { lines.append("  decoder   " + decoder) }
    for warning in source.warnings {
      lines.append("  warning   \(printable(warning.message.text(dashes: true))) [\(warning.code)]")
    }
    if let check {
      let edition = check.standard.edition.map { " (edition of \($0))" } ?? ""
      lines.append("  \(check.standard.rawValue)  \(check.passes ? "passes" : "fails")\(edition)")
      let width = check.rows.map(\.field.count).max() ?? 0
      let table = TextTable([.text("", width), .text("", 8), .text("", 0)])
      lines += check.rows.map { "    " + table.row([$0.field, $0.verdict.rawValue, printable($0.text)]) }
    }
    return lines
  }

  /// `ACEScg (lin_ap1_scene), by the file; the rule EXR of NAME says ACES2065-1`.
  private static func text(_ title: String, _ finding: ConfigReport.Finding) -> String {
    let rule = finding.rule.map { "the file rule \($0) of \(title)" } ?? title
    guard let space = finding.space else {
      return "nothing states a space of scenes; \(rule) says \(finding.ruleSpace ?? "nothing")"
    }
    let named = space + (finding.interopID.map { " (\($0))" } ?? "")
    if finding.isByRule { return "\(named), by \(rule)" }
    return "\(named), as stated" + (finding.ruleSpace.map { "; \(rule) says \($0)" } ?? "")
  }

  private var colorText: String {
    var parts: [String] = []
    if let cicp = source.color.cicp {
      parts.append(
        "CICP \(cicp.primaries)/\(cicp.transfer)/\(cicp.matrix) \(cicp.fullRange ? "full" : "limited") range")
    }
    if source.color.icc != nil {
      parts.append("ICC \"\(printable(source.color.iccDescription ?? "without a name"))\"")
    }
    if source.sensor != nil { return "of the camera" }
    if let text = source.exr?.colorText { parts.append(text) }
    if let replaced = source.color.replaced {
      let space = if case .space(let space) = source.color.encoding { [space.name] } else { parts }
      return space.joined(separator: ", ") + ", in place of \(printable(replaced))"
    }
    if parts.isEmpty, case .cicp(let primaries, let transfer) = source.color.encoding {
      return "not stated; read as CICP \(primaries)/\(transfer)"
    }
    return parts.isEmpty ? "by curves and primaries of the file" : parts.joined(separator: ", ")
  }

  private var headroomText: String {
    guard source.isHDR else { return "no" }
    let found = ContentHeadroom.ofFile(source)
    guard let headroom = found.headroom else { return "\(source.inputKind), content headroom unknown" }
    let stops = "\(short(headroom.stops)) stops, from \(found.source)"
    return "\(source.inputKind), content headroom \(short(headroom.factor)) (\(stops))"
  }

  /// Returns lines about a gain map: its kind and place, its headrooms and numbers, and its colour space.
  private static func texts(_ map: GainMap) -> [String] {
    let data = map.metadata, image = map.image
    func row(_ values: [Double]) -> String {
      let texts = values.map { short($0) }
      return Set(texts).count == 1 ? texts[0] : texts.joined(separator: "/")
    }
    func headroom(_ stops: Double) -> String { "\(short(stops)) stops (\(short(Headroom(stops: stops).factor)))" }
    let channels = image.model == .grey ? "1 channel" : "3 channels"
    var texts = [
      "\(data.kind.rawValue), \(image.width)x\(image.height), \(channels), \(image.bitDepth) bit, "
        + "by \(map.bindings.joined(separator: ", "))"
    ]
    if let apple = data.apple {
      var facts: [String] = []
      if let version = apple.version { facts.append("version \(version)") }
      if let factor = apple.xmpHeadroom { facts.append("XMP headroom \(short(factor))") }
      if let tag = apple.tag33 { facts.append("tag 33 \(short(tag))") }
      if let tag = apple.tag48 { facts.append("tag 48 \(short(tag))") }
      let rule = apple.headroom == nil ? "unknown, not applied" : "\(headroom(data.alternateHeadroom))"
      texts.append("Apple's formula, headroom \(rule); rule: \(apple.rule.rawValue)")
      if !facts.isEmpty { texts.append(facts.joined(separator: ", ")) }
      return texts
    }
    texts.append(
      "headroom \(headroom(data.baseHeadroom)) to \(headroom(data.alternateHeadroom)), "
        + (data.baseIsHDR ? "the base is HDR" : "the base is SDR"))
    texts.append(
      "gain \(row(data.min)) to \(row(data.max)) stops, gamma \(row(data.gamma)), offsets \(row(data.baseOffset)) and "
        + "\(row(data.alternateOffset)), \(data.isMultichannel ? "3 rows" : "1 row")")
    var space = data.usesBaseColorSpace ? "applied in the base's primaries" : "applied in the alternate's primaries"
    if let alternate = map.alternateColor {
      var names: [String] = []
      if let cicp = alternate.cicp { names.append("CICP \(cicp.primaries)/\(cicp.transfer)/\(cicp.matrix)") }
      if alternate.icc != nil {
        names.append("ICC \"\(printable(alternate.iccDescription ?? "without a name"))\"")
      }
      if !names.isEmpty { space += "; alternate " + names.joined(separator: ", ") }
    }
    texts.append(space)
    let light = map.alternateLight
    if !light.fields.isEmpty {
      texts.append("alternate's light: " + light.fields.map { light.text($0) }.joined(separator: "; "))
    }
    return texts
  }
}
