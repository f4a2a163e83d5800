import CodecService
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import PlainData

/// The outcome of an item.
package enum ItemStatus: String, Sendable, Hashable, CaseIterable {
  case ok
  /// Written, with warnings.
  case warn
  case failed
  /// Written, and not accepted: there is no output.
  case rejected
  /// The item was not rendered: its output is there already, or the batch stopped before it.
  case skipped
}

/// The result of one item: one line of the record. The facts about its picture are members of it, too.
@dynamicMemberLookup
package struct ItemRecord: Sendable {
  package var item: BatchItem
  package var status = ItemStatus.failed
  /// Stable short code of a failure or a skip, e.g. `decode.truncated`.
  package var code: String?
  package var message: String?
  /// HDR kind of the output: "pq", "hlg", "sdr", "linear".
  package var outputKind: String
  package var facts = RenderFacts()

  package init(item: BatchItem, outputKind: String) {
    self.item = item
    self.outputKind = outputKind
  }

  package subscript<Value>(dynamicMember path: KeyPath<RenderFacts, Value>) -> Value { facts[keyPath: path] }
  package subscript<Value>(dynamicMember path: KeyPath<ExecutorFacts, Value>) -> Value {
    facts.executor[keyPath: path]
  }

  /// The most warnings in a row; further ones are only counted.
  static let maxWarnings = 64

  /// Fields in a fixed order; a field that is not known is `null`. Texts of files are cut where they are very long.
  package var json: JSON {
    let report = facts.report, executor = facts.executor
    var warnings = Array(facts.warnings.prefix(Self.maxWarnings))
    if warnings.count < facts.warnings.count {
      warnings.append(Warning("warnings.cut", "and \(facts.warnings.count - warnings.count) more warnings"))
    }
    let row: JSON = [
      "type": "item",
      "index": .int(item.index),
      "input": .path(item.input.path),
      "frame": .maybe(item.input.frame?.number),
      "image": .maybe(facts.image ?? item.input.picture?.number),
      "imageName": .maybe(facts.imageName),
      "output": .path(item.output),
      "status": .string(status.rawValue),
      "code": .maybe(code),
      "message": .maybe(message),
      "format": .maybe(facts.format?.rawValue),
      "decoder": .maybe(facts.decoder),
      "decodeDevice": .maybe(facts.decoding.device?.rawValue),
      "decodeFallback": .maybe(facts.decoding.fallback),
      "decodeScale": .maybe(facts.decodeScale),
      "inputSpace": .maybe(facts.inputSpace),
      "replacedColor": .maybe(facts.replacedColor),
      "hdrIn": .maybe(report?.inputKind),
      "hdrOut": .string(outputKind),
      "operator": .maybe(report?.operatorName),
      "operatorReason": .maybe(report?.operatorReason),
      "operatorParameters": .object(
        (report?.operatorParameters ?? []).map { JSON.Field($0.name, .number($0.value)) }),
      "operatorSpace": .maybe(report?.operatorSpace),
      "cameraLook": .maybe(report?.cameraLook),
      "toneMetadata": .maybe(report?.toneMetadata),
      "gamut": .maybe(report?.gamutRule),
      "edits": .array(
        (report?.edits ?? []).map { edit in
          let kernel = edit.kernel.map {
            [JSON.Field("kernel", ["name": .string($0.name), "sha256": .string($0.digest)])]
          }
          return .object(
            [JSON.Field("name", .string(edit.name)), JSON.Field("headroom", .number(edit.headroom ?? 0))]
              + (kernel ?? []))
        }),
      "editedRendition": .maybe(report?.editedRendition?.rawValue),
      "idleEdits": .array((report?.idleEdits ?? []).map(JSON.string)),
      "contentHeadroom": .maybe(report?.contentHeadroom),
      "contentHeadroomSource": .maybe(report?.contentHeadroomSource),
      "displayHeadroom": .maybe(report?.displayHeadroom),
      "outputHeadroom": .maybe(report?.outputHeadroom),
      "white": .maybe(report?.white),
      "measuredPeak": .maybe(facts.measuredPeak),
      "clippedShare": .maybe(facts.clippedShare),
      "gainMapWeight": .maybe(report?.gainMapWeight),
      "gainMapFormula": .maybe(report?.gainMapFormula),
      "workingPrimaries": .maybe(report?.workingPrimaries),
      "outputCICP": report.map { JSON($0.outputCICP) } ?? .null,
      "outputProfile": .maybe(report?.outputProfile),
      "outputSpace": .maybe(report?.outputSpace),
      "ocio": facts.colors.map { JSON($0) } ?? .null,
      "clli": facts.light.map { JSON($0) } ?? .null,
      "mdcv": facts.mastering.map { JSON($0) } ?? .null,
      "mdcvSource": .maybe(facts.masteringSource),
      "hagc": facts.profileTone.map(\.json) ?? .null,
      "stages": .array((report?.stageNames ?? []).map(JSON.string)),
      "backend": .maybe(executor.backend),
      "device": .maybe(executor.device),
      "rounding": .maybe(executor.rounding),
      "isa": .maybe(executor.isa),
      "fallback": .maybe(executor.fallback),
      "sampledStrips": .int(executor.sampledStrips),
      "encodeDevice": .maybe(executor.backend.map { _ in (executor.encoder ?? .cpu).rawValue }),
      "accept": facts.judgement.map { JSON($0) } ?? .null,
      "isolation": .maybe(facts.isolation),
      "width": .int(facts.width),
      "height": .int(facts.height),
      "pixels": .int(facts.pixels),
      "inputDigest": .maybe(facts.inputDigest?.hex),
      "outputDigest": .maybe(facts.outputDigest?.hex),
      "bytesIn": .int(facts.bytesIn),
      "bytesOut": .int(facts.bytesOut),
      "quality": .maybe(facts.quality),
      "qualityTried": .array(facts.qualityTrials.map(\.json)),
      "seconds": .object(
        Phase.allCases.map { phase in
          let value = facts.seconds[phase]
          return JSON.Field(
            phase.rawValue, ["wall": .number(rounded(value?.wall ?? 0)), "cpu": .number(rounded(value?.cpu ?? 0))])
        }),
      "warnings": .array(warnings.map(\.json)),
      "beside": .array(facts.beside.map { .path($0) }),
    ]
    return exactPaths.reduce(row.bounded) { $0.with($1.key, $1.value) }
  }
}

