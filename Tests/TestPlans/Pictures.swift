import CPUReference
import Foundation
import HDRCore
import HDRPlan
import TestSupport

/// A plan on the CPU, every pass whole.
package func renderOnCPU(_ plan: Plan) -> SampleImage {
  var outputs: [SampleImage?] = []
  let workspace = CPURenderer.Workspace()
  for (index, pass) in plan.passes.enumerated() {
    let output = CPURenderer.makeOutput(pass)
    CPURenderer.render(
      plan, pass: index, rows: 0..<pass.height, outputs: outputs, into: output, workspace: workspace)
    outputs.append(output)
  }
  return outputs.last!!
}

/// Number of samples that differ, colour and alpha; -1 when the pictures have different shapes.
package func differingSamples(_ a: SampleImage, _ b: SampleImage) -> Int {
  let left = a.channels + [a.alpha].compactMap { $0 }, right = b.channels + [b.alpha].compactMap { $0 }
  guard left.count == right.count, a.width == b.width, a.height == b.height else { return -1 }
  var count = 0
  for (p, q) in zip(left, right) {
    guard p.width == q.width, p.height == q.height, p.stepBytes == q.stepBytes else { return -1 }
    // Bytes of a sample: planes of binary32 have steps of 4 and no neighbours.
    let bytes = p.stepBytes == 4 && a.alpha == nil ? 4 : a.format.bytes
    for y in 0..<p.height {
      let r = p.buffer.base + p.offset + y * p.rowBytes, s = q.buffer.base + q.offset + y * q.rowBytes
      for x in 0..<p.width where memcmp(r + x * p.stepBytes, s + x * q.stepBytes, bytes) != 0 { count += 1 }
    }
  }
  return count
}

extension SampleImage {
  /// Fills all planes with random codes of the picture's depth.
  package func randomized(_ seed: UInt64) -> SampleImage {
    var random = SplitMix(state: seed)
    for plane in channels + [alpha].compactMap({ $0 }) {
      for y in 0..<plane.height {
        for x in 0..<plane.width {
          let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
          let bits = UInt16(truncatingIfNeeded: random.next())
          switch format {
          case .uint8: at.storeBytes(of: UInt8(truncatingIfNeeded: bits), as: UInt8.self)
          case .uint16: at.storeBytes(of: (bits >> UInt16(16 - bitDepth)) << UInt16(lowZeroBits), as: UInt16.self)
          case .float16: at.storeBytes(of: bits, as: UInt16.self)
          case .float32: at.storeBytes(of: UInt32(truncatingIfNeeded: random.next()), as: UInt32.self)
          }
        }
      }
    }
    return self
  }

  /// P010, contents undefined: Y rows, then interleaved Cb Cr rows in the same memory, ten bits at the top of sixteen.
  package static func p010(width: Int, height: Int) -> SampleImage {
    let chromaWidth = (width + 1) / 2, chromaHeight = (height + 1) / 2
    let row = (max(width, 2 * chromaWidth) * 2 + 31) & ~31
    let buffer = PixelBuffer(uninitializedByteCount: row * (height + chromaHeight))
    func chroma(_ offset: Int) -> SamplePlane {
      SamplePlane(
        buffer: buffer, offset: row * height + offset, rowBytes: row, stepBytes: 4, width: chromaWidth,
        height: chromaHeight)
    }
    return SampleImage(
      width: width, height: height, model: .ycc, format: .uint16, bitDepth: 10, lowZeroBits: 6, chroma: .s420,
      channels: [
        SamplePlane(buffer: buffer, rowBytes: row, stepBytes: 2, width: width, height: height), chroma(0), chroma(2),
      ])
  }

  /// Values of the first row, pixel by pixel: codes or light of up to three channels.
  package var firstRow: [[Double]] {
    (0..<width).map { x in
      channels.prefix(3).map { plane in
        let at = plane.buffer.base + plane.offset + x * plane.stepBytes
        switch format {
        case .uint8: return Double(at.load(as: UInt8.self))
        case .uint16: return Double(at.load(as: UInt16.self))
        default: return Double(at.load(as: Float.self))
        }
      }
    }
  }
}
