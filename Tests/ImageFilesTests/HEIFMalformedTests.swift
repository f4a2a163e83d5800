import HDRCore
import HDRPlan
import ImageFiles
import TestSupport
import Testing

/// Broken files: a typed error or a picture with a warning, in bounded time, never a trap.
struct HEIFMalformedTests {
  static let broken: [String] = {
    let own = HEIF.list("data/malformed").filter { name in
      ["heic", "avif", "up-heic", "up-avif"].contains { name.hasPrefix($0) }
    }
    let others = HEIF.list("data/images/malformed").filter { name in
      [".heic", ".heif", ".avif"].contains { name.hasSuffix($0) }
    }
    return own.map { "data/malformed/" + $0 } + others.map { "data/images/malformed/" + $0 }
  }()

  @Test(.enabled(if: SharedData.hasMalformed, "skipped: no data"), arguments: broken)
  func brokenFilesEndInTime(path: String) throws {
    let bytes = try #require(SharedData.bytes(path))
    let elapsed = ContinuousClock().measure {
      do throws(DecodeError) {
        let source = try decodeImage(bytes)
        #expect(source.image.channels.count == 1 || source.image.channels.count == 3)
      } catch {
        #expect(!"\(error)".isEmpty)
      }
    }
    #expect(elapsed < .seconds(10))
  }

  /// Outcomes that data/malformed/MANIFEST.tsv allows.
  @Test(.enabled(if: SharedData.hasMalformed, "skipped: no data"))
  func outcomesAreThoseOfTheManifest() throws {
    let manifest = try #require(SharedData.bytes("data/malformed/MANIFEST.tsv"))
    var checked = 0
    for line in String(decoding: manifest, as: UTF8.self).split(separator: "\n") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard let name = fields.first, let allowed = fields.last?.split(separator: "|").map(String.init),
        Self.broken.contains("data/malformed/" + name), let bytes = SharedData.bytes("data/malformed/" + name)
      else { continue }
      checked += 1
      let outcome = outcome(of: bytes)
      #expect(allowed.contains(outcome), "\(name): \(outcome), allowed \(allowed)")
    }
    #expect(checked >= 30)
  }

  private func outcome(of bytes: [UInt8]) -> String {
    do throws(DecodeError) {
      return try decodeImage(bytes).warnings.isEmpty ? "ok" : "warn"
    } catch {
      if case .limit = error { return "limit" }
      return "malformed"
    }
  }

  /// Every byte of the headers of two small files, replaced by values that hurt.
  @Test(
    .enabled(if: SharedData.hasImages, "skipped: no data"),
    arguments: ["avif_hdr/hdr-clli-mdcv.avif", "heic_gainmap/made_tmap_sdrbase_rgbmap.heic"])
  func changedHeadersNeverTrap(path: String) throws {
    let bytes = try HEIF.bytes(path)
    var errors = 0
    for index in bytes.indices.prefix(1500) {
      for value in [0, 1, 0x7F, 0x80, 0xFF, bytes[index] ^ 1, bytes[index] &+ 1] as [UInt8] {
        var changed = bytes
        changed[index] = value
        do throws(DecodeError) {
          _ = try HEIFDecoder.decode(changed, request: .metadata, limits: DecodeLimits())
        } catch {
          errors += 1
        }
      }
    }
    #expect(errors > 100)
  }

  /// A slice cut short inside a box structure that is whole: the rest of the NAL unit becomes filler data.
  @Test(
    .enabled(if: SharedData.hasImages, "skipped: no data"),
    arguments: [
      "heic_hdr/made_pq_bt2020_10bit_420.heic", "heic_hdr/made_hlg_bt2020_10bit_444_lossless.heic",
      "heic_hdr/img_751.heic", "heic_hdr/Canon.HIF", "heic_hdr/galaxy_s24fe_hdrgm_xmp_no_map.heic",
      "heic_gainmap/ios18_tmap_crop_1280x1792.heic", "heic_gainmap/pug.heic",
    ], [0.02, 0.1, 0.5, 0.9, 0.99])
  func cutSlicesAreErrors(path: String, share: Double) throws {
    var bytes = try HEIF.bytes(path)
    let file = try HEIFFile(bytes)
    let primary = file.primaryID
    let tile = file.targets("dimg", from: primary).first ?? primary
    // One extent in the file: the indices of the slice are those of the file.
    let data = try file.data(of: tile)
    try #require(Array(bytes[data.indices]) == Array(data))
    let (start, length) = try largestUnit(data)
    let kept = Int(Double(length) * share)
    try #require(kept > 4 && length - kept > 16)
    func write(_ value: Int, at position: Int) {
      for byte in 0..<4 { bytes[position + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte)) }
    }
    write(kept, at: start)
    let rest = start + 4 + kept
    write(length - kept - 4, at: rest)
    (bytes[rest + 4], bytes[rest + 5]) = (38 << 1, 1)
    #expect(throws: DecodeError.self) { try decodeImage(bytes) }
  }

  private func largestUnit(_ data: ArraySlice<UInt8>) throws -> (start: Int, length: Int) {
    var best = (start: 0, length: 0), position = data.startIndex
    while position + 4 <= data.endIndex {
      let length = data[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
      if length > best.length { best = (position, length) }
      position += 4 + length
    }
    try #require(best.length > 64)
    return best
  }

  @Test(
    .enabled(if: SharedData.hasImages, "skipped: no data"),
    arguments: ["heic_hdr/cat.hif", "heic_hdr/made_pq_bt2020_10bit_420.heic", "avif_hdr/sofa_grid1x5_420.avif"])
  func shortFilesAreTruncated(path: String) throws {
    let bytes = try HEIF.bytes(path)
    for share in [0.3, 0.6, 0.9] {
      let cut = Array(bytes.prefix(Int(Double(bytes.count) * share)))
      #expect(throws: DecodeError.self) { try decodeImage(cut) }
    }
  }

  /// The picture is whole, the XMP after it is not.
  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func cutMetadataIsAWarning() throws {
    let bytes = try HEIF.bytes("avif_hdr/seine_hdr_rec2020.avif")
    let source = try decodeImage(Array(bytes.prefix(bytes.count * 6 / 10)))
    #expect(source.image.hash == (try decodeImage(bytes).image.hash))
    #expect(source.warnings.map(\.code) == ["file.truncated", "xmp.malformed"])
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func limitsAreKept() throws {
    let path = "heic_hdr/Canon.HIF"
    #expect(throws: DecodeError.limit(what: "picture side", found: 2400, allowed: 2000, raise: .setting("max-side"))) {
      try HEIF.read(path, .metadata, limits: DecodeLimits(maxSide: 2000))
    }
    #expect(
      throws: DecodeError.limit(
        what: "pixel count", found: 3_840_000, allowed: 1_000_000, raise: .setting("max-pixels"))
    ) {
      try HEIF.read(path, limits: DecodeLimits(maxPixels: 1_000_000))
    }
    #expect(throws: DecodeError.self) { try HEIF.read(path, limits: DecodeLimits(maxFileBytes: 1000)) }
    #expect(throws: DecodeError.self) {
      try HEIF.read("heic_hdr/img_751.heic", limits: DecodeLimits(maxICCBytes: 100))
    }
  }
}
