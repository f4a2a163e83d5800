import CodecService
import HDRCore
import HDRPlan

/// What was found out about a picture on its way into a file or into memory.
///
/// ```swift
/// let report = try renderer.write(photo, to: "out.heic", as: .adaptiveHEIC())
/// print(report.operatorName, report.operatorReason, report.warnings)
/// ```
public struct HDRReport: Sendable, CustomStringConvertible {
  /// All of it, as records of batches have it.
  public let facts: RenderFacts

  init(_ facts: RenderFacts) { self.facts = facts }

  /// Of the result, in pixels.
  public var width: Int { facts.width }
  public var height: Int { facts.height }
  /// SHA-256 of the source and of the written file, in hexadecimal; `nil` where there is none.
  public var inputDigest: String? { facts.inputDigest?.hex }
  public var outputDigest: String? { facts.outputDigest?.hex }
  /// Of the written files.
  public var byteCount: Int { facts.bytesOut }
  /// MaxCLL and MaxFALL of the result in cd/m², where its format states them.
  public var light: ContentLightLevel? { facts.light }
  /// Tone operator that ran, or "none", and why.
  public var operatorName: String { facts.report?.operatorName ?? "none" }
  public var operatorReason: String { facts.report?.operatorReason ?? "" }
  /// Factors of reference white: of the content, of the display it was made for, of the result.
  public var contentHeadroom: Double { facts.report?.contentHeadroom ?? 0 }
  public var displayHeadroom: Double { facts.report?.displayHeadroom ?? 0 }
  public var outputHeadroom: Double { facts.report?.outputHeadroom ?? 0 }
  /// "gpu" or "cpu"; `nil` where nothing had to be rendered.
  public var backend: String? { facts.executor.backend }
  public var device: String? { facts.executor.device }
  public var warnings: [Warning] { facts.warnings }

  public var description: String {
    let by = backend == nil ? "kept as it is" : "\(operatorName) on \(device ?? "?")"
    return "\(width)x\(height), headroom \(short(outputHeadroom)), \(by)"
      + (byteCount > 0 ? ", \(byteCount) bytes" : "") + warnings.map { "; \($0.message) [\($0.code)]" }.joined()
  }
}
