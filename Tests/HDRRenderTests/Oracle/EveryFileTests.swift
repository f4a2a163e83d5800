import CPURender
import Foundation
import HDRCore
import HDRPlan
import HDRRender
import ImageFiles
import TestSupport
import Testing

/// Every valid JPEG, PNG, HEIC and AVIF of the set: rendered, or refused for the reason stated here.
@Suite(.serialized, .enabled(if: SharedData.hasImages, "skipped: no data"))
struct EveryFileTests {
  static let files: [String] = ["avif_gainmap", "avif_hdr", "gainmap_jpeg", "heic_gainmap", "heic_hdr", "png"].flatMap {
    folder -> [String] in
    guard let url = SharedData.url("data/images/" + folder),
      let names = try? FileManager.default.contentsOfDirectory(atPath: url.path)
    else { return [] }
    return names.sorted().map { folder + "/" + $0 }
  }

  /// The AV1 payload of this file does not decode with avifdec either ("Decoding of color planes failed"); it was made
  /// for its container.
  static let refused: Set<String> = ["avif_hdr/hdr-clli-mdcv.avif"]

  @Test(arguments: files)
  func everyFileIsRenderedOrRefusedAsListed(file: String) throws {
    let bytes = try #require(SharedData.bytes("data/images/" + file))
    let source: SourceImage
    do {
      source = try decodeImage(bytes)
    } catch {
      #expect(Self.refused.contains(file), "\(error)")
      AccuracyLog.append("\(file)\trefused: \(error)")
      return
    }
    #expect(!Self.refused.contains(file))
    let plan = try Planner.plan(source, RenditionOptions(kind: .pqPNG).recipe)
    let picture = CPUBackend.best.render(plan, threads: 2)
    #expect(picture.width == source.geometry.outputWidth && picture.height == source.geometry.outputHeight)
    let warnings = source.warnings.map(\.code).joined(separator: ", ")
    let headrooms = source.gainMap.map { map in
      String(format: ", %.4g to %.4g stops", map.metadata.baseHeadroom, map.metadata.alternateHeadroom)
    }
    AccuracyLog.append(
      "\(file)\trendered: \(source.inputKind)\(headrooms ?? "")\(warnings.isEmpty ? "" : "; warns " + warnings)")
    // A picture, not a constant: the darkest and the lightest of a grid of samples differ.
    var low = 1.0, high = 0.0
    for y in stride(from: picture.height / 64, to: picture.height, by: max(1, picture.height / 32)) {
      for x in stride(from: picture.width / 64, to: picture.width, by: max(1, picture.width / 32)) {
        let green = picture.rgb(x, y)[1]
        low = min(low, green)
        high = max(high, green)
      }
    }
    #expect(high > low)
  }

  /// Formats of later issues.
  static let later = [".exr.", ".jxl.", ".tif.", ".tiff.", ".hdr.", ".dng."]

  @Test func noTableIsForgotten() {
    let tables = Oracle.tables(endingIn: [".tsv"]).filter { name in !Self.later.contains { name.contains($0) } }
    let used = Set(
      GainMapOracleTests.names + AppleOracleTests.cases.map(\.table) + CodeOracleTests.names + CubeOracleTests.names
        + SceneOracleTests.cases.map(\.scene))
    let forgotten = tables.filter { !used.contains($0) }
    #expect(forgotten == [])
    #expect(used.count >= 100 && Self.files.count >= 52)
  }
}
