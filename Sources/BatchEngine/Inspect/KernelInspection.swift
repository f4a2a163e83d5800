import CodecService
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import PlainData

/// A user's kernel, checked and described.
package struct KernelInspection: Sendable {
  private let path: FilePath
  private let kernel: UserKernel

  /// Compiles and checks a kernel's file.
  ///
  /// - Throws: `FilterInputs.Fault` that begins with path and line.
  package init(_ path: FilePath, limits: DecodeLimits, codecs: any CodecBorder) throws(FilterInputs.Fault) {
    self.path = path
    kernel = try KernelStore.read(path, limits: limits, codecs: codecs).kernel
  }

  package var lines: [String] {
    let head = kernel.head
    return [
      path.display, "  \(head.name): \(head.summary)", "    " + traits.joined(separator: ", "),
      "    \(kernel.module.operations) operations a pixel, loops once; sha256 \(kernel.digest)",
    ]
      + kernel.parameters.map { "    " + $0.line }
  }

  private var traits: [String] {
    let head = kernel.head
    return [
      head.isHDRSafe ? "HDR safe" : "not HDR safe", "alpha \(head.makesAlpha ? "made" : "kept")",
      "headroom \(headroom)", "radius \(head.radius)",
    ]
  }

  private var headroom: String {
    switch kernel.head.headroom {
    case .keeps: "kept"
    case .unknown: "unknown"
    case .scales(let text): "times \(text)"
    }
  }

  package var json: JSON {
    let head = kernel.head
    return [
      "file": .path(path), "name": .string(head.name), "summary": .string(head.summary),
      "hdrSafe": .bool(head.isHDRSafe), "alpha": .string(head.makesAlpha ? "made" : "kept"),
      "headroom": .string(headroom), "radius": .int(head.radius), "operations": .int(kernel.module.operations),
      "sha256": .string(kernel.digest), "parameters": .array(kernel.parameters.map(\.json)),
    ]
  }
}
