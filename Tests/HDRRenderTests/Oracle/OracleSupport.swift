import CPURender
import Foundation
import HDRCore
import HDRPlan
import ImageFiles
import Synchronization
import TestPlans
import TestSupport
import Testing

/// The allowed distance of a rendition from another program's values: of all sampled components, half must lie within
/// `median` and 95 % within `p95`.
struct Bounds: Sendable {
  var median: Double
  var p95: Double
}

/// The differences from one table of `data/images/expected`.
struct Agreement {
  var median: Double
  var p95: Double
  var samples: Int

  init(_ errors: [Double]) {
    median = percentile(errors, 0.5)
    p95 = percentile(errors, 0.95)
    samples = errors.count
  }

  /// Checks the bounds, and leaves a line for docs/data/accuracy.tsv when HDRBATCH_ACCURACY names a file.
  func check(_ bounds: Bounds, file: String, oracle: String, unit: String) {
    #expect(samples > 0 && median <= bounds.median, "\(oracle): median \(median), bound \(bounds.median)")
    #expect(p95 <= bounds.p95, "\(oracle): 95th percentile \(p95), bound \(bounds.p95)")
    let scale = unit == "%" ? 100.0 : 1
    func text(_ x: Double) -> String { String(format: "%.3g", x * scale) }
    let tool = oracle.replacingOccurrences(of: file.split(separator: "/").last.map { $0 + "." } ?? "", with: "")
      .replacingOccurrences(of: ".tsv", with: "")
    AccuracyLog.append(
      "\(file)\t\(tool)\t\(text(median))\t\(text(p95))\t\(text(bounds.median)), \(text(bounds.p95))\t\(unit)")
  }
}

/// The input of scripts/peers/oracles/accuracy for docs/data/accuracy.tsv: tab-separated lines, appended to the file
/// that HDRBATCH_ACCURACY names; nowhere without it. Two columns: a file and its result. Six: a file, an oracle,
/// median, 95th percentile, bounds and unit.
enum AccuracyLog {
  static func append(_ line: String) {
    guard let path = ProcessInfo.processInfo.environment["HDRBATCH_ACCURACY"],
      let file = fopen(path, "a")
    else { return }
    fputs(line + "\n", file)
    fclose(file)
  }
}

enum Oracle {
  /// Path below data/images of the image that a table is about, from its header.
  static func image(of table: OracleTable) throws -> String { try #require(table.header["file"]) }

  /// Decodes the image of a table. JPEG and AVIF values are in stored orientation, uncropped; HEIC values as displayed.
  static func source(_ table: OracleTable) throws -> SourceImage {
    let file = try image(of: table)
    var source: SourceImage
    if let known = decoded.withLock({ $0.first { $0.file == file }?.source }) {
      source = known
    } else {
      source = try decodeImage(try #require(SharedData.bytes("data/images/" + file)))
      decoded.withLock { [source] known in known = [(file, source)] + known.prefix(2) }
    }
    if source.format != .heic { source.geometry = Geometry(width: source.image.width, height: source.image.height) }
    return source
  }

  /// The pictures that were decoded last: tables of one file follow each other, and the largest has 27 megapixels.
  private static let decoded = Mutex<[(file: String, source: SourceImage)]>([])

  /// Renders the rows of a picture in which a table has values, in blocks of 64; the others stay undefined.
  static func render(_ plan: Plan, for table: OracleTable) -> SampleImage {
    let blocks = Dictionary(grouping: table.rows.map(\.y)) { $0 / 64 }
    let rows = blocks.map { 64 * $0.key..<($0.value.max() ?? 0) + 1 }.sorted { $0.lowerBound < $1.lowerBound }
    return CPUBackend.best.render(plan, rows: rows, threads: 2)
  }

  /// Names of all tables that end in one of `suffixes`.
  static func tables(endingIn suffixes: [String]) -> [String] {
    guard let url = SharedData.url("data/images/expected"),
      let names = try? FileManager.default.contentsOfDirectory(atPath: url.path)
    else { return [] }
    return names.filter { name in suffixes.contains { name.hasSuffix($0) } }.sorted()
  }
}

extension SampleImage {
  /// R, G, B of an output pixel: floats as they are, integers over their largest value.
  func rgb(_ x: Int, _ y: Int) -> [Double] {
    channels.prefix(3).map { plane in
      let at = plane.offset + y * plane.rowBytes + x * plane.stepBytes
      switch format {
      case .float16: return Double(Float16(bitPattern: plane.buffer.base.load(fromByteOffset: at, as: UInt16.self)))
      case .float32: return Double(plane.buffer.base.load(fromByteOffset: at, as: Float.self))
      case .uint16: return Double(plane.buffer.base.load(fromByteOffset: at, as: UInt16.self)) / 65535
      case .uint8: return Double(plane.buffer.base.load(fromByteOffset: at, as: UInt8.self)) / 255
      }
    }
  }
}

extension GainMap {
  /// The map as a picture of its own: its codes, in sRGB because codes do not ask what they mean.
  var asSource: SourceImage {
    SourceImage(
      format: .memory, image: image,
      color: SourceColor(matrix: matrix, fullRange: fullRange, encoding: .cicp(primaries: 1, transfer: 13)),
      geometry: Geometry(width: image.width, height: image.height))
  }
}

extension SourceImage {
  /// A recipe that gives the file's own R'G'B' signal as 16-bit codes: PQ and HLG in their primaries. Other signals are
  /// taken for sRGB on both ends (the second value), because codes do not ask what they mean.
  var signalRecipe: (recipe: RenderRecipe, source: SourceImage) {
    var target = OutputSignal(primaries: 1, encoding: .sdr, sink: .rgba16)
    var source = self
    source.gainMap = nil
    if case .cicp(let primaries, let transfer) = color.encoding, transfer == 16 || transfer == 18 {
      target.encoding = transfer == 16 ? .pq : .hlg
      target.primaries = primaries == 2 ? 9 : primaries
    } else {
      source.color.encoding = .cicp(primaries: 1, transfer: 13)
    }
    return (RenderRecipe(target: target, tone: .none, gamut: .none), source)
  }

  /// Returns the picture as R'G'B' codes of its own depth, rounded and cut to their range: libavif and libheif convert
  /// Y'CbCr so before anything else.
  func roundedToRGB() throws -> SourceImage {
    let (recipe, source) = signalRecipe
    var stored = source
    stored.geometry = Geometry(width: image.width, height: image.height)
    let codes = CPUBackend.best.render(try Planner.plan(stored, recipe), threads: 2)
    codes.roundCodes(bits: image.bitDepth)
    var copy = self
    copy.image = codes
    copy.image.bitDepth = image.bitDepth
    copy.image.alpha = nil
    copy.color.matrix = 0
    copy.color.fullRange = true
    return copy
  }
}
