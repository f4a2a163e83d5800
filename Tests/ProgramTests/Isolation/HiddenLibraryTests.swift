import Foundation
import TestSupport
import Testing

/// Files whose library is not on the machine: an empty file of its name, in the folder that the loader looks in first.
@Suite(.enabled(if: Program.url != nil, "skipped: no program"))
struct HiddenLibraryTests {
  struct Row: Sendable, CustomTestStringConvertible {
    /// The files to hide; the last is the one that Debian's package holds.
    var libraries: [String]
    var package: String
    var picture: String
    var testDescription: String { libraries[libraries.count - 1] }
  }

  static let rows = [
    Row(libraries: ["libopenjp2.so.7"], package: "libopenjp2-7", picture: "formats2/jpeg2000/pq_cicp.jp2"),
    Row(libraries: ["libwebp.so.7"], package: "libwebp7", picture: "formats2/webp/anim_64x48.webp"),
    Row(libraries: ["libjpegxr.so.0"], package: "libjxr0", picture: "formats2/jxr/kde_Format_RGB16.jxr"),
    Row(
      libraries: ["libtiff.so.6"], package: "libtiff6", picture: "formats/tiff/ImageMagick_input_gray_4bit_matte.tiff"),
    Row(
      libraries: ["libhdrbatch-raw.so", "libraw_r.so.20"], package: "libraw20",
      picture: "formats/raw/rawpy_RAW_KODAK_DC50__.KDC"),
    Row(
      libraries: ["libhdrbatch-jxl.so", "libjxl.so.0.11", "libjxl.so.0.7"], package: "libjxl0.7",
      picture: "images/jxl/pq_gradient.jxl"),
    Row(
      libraries: ["libOpenEXRCore-3_1.so.30"], package: "libopenexr-3-1-30", picture: "formats/exr/exrs_pxr24.exr"),
    Row(
      libraries: ["libhdrbatch-zstd.so.1", "libzstd.so.1"], package: "libzstd1",
      picture: "formats2/exr/zstd_70x66.exr"),
  ]

  @Test(
    "without a library its files end with 69 and the package's name in one line, and other files go on",
    arguments: rows)
  func filesGoOn(row: Row) throws {
    guard let picture = SharedData.url("data/" + row.picture),
      let other = SharedData.url("data/formats2/pfm/gray_le_37x23.pfm")
    else { return }
    let folder = try TemporaryFolder()
    for name in row.libraries { try folder.file("hidden/" + name, "") }
    let result = try Program.run(
      ["render", picture.path, other.path, "--to", "sdr-png", "--out", folder.path("out")],
      environment: ["LD_LIBRARY_PATH": folder.path("hidden")])
    let lines = result.errors.split(separator: "\n").filter { $0.contains("[decode.unavailable]") }
    #expect(result.status == 69 && lines.count == 1, "\(result.errors)")
    #expect(lines.allSatisfy { $0.contains(picture.path) && $0.contains("install " + row.package) })
    #expect(folder.files("out").count == 1, "\(folder.files("out"))")
  }
}
