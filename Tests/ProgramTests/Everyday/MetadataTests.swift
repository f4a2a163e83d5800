import Foundation
import TestSupport
import Testing

private let exiftool = ["/usr/bin/exiftool", "/usr/local/bin/exiftool"].first {
  FileManager.default.isExecutableFile(atPath: $0)
}

/// `--metadata`, looked at by ExifTool.
@Suite(
  .enabled(
    if: Program.url != nil && exiftool != nil,
    "skipped: no exiftool, or hdrbatch is not built beside the tests"))
struct MetadataTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private func tool(_ words: [String]) throws -> String {
    let process = Process(), out = try folder.file("exiftool.txt", "")
    process.executableURL = URL(fileURLWithPath: try #require(exiftool))
    process.arguments = words
    process.standardOutput = FileHandle(forWritingAtPath: out)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return folder.text("exiftool.txt") ?? ""
  }

  /// A small photo with a place and an owner in Exif, XMP and IPTC.
  private func tagged(_ name: String) throws -> String {
    let path = folder.path(name)
    try FileManager.default.copyItem(atPath: SharedData.small(name), toPath: path)
    _ = try tool([
      "-overwrite_original", "-EXIF:GPSLatitude=48.8566", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=2.3522",
      "-EXIF:GPSLongitudeRef=E", "-XMP:GPSLatitude=48.8566", "-XMP-photoshop:City=Paris", "-IPTC:City=Paris",
      "-XMP-iptcCore:Location=Louvre", "-EXIF:Copyright=Owner", "-XMP-dc:Rights=Owner", "-IPTC:CopyrightNotice=Owner",
      "-EXIF:Artist=Author", "-EXIF:FNumber=2.8", "-XMP-dc:Subject=river", path,
    ])
    return path
  }

