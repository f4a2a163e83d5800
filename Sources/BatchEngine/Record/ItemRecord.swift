import CodecService
import HDRCore
import HDRPlan
import ImageFiles

/// How an item ended.
public enum ItemStatus: String, Sendable, Hashable, CaseIterable {
  case ok
  /// Written, with warnings.
  case warn
  case failed
  /// Not rendered: there already, or the batch stopped before it.
  case skipped
}

/// The result of one item: one line of the record.
public struct ItemRecord: Sendable {
  public var item: BatchItem
  public var status = ItemStatus.failed
  /// Stable short code of a failure or a skip, e.g. `decode.truncated`.
  public var code: String?
  public var message: String?
  /// "heic", "avif", "jpeg", "png".
  public var format: String?
  /// Library and version that decoded it.
  public var decoder: String?
  /// What the plan decided; `nil` when none was made.
  public var report: PlanReport?
  /// HDR kind of the output: "pq", "hlg", "sdr", "linear".
  public var outputKind: String
  /// Size of the output in pixels.
  public var width = 0
  public var height = 0
  public var light: ContentLightLevel?
  /// "gpu" or "cpu"; `nil` when nothing was rendered.
  public var backend: String?
  public var device: String?
  /// For "gpu": whether the device promises round to nearest even, or only passed the self-test.
  public var rounding: String?
  /// Instruction set of the CPU build, for "cpu".
  public var isa: String?
  /// Why the item was not rendered on the GPU although one was in use.
  public var fallback: String?
  /// Strips of the picture that the CPU rendered too and found the same.
  public var sampledStrips = 0
  /// Where the codecs ran: "sandbox", "rlimit" or "none"; `nil` when nothing was tried.
  public var isolation: String?
  public var seconds: [Phase: PhaseSeconds] = [:]
  public var warnings: [Warning] = []
  /// SHA-256 of the input file and of the written file; `nil` where they were not read or not made.
  public var inputDigest: Digest?
  public var outputDigest: Digest?
  public var bytesIn = 0
  public var bytesOut = 0

  public init(item: BatchItem, outputKind: String) {
    self.item = item
    self.outputKind = outputKind
  }

  public var pixels: Int { width * height }

  /// Fields in a fixed order; a field that is not known is `null`.
  public var json: JSON {
    [
      "type": "item",
      "index": .int(item.index),
      "input": .path(item.input.path),
      "output": .path(item.output),
      "status": .string(status.rawValue),
      "code": .maybe(code),
      "message": .maybe(message),
      "format": .maybe(format),
      "decoder": .maybe(decoder),
      "hdrIn": .maybe(report?.inputKind),
      "hdrOut": .string(outputKind),
      "operator": .maybe(report?.operatorName),
      "operatorReason": .maybe(report?.operatorReason),
      "operatorParameters": .object(
        (report?.operatorParameters ?? []).map { JSON.Field($0.name, .number($0.value)) }),
      "operatorSpace": .maybe(report?.operatorSpace),
      "toneMetadata": .maybe(report?.toneMetadata),
      "gamut": .maybe(report?.gamutRule),
      "edits": .array(
        (report?.edits ?? []).map { ["name": .string($0.name), "headroom": .number($0.headroom ?? 0)] }),
      "editedRendition": .maybe(report?.editedRendition?.rawValue),
      "idleEdits": .array((report?.idleEdits ?? []).map(JSON.string)),
      "contentHeadroom": .maybe(report?.contentHeadroom),
      "contentHeadroomSource": .maybe(report?.contentHeadroomSource),
      "displayHeadroom": .maybe(report?.displayHeadroom),
      "outputHeadroom": .maybe(report?.outputHeadroom),
      "gainMapWeight": .maybe(report?.gainMapWeight),
      "gainMapFormula": .maybe(report?.gainMapFormula),
      "workingPrimaries": .maybe(report?.workingPrimaries),
      "outputCICP": report.map { JSON($0.outputCICP) } ?? .null,
      "clli": light.map { JSON($0) } ?? .null,
      "stages": .array((report?.stageNames ?? []).map(JSON.string)),
      "backend": .maybe(backend),
      "device": .maybe(device),
      "rounding": .maybe(rounding),
      "isa": .maybe(isa),
      "fallback": .maybe(fallback),
      "sampledStrips": .int(sampledStrips),
      "isolation": .maybe(isolation),
      "width": .int(width),
      "height": .int(height),
      "pixels": .int(pixels),
      "inputDigest": .maybe(inputDigest?.hex),
      "outputDigest": .maybe(outputDigest?.hex),
      "bytesIn": .int(bytesIn),
      "bytesOut": .int(bytesOut),
      "seconds": .object(
        Phase.allCases.map { phase in
          let value = seconds[phase]
          return JSON.Field(
            phase.rawValue, ["wall": .number(rounded(value?.wall ?? 0)), "cpu": .number(rounded(value?.cpu ?? 0))])
        }),
      "warnings": .array(warnings.map { ["code": .string($0.code), "message": .string($0.message)] }),
    ]
  }
}

/// Microseconds are enough.
package func rounded(_ seconds: Double) -> Double { (seconds * 1e6).rounded() / 1e6 }

extension JSON: ExpressibleByStringLiteral {
  public init(stringLiteral value: String) { self = .string(value) }
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
      "primaries": mastering.primaries.map { .array($0.map { .array([.number($0.x), .number($0.y)]) }) } ?? .null,
      "maxLuminance": .number(mastering.maxLuminance), "minLuminance": .number(mastering.minLuminance),
    ]
  }
}

extension JSON {
  /// The path itself when it is UTF-8 (JSON escapes what is odd in it), else with `\xHH` for its bytes.
  public static func path(_ path: FilePath) -> JSON { .string(path.text ?? path.display) }
}
