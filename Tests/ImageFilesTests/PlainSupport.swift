import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// Samples of the shared pictures of formats without libraries, as independent readers or the arrays they were made from
/// give them.
enum PlainExpectations {
  struct Row {
    var file: String
    /// The numbers: codes, words, or light.
    var what: String
    var x: Int
    var y: Int
    var values: [Double]
  }

  static let isHere = SharedData.url("data/formats2/expected.tsv") != nil

  /// The rows of the files of a folder, by file.
  static func files(_ folder: String) -> [(file: String, rows: [Row])] {
    let text = String(decoding: SharedData.bytes("data/formats2/expected.tsv") ?? [], as: UTF8.self)
    let rows = text.split(separator: "\n").dropFirst().compactMap { line -> Row? in
      let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      guard cells[0].hasPrefix(folder + "/"), let x = Int(cells[5]), let y = Int(cells[6]) else { return nil }
      return Row(file: cells[0], what: cells[1], x: x, y: y, values: cells[7...].compactMap { Double($0) })
    }
    return Dictionary(grouping: rows, by: \.file).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  static func bytes(_ file: String) throws -> [UInt8] { try #require(SharedData.bytes("data/formats2/" + file)) }
}

/// Reads pictures and gives their samples as numbers.
enum Plain {
  /// Reads a picture after its head, which must hold for it.
  static func read(_ bytes: [UInt8], _ change: (inout DecodeLimits) -> Void = { _ in }) throws -> SourceImage {
    var limits = DecodeLimits()
    change(&limits)
    let head = try decodeImage(bytes, request: .metadata, limits: limits)
    let source = try decodeImage(bytes, limits: limits)
    #expect(head.withoutPixels.image == source.withoutPixels.image, "the head is that of another picture")
    #expect(head.color == source.color && head.warnings == source.warnings && head.header == source.header)
    return source
  }

  /// The error of a file; `nil`: it is read.
  static func error(_ bytes: [UInt8], _ change: (inout DecodeLimits) -> Void = { _ in }) -> DecodeError? {
    var limits = DecodeLimits()
    change(&limits)
    do throws(DecodeError) {
      _ = try decodeImage(bytes, limits: limits)
      return nil
    } catch {
      return error
    }
  }

  /// The samples of a stored pixel; alpha comes last.
  static func stored(_ source: SourceImage, _ x: Int, _ y: Int) -> [Double] {
    let image = source.image
    return (image.channels + (image.alpha.map { [$0] } ?? [])).map { plane in
      let at = plane.buffer.base + plane.offset + y * plane.rowBytes + x * plane.stepBytes
      switch image.format {
      case .uint8: return Double(at.load(as: UInt8.self))
      case .uint16: return Double(at.loadUnaligned(as: UInt16.self))
      case .float16: return Double(Float16(bitPattern: at.loadUnaligned(as: UInt16.self)))
      case .float32: return Double(at.loadUnaligned(as: Float.self))
      }
    }
  }

  /// The samples of a shown pixel.
  static func shown(_ source: SourceImage, _ x: Int, _ y: Int) -> [Double] {
    let map = source.geometry.mapping
    return stored(source, map.x0 + x * map.columnX + y * map.rowX, map.y0 + x * map.columnY + y * map.rowY)
  }

  /// Light within the bounds that plans take.
  static func bounded(_ light: Double) -> Double {
    if light.isNaN || abs(light) < 0x1p-30 { return 0 }
    if light.isInfinite { return light < 0 ? -65_504 : 65_504 }
    return min(max(light, -0x1p20), 0x1p20)
  }

  /// The codes of the warnings of a picture.
  static func codes(_ source: SourceImage) -> [String] { source.warnings.map(\.code) }
}

extension SampleImage {
  /// True if sizes, model, sample format and depth are equal.
  fileprivate static func == (a: SampleImage, b: SampleImage) -> Bool {
    (a.width, a.height, a.bitDepth, a.alphaBitDepth) == (b.width, b.height, b.bitDepth, b.alphaBitDepth)
      && a.model == b.model && a.format == b.format
  }
}

extension SamplePlane {
  /// The samples of a row of binary32.
  func floats(_ y: Int) -> UnsafeMutablePointer<Float> {
    (buffer.base + offset + y * rowBytes).assumingMemoryBound(to: Float.self)
  }
}
