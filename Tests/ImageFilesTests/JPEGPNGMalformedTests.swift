import Foundation
import HDRCore
import ImageFiles
import TestSupport
import Testing

/// Every broken JPEG and PNG of the shared sets: an error of the expected class, or the picture with a warning, soon.
@Suite struct JPEGPNGMalformedTests {
  /// Files whose row says something their bytes do not.
  private static let exceptions: [String: String] = [
    // Chunks, CRCs and the zlib stream are whole and hold all 48 rows.
    "png-truncated-idat.png": "ok"
  ]
  /// Faults that this program never meets: text chunks are not inflated, and a chain of 37 directories is legal.
  private static let unread: Set<String> = [
    "png-ztxt-bomb-100MiB.png", "up-png-xmp-list-blowup.png", "up-jpg-exif-deep-ifds.jpg",
  ]

  @Test(.enabled(if: SharedData.hasMalformed, "skipped: no data"))
  func filesOfTheMalformedSetEndAsTheManifestSays() throws {
    let manifest = try #require(SharedData.bytes("data/malformed/MANIFEST.tsv"))
    let rows = String(decoding: manifest, as: UTF8.self).split(separator: "\n").map {
      $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    }
    let files = rows.filter { $0[0].hasSuffix(".jpg") || $0[0].hasSuffix(".png") }
    #expect(files.count == 38)
    for row in files {
      let name = row[0]
      let bytes = try #require(SharedData.bytes("data/malformed/" + name), "\(name)")
      let expected = Set((Self.exceptions[name] ?? row[row.count - 1]).split(separator: "|").map(String.init))
      let begin = ContinuousClock.now
      let found = outcome(bytes)
      #expect(ContinuousClock.now - begin < .seconds(10), "\(name)")
      let isAccepted = expected.contains("warn") && (found == "warn" || (found == "ok" && Self.unread.contains(name)))
      #expect(isAccepted || expected.contains(found), "\(name): \(found), expected \(expected)")
    }
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func brokenFilesOfTheImageSetAreNoticed() throws {
    let folder = try #require(SharedData.url("data/images/malformed"))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".jpg") || $0.hasSuffix(".png") }.sorted()
    #expect(names.count == 13)
    // Two carry broken metadata around a whole picture; all others are broken themselves.
    let readable = ["oiio_corrupt-exif-recursive-ifd.jpg", "oiio_corrupt-xmp-deep-nesting.jpg"]
    for name in names {
      let bytes = try #require(SharedData.bytes("data/images/malformed/" + name), "\(name)")
      let found = outcome(bytes)
      #expect((found == "warn") == readable.contains(name), "\(name): \(found)")
      #expect(found != "ok", "\(name)")
    }
  }

  private func outcome(_ bytes: [UInt8]) -> String {
    do throws(DecodeError) {
      return try decodeImage(bytes).warnings.isEmpty ? "ok" : "warn"
    } catch {
      if case .limit = error { return "limit" }
      return "malformed"
    }
  }
}
