import Foundation
import HDRCore
import ImageFiles
import TestSupport

/// Helpers of the HEIF and AVIF tests.
enum HEIF {
  static let folders = ["heic_hdr", "heic_gainmap", "avif_hdr", "avif_gainmap"]

  static func read(
    _ path: String, _ request: DecodeRequest = .pixels, limits: DecodeLimits = DecodeLimits()
  ) throws -> SourceImage {
    try HEIFDecoder.decode(try bytes(path), request: request, limits: limits)
  }

  static func bytes(_ path: String) throws -> [UInt8] {
    guard let bytes = SharedData.bytes("data/images/" + path) else { throw Missing(path: path) }
    return bytes
  }

  /// Names of the files in a folder of the shared data; none where it is absent.
  static func list(_ folder: String) -> [String] {
    guard let url = SharedData.url(folder) else { return [] }
    return ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted()
  }

  static func names(in folder: String) throws -> [String] {
    let names = list("data/images/" + folder)
    if names.isEmpty { throw Missing(path: folder) }
    return names
  }

  struct Missing: Error { var path: String }
}

extension SamplePlane {
  /// Returns a sample; positions beyond the edges repeat the edge.
  func value(_ x: Int, _ y: Int) -> Int {
    let at = buffer.base + offset + min(max(y, 0), height - 1) * rowBytes + min(max(x, 0), width - 1) * stepBytes
    return stepBytes == 1 ? Int(at.load(as: UInt8.self)) : Int(at.load(as: UInt16.self))
  }

  /// Samples of the plane in rows, hashed (FNV-1a, 64 bits).
  func hash(into state: inout UInt64) {
    for row in 0..<height {
      let start = buffer.base + offset + row * rowBytes
      for byte in UnsafeRawBufferPointer(start: start, count: width * stepBytes) {
        state = (state ^ UInt64(byte)) &* 0x100_0000_01B3
      }
    }
  }
}

extension SampleImage {
  /// All colour samples in plane order.
  var hash: UInt64 {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    for plane in channels { plane.hash(into: &state) }
    return state
  }

  /// R'G'B' codes (full range, not clipped) of the stored pixel (`x`, `y`): chroma of the nearest sample, or of the
  /// mean that `siting` asks for.
  func rgbCodes(_ x: Int, _ y: Int, matrix: Int, fullRange: Bool, nearest: Bool) -> [Double] {
    let peak = Double(1 << bitDepth - 1), scale = Double(1 << (bitDepth - 8))
    func luma(_ v: Double) -> Double { fullRange ? v : (v - 16 * scale) * peak / (219 * scale) }
    func chromaValue(_ v: Double) -> Double {
      let centred = v - Double(1 << (bitDepth - 1))
      return fullRange ? centred : centred * peak / (224 * scale)
    }
    let first = luma(Double(channels[0].value(x, y)))
    if channels.count == 1 { return [first] }
    let b = sampledChroma(1, x, y, nearest: nearest), r = sampledChroma(2, x, y, nearest: nearest)
    if matrix == 0 { return [luma(r), first, luma(b)] }
    let (kr, kb) = Self.luminanceWeights(matrix)
    let red = first + 2 * (1 - kr) * chromaValue(r), blue = first + 2 * (1 - kb) * chromaValue(b)
    return [red, (first - kr * red - kb * blue) / (1 - kr - kb), blue]
  }

  /// Kr and Kb of ITU-T H.273; 12 with the primaries of Display P3.
  private static func luminanceWeights(_ matrix: Int) -> (Double, Double) {
    switch matrix {
    case 1: (0.2126, 0.0722)
    case 9: (0.2627, 0.0593)
    case 12: (0.2289745641, 0.0792869141)
    default: (0.299, 0.114)
    }
  }

  private func sampledChroma(_ channel: Int, _ x: Int, _ y: Int, nearest: Bool) -> Double {
    let plane = channels[channel], hs = chroma.horizontalShift, vs = chroma.verticalShift
    if nearest { return Double(plane.value(x >> hs, y >> vs)) }
    let across = Self.taps(x, shift: hs, cosited: siting.horizontallyCosited)
    let down = Self.taps(y, shift: vs, cosited: siting.verticallyCosited)
    var sum = 0.0
    for (row, rowWeight) in down {
      for (column, weight) in across { sum += rowWeight * weight * Double(plane.value(column, row)) }
    }
    return sum
  }

  private static func taps(_ position: Int, shift: Int, cosited: Bool) -> [(Int, Double)] {
    guard shift == 1 else { return [(position, 1)] }
    let index = position >> 1, isOdd = position & 1 == 1
    if cosited { return isOdd ? [(index, 0.5), (index + 1, 0.5)] : [(index, 1)] }
    return [(index, 0.75), (isOdd ? index + 1 : index - 1, 0.25)]
  }
}