extension ProfileToneFacts {
  fileprivate var json: JSON {
    [
      "source": .string(source.rawValue), "bytes": .int(bytes), "points": .maybe(points),
      "fit": errors.map(Self.json) ?? .null,
    ]
  }

  private static func json(_ errors: ToneMetadataFit.Errors) -> JSON {
    func pair(_ shares: (p50: Double, p95: Double)) -> JSON {
      [
        "p50": .number((shares.p50 * 10_000).rounded() / 10_000),
        "p95": .number((shares.p95 * 10_000).rounded() / 10_000),
      ]
    }
    return ["stops": pair(errors.stops), "deltaE": pair(errors.deltaE)]
  }
}

extension QualityTrial {
  fileprivate var json: JSON { ["quality": .int(quality), "bytes": .int(bytes), "value": .metric(value)] }
}

extension Warning {
  var json: JSON { ["code": .string(code), "message": .string(message.text(dashes: true))] }
}

/// Rounds to whole microseconds.
package func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }

extension JSON: ExpressibleByStringLiteral {
  package init(stringLiteral value: String) { self = .string(value) }
}

extension JSON {
  init(_ cicp: CICP) {
    self = [
      "primaries": .int(cicp.primaries), "transfer": .int(cicp.transfer), "matrix": .int(cicp.matrix),
      "fullRange": .bool(cicp.fullRange),
    ]
  }

  init(_ light: ContentLightLevel) {
    self = ["maxCLL": .number(light.maxCLL), "maxFALL": .number(light.maxFALL)]
  }

  init(_ mastering: MasteringDisplay) {
    self = [
      "primaries": mastering.primaries.map { .array($0.map { JSON($0) }) } ?? .null,
      "maxLuminance": .number(mastering.maxLuminance), "minLuminance": .number(mastering.minLuminance),
    ]
  }
}

extension JSON {
  init(_ point: Chromaticity) { self = .array([.number(point.x), .number(point.y)]) }

  init(_ volume: ContentColorVolume) {
    self = [
      "primaries": volume.primaries.map { .array($0.map { JSON($0) }) } ?? .null,
      "minLuminance": .maybe(volume.minLuminance), "maxLuminance": .maybe(volume.maxLuminance),
      "averageLuminance": .maybe(volume.averageLuminance),
    ]
  }

  init(_ ambient: AmbientViewing) {
    self = ["illuminance": .number(ambient.illuminance), "white": JSON(ambient.white)]
  }

  init(_ environment: ReferenceEnvironment) {
    self = [
      "surround": .number(environment.surround), "surroundWhite": JSON(environment.surroundWhite),
      "periphery": .number(environment.periphery), "peripheryWhite": JSON(environment.peripheryWhite),
    ]
  }
}

extension ItemRecord {
  /// Hexadecimal digits of paths that are not UTF-8, whose printed form another path may have.
  private var exactPaths: [JSON.Field] {
    [("inputHex", item.input.path), ("outputHex", item.output)].compactMap { name, path in
      path.text == nil ? JSON.Field(name, .string(path.bytes.hexDigits)) : nil
    }
  }
}

extension JSON {
  /// The path itself when it is UTF-8 (JSON escapes what is odd in it), else with `\xHH` for its bytes.
  package static func path(_ path: FilePath) -> JSON { .string(path.text ?? path.display) }
}
