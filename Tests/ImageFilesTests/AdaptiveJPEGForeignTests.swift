import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// Adaptive HDR JPEG in the eyes of programs that other people wrote: libultrahdr's light, ExifTool's structure.
@Suite(.serialized) struct AdaptiveJPEGForeignTests {
  // MARK: libultrahdr

  /// A python3 that has imagecodecs: HDRBATCH_PYTHON, or the system's.
  private static let python: URL? = {
    let named = ProcessInfo.processInfo.environment["HDRBATCH_PYTHON"].map(URL.init(fileURLWithPath:))
    return [named, Writer.tool("python3")].compactMap(\.self).first { candidate in
      let process = Process()
      process.executableURL = candidate
      process.arguments = ["-c", "import imagecodecs; imagecodecs.ultrahdr_version()"]
      process.standardError = FileHandle.nullDevice
      guard (try? process.run()) != nil else { return false }
      process.waitUntilExit()
      return process.terminationStatus == 0
    }
  }()

  /// Linear light at every `step`-th column and row, as libultrahdr decodes it; empty where it refuses the file.
  private func decoded(_ file: [UInt8], step: Int) throws -> [(x: Int, y: Int, light: [Double])] {
    let script = SharedData.repository.appendingPathComponent("scripts/peers/oracles/ultrahdr_decode.py").path
    let table = try Writer.run(
      #require(Self.python), [script, "%", String(step)], on: file, suffix: "jpg")
    return table.split(separator: "\n").compactMap { line in
      let values = line.split(separator: "\t").compactMap { Double($0) }
      return values.count == 5 ? (Int(values[0]), Int(values[1]), Array(values[2...])) : nil
    }
  }

  /// |a - b| / max(a, b, 0.02), the measure of `expected/README.md`.
  private func difference(_ a: Double, _ b: Double) -> Double { abs(a - b) / max(a, b, 0.02) }

  /// sRGB light of the base and the formula, from the codes that this project's reader finds in the file.
  private func light(_ source: SourceImage, _ x: Int, _ y: Int) throws -> [Double] {
    let map = try #require(source.gainMap)
    func rgb(_ image: SampleImage) -> [Double] {
      let codes = image.channels.map { plane in
        Double(plane.buffer.base.load(fromByteOffset: plane.offset + y * plane.rowBytes + x, as: UInt8.self))
      }
      guard codes.count == 3 else { return [codes[0], codes[0], codes[0]] }
      let cb = codes[1] - 128, cr = codes[2] - 128
      let values = [codes[0] + 1.402 * cr, codes[0] - 0.344136 * cb - 0.714136 * cr, codes[0] + 1.772 * cb]
      return values.map { min(max($0, 0), 255) }
    }
    let base = rgb(source.image).map { $0 / 255 }, codes = rgb(map.image)
    return (0..<3).map { channel in
      let value = base[channel], linear = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
      return map.metadata.applied(
        to: linear, log2Gain: map.metadata.log2Gain(codes[channel] / 255, channel: channel), weight: 1,
        channel: channel)
    }
  }

  private static let written: [(name: String, GainMapMetadata, mapChannels: Int, AdaptiveBindings)] = [
    ("all, three channels", AdaptiveJPEG.threeChannels, 4, .all),
    ("all, one record, colour map", AdaptiveJPEG.oneChannel, 4, .all),
    ("all, one record, grey map", AdaptiveJPEG.oneChannel, 1, .all),
    ("ISO alone", AdaptiveJPEG.threeChannels, 4, [.iso]),
    ("ISO and index", AdaptiveJPEG.threeChannels, 4, [.iso, .multiPicture]),
    ("hdrgm alone", AdaptiveJPEG.oneChannel, 4, [.hdrgm]),
    ("hdrgm, directory, grey map", AdaptiveJPEG.oneChannel, 1, [.hdrgm, .container]),
  ]

  /// 4:4:4 base and a map of its size: no chroma filter and no resampling stand between the two decoders. What is left
  /// are half floats and libultrahdr's table of gains: medians of 0.1 to 0.2 %, 95th percentiles of 0.3 to 0.5 %.
  @Test(.enabled(if: python != nil, "skipped: no imagecodecs"), arguments: written)
  func libultrahdrSeesTheSameLight(
    name: String, metadata: GainMapMetadata, mapChannels: Int, bindings: AdaptiveBindings
  ) throws {
    let request = AdaptiveJPEG.request(metadata, width: 320, height: 240, mapChannels: mapChannels, bindings: bindings)
    let file = try encodeAdaptive(request).main, source = try decodeImage(file)
    let found = try decoded(file, step: 8)
    try #require(found.count == 40 * 30, "\(name)")
    var differences: [Double] = []
    for (x, y, values) in found {
      differences += zip(values, try light(source, x, y)).map { difference($0, $1) }
    }
    let median = percentile(differences, 0.5), p95 = percentile(differences, 0.95)
    #expect(median < 0.003 && p95 < 0.01, "\(name): median \(median), p95 \(p95)")
  }

  /// Streams kept, segments ours: what libultrahdr made of the original it makes of the new file.
  @Test(
    .enabled(if: python != nil && SharedData.hasImages, "skipped: no imagecodecs or no data"),
    arguments: [
      "gain_mapped-photo-colorful_daisies.jpg", "gain_mapped-test_chart-gray_51.jpg", "made_iso_only_a.jpg",
      "made_uhdr_pq.jpg", "memorial.jpg", "output_uhdr_2.jpg", "small_uhdr.jpg",
    ])
  func rewrittenFilesDecodeAlike(name: String) throws {
    let file = try #require(SharedData.bytes("data/images/gainmap_jpeg/" + name))
    let before = try decoded(file, step: 16)
    let after = try decoded(encodeAdaptive(AdaptiveJPEG.rewriting(file)).main, step: 16)
    try #require(!before.isEmpty && before.count == after.count, "\(name)")
    let differences = zip(before, after).flatMap { old, new in
      zip(old.light, new.light).map { difference($0, $1) }
    }
    #expect(percentile(differences, 0.99) < 0.002, "\(name): \(percentile(differences, 0.99))")
  }

  /// Files that libultrahdr refuses as they are, because it wants hdrgm as attributes, and reads once ISO is in them.
  @Test(
    .enabled(if: python != nil && SharedData.hasImages, "skipped: no imagecodecs or no data"),
    arguments: ["seine_sdr_gainmap_srgb.jpg", "paris_exif_xmp_icc_gainmap_bigendian.jpg"])
  func otherDialectsBecomeReadable(name: String) throws {
    let file = try #require(SharedData.bytes("data/images/gainmap_jpeg/" + name))
    #expect(try decoded(file, step: 16).isEmpty)
    #expect(try decoded(encodeAdaptive(AdaptiveJPEG.rewriting(file)).main, step: 16).count > 400)
  }

  // MARK: ExifTool

  @Test(.enabled(if: Writer.tool("exiftool") != nil, "skipped: no exiftool"))
  func exifToolSeesASoundStructure() throws {
    var request = AdaptiveJPEG.request(width: 320, height: 240)
    request.exif = TinyExif.orientation(8, littleEndian: true)
    request.xmp = Array(
      """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="image/jpeg"/>
      </rdf:RDF></x:xmpmeta>
      """.utf8)
    let file = try encodeAdaptive(request).main, (primary, map) = try AdaptiveJPEG.streams(file)
    func tags(_ bytes: [UInt8], _ options: [String] = []) throws -> [String: [String]] {
      let text = try Writer.run(
        #require(Writer.tool("exiftool")), ["-s", "-a", "-n", "-struct"] + options + ["%"], on: bytes, suffix: "jpg")
      return text.split(separator: "\n").reduce(into: [:]) { tags, line in
        let parts = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
        if parts.count == 2 { tags[parts[0], default: []].append(parts[1]) }
      }
    }
    let read = try tags(file)
    #expect(read["Warning"] == nil && read["Error"] == nil)
    #expect(read["JFIFVersion"] != nil && read["Orientation"] == ["1"])
    #expect(read["ProfileDescription"] == ["Display P3"])
    #expect(read["Format"] == ["image/jpeg"])
    #expect(read["NumberOfImages"] == ["2"] && read["MPFVersion"] == ["0100"])
    #expect(read["MPImageLength"] == [String(primary.count), String(map.count)])
    #expect(read["MPImageStart"] == ["0", String(map.startIndex)])
    let directory = try #require(read["ContainerDirectory"]?.first ?? read["Directory"]?.last)
    #expect(directory.contains("Semantic=Primary") && directory.contains("Semantic=GainMap"))
    #expect(directory.contains("Length=\(map.count)"))
    // The second picture is a whole JPEG to it, with all nine fields.
    let second = try tags(Array(map), ["-XMP-hdrgm:all", "-ImageWidth", "-Warning", "-validate"])
    #expect(second["ImageWidth"] == ["320"])
    // Minor: no packet wrapper, and ISO's segment is newer than this ExifTool.
    #expect(second["Warning"]?.allSatisfy { $0.hasPrefix("[minor]") } != false)
    let fields = [
      "BaseRenditionIsHDR", "Gamma", "GainMapMax", "GainMapMin", "HDRCapacityMax", "HDRCapacityMin", "OffsetHDR",
      "OffsetSDR", "Version",
    ]
    for field in fields { #expect(second.keys.contains { $0.hasSuffix(field) }, "\(field)") }
  }

  /// Runs ExifTool's own checks of Exif, XMP, ICC and MPF, on files written from real ones.
  @Test(
    .enabled(if: Writer.tool("exiftool") != nil && SharedData.hasImages, "skipped: no exiftool or no data"),
    arguments: ["seine_sdr_gainmap_srgb.jpg", "output_uhdr_2.jpg", "memorial.jpg"])
  func exifToolReadsRewrittenFiles(name: String) throws {
    let file = try #require(SharedData.bytes("data/images/gainmap_jpeg/" + name))
    let new = try encodeAdaptive(AdaptiveJPEG.rewriting(file)).main
    let (_, map) = try AdaptiveJPEG.streams(new)
    let text = try Writer.run(
      #require(Writer.tool("exiftool")), ["-s3", "-b", "-MPImage2", "%"], on: new, suffix: "jpg")
    #expect(!text.isEmpty)
    let tags = try Writer.run(
      #require(Writer.tool("exiftool")), ["-s", "-a", "-n", "-MPImageStart", "-MPImageLength", "-Warning", "%"],
      on: new, suffix: "jpg")
    #expect(tags.contains(": \(map.startIndex)\n") && tags.contains(": \(map.count)\n") && !tags.contains("Warning"))
  }
}
