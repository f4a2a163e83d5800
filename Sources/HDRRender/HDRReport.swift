import CodecService
import HDRCore
import HDRPlan

/// The facts found about a picture on its way into a file or into memory.
///
/// ```swift
/// let report = try renderer.write(photo, to: "out.heic", as: .adaptiveHEIC())
/// print(report.operatorName, report.operatorReason, report.warnings)
/// ```
public struct HDRReport: Sendable, CustomStringConvertible {
  /// All facts, in the form of records of batches.
  package let facts: RenderFacts
  /// The kind of the result, as records have it.
  package let outputKind: String

  init(_ job: RenderJob) { (facts, outputKind) = (job.facts, job.choice.hdrKind) }

  /// The width of the result in pixels.
  public var width: Int { facts.width }
  public var height: Int { facts.height }
  /// The SHA-256 of the source, in hexadecimal; `nil` if there is none.
  public var inputDigest: String? { facts.inputDigest?.hex }
  public var outputDigest: String? { facts.outputDigest?.hex }
  /// The number of bytes of the written files.
  public var byteCount: Int { facts.bytesOut }
  /// The MaxCLL and MaxFALL of the result in cd/m², if its format states them.
  public var light: ContentLightLevel? { facts.light }
  /// The tone operator that ran, or "none"; `operatorReason` says why.
  public var operatorName: String { facts.report?.operatorName ?? "none" }
  public var operatorReason: String { facts.report?.operatorReason ?? "" }
  /// The headroom of the content as a factor of reference white; then the display's and the result's.
  public var contentHeadroom: Double { facts.report?.contentHeadroom ?? 0 }
  public var displayHeadroom: Double { facts.report?.displayHeadroom ?? 0 }
  public var outputHeadroom: Double { facts.report?.outputHeadroom ?? 0 }
  /// The backend, "gpu" or "cpu"; `nil` if nothing had to be rendered.
  public var backend: String? { facts.executor.backend }
  public var device: String? { facts.executor.device }
  public var warnings: [Warning] { facts.warnings }

  public var description: String {
    let by = backend == nil ? "kept as it is" : "\(operatorName) on \(device ?? "?")"
    return "\(width)x\(height), headroom \(short(outputHeadroom)), \(by)"
      + (byteCount > 0 ? ", \(byteCount) bytes" : "") + warnings.map { "; \($0.message) [\($0.code)]" }.joined()
  }
}