  @Test("info says camera, date and place, and --check no-location finds each statement of a place")
  func facts() throws {
    let path = try tagged("lamps.jpg")
    _ = try tool([
      "-overwrite_original", "-EXIF:Make=Example", "-EXIF:Model=Pocket 7", "-EXIF:DateTimeOriginal=2023:05:01 12:30:05",
      path,
    ])
    let text = try Program.run(["info", path]).output
    #expect(
      text.contains("  metadata  Exif, XMP, IPTC (Example Pocket 7, 2023-05-01 12:30:05); GPS or place: yes (gps GPS"),
      "\(text)")
    let json = try Program.run(["info", path, "--json"]).output
    for words in [
      "\"camera\":\"Example Pocket 7\"", "\"date\":\"2023-05-01 12:30:05\"", "\"hasLocation\":true",
      "\"metadata\":[\"Exif\",\"XMP\",\"IPTC\"]",
    ] {
      #expect(json.contains(words), "\(words) \(json)")
    }
    let fails = try Program.run(["info", path, "--check", "no-location"])
    #expect(fails.status == 65 && fails.output.contains("no-location  fails"), "\(fails.output)")
    for place in ["GPSLatitude", "xmp photoshop:City", "iptc 2:90"] {
      #expect(fails.output.contains(place), "\(fails.output)")
    }
    let named = try Program.run([
      "render", path, "-o", folder.path("plain"), "--to", "sdr-jpeg", "--metadata", "no-location", "--backend", "cpu",
      "--name", "{date}/{camera}-{stem}.{ext}",
    ])
    #expect(named.status == 0, "\(named.errors)")
    let passes = try Program.run(["info", folder.path("plain/2023-05-01/Pocket-7-lamps.jpg"), "--check", "no-location"])
    #expect(passes.status == 0 && passes.output.contains("GPS or place: no"), "\(passes.output)")
  }

  @Test("--check ultrahdr takes adaptive JPEGs alone")
  func ultraHDR() throws {
    for (kind, status) in [("adaptive-jpeg", 0), ("sdr-jpeg", 65), ("adaptive-avif", 65)] as [(String, Int32)] {
      let out = folder.path(kind)
      let made = try Program.run([
        "render", SharedData.small("lamps.jpg"), "--to", kind, "-o", out, "--resize", "64", "--backend", "cpu",
      ])
      #expect(made.status == 0, "\(made.errors)")
      let checked = try Program.run(["info", out, "--check", "ultrahdr"])
      #expect(checked.status == status, "\(checked.output)")
    }
  }

  @Test(
    "GPS, places and rights stay or go by choice, in every kind of file",
    arguments: ["adaptive-jpeg", "sdr-jpeg", "pq-png", "pq-heic", "pq-tiff", "adaptive-heic"])
  func choices(kind: String) throws {
    let path = try tagged("lamps.jpg")
    // What is not kept is coded, at the cost of its size.
    let small = kind == "adaptive-jpeg" ? [] : ["--resize", "128"]
    func tags(_ choice: String, _ more: [String] = []) throws -> String {
      let out = folder.path("\(kind)-\(choice)")
      let made = try Program.run(
        ["render", path, "--to", kind, "-o", out, "--metadata", choice, "--backend", "cpu"] + more)
      #expect(made.status == 0, "\(made.errors)")
      return try tool(["-a", "-G1", "-s", "-r", out])
    }
    let all = try tags("all", small)
    #expect(all.contains("GPSLatitude") && all.contains("Paris") && all.contains("Owner"), "\(all)")
    // Payloads that are kept come without it too.
    for more in [[], ["--resize", "128"]] {
      let nowhere = try tags("no-location", more)
      for word in ["GPS", "Paris", "Louvre", "48.8", "MakerNote"] {
        #expect(!nowhere.contains(word), "\(word): \(nowhere)")
      }
      #expect(nowhere.contains("Owner") && nowhere.contains("river") && nowhere.contains("FNumber"), "\(nowhere)")
      try FileManager.default.removeItem(atPath: folder.path("\(kind)-no-location"))
    }
    let rights = try tags("copyright", small)
    for word in ["GPS", "Paris", "river", "FNumber"] { #expect(!rights.contains(word), "\(word): \(rights)") }
    #expect(rights.contains("Owner") && rights.contains("Author"), "\(rights)")
    let none = try tags("none", small)
    for word in ["GPS", "Paris", "Owner", "Author", "river"] { #expect(!none.contains(word), "\(word): \(none)") }
  }

  @Test(
    "rows that are kept lie as they did, whatever of their metadata stays",
    arguments: ["all", "no-location", "copyright", "none"])
  func orientation(choice: String) throws {
    // A whole set of metadata; a place and the orientation; the orientation alone.
    let photo = try tagged("lamps.jpg")
    _ = try tool(["-overwrite_original", "-n", "-Orientation=6", photo])
    let cuts = [[], ["-IFD0:all=", "-ExifIFD:all="], ["-IFD0:all=", "-ExifIFD:all=", "-GPS:all="]]
    for (index, left) in cuts.enumerated() {
      _ = try tool(["-overwrite_original", "-n"] + left + ["-Orientation=6", photo])
      for (more, expected) in [([], "6"), (["--resize", "128"], "")] {
        let out = folder.path("\(index)-\(expected)")
        let made = try Program.run(
          ["render", photo, "--to", "adaptive-jpeg", "-o", out, "--metadata", choice, "--backend", "cpu"] + more)
        #expect(made.status == 0, "\(made.errors)")
        let found = try tool(["-s3", "-n", "-Orientation", out + "/lamps.jpg"]).trimmingCharacters(in: .newlines)
        #expect(expected.isEmpty ? found != "6" : found == expected, "\(index): \(found)")
        let all = try tool(["-a", "-G1", "-s", out + "/lamps.jpg"])
        #expect(choice == "all" || !all.contains("GPS"), "\(all)")
        #expect(choice != "none" || !all.contains("Author"), "\(all)")
      }
    }
  }
}
