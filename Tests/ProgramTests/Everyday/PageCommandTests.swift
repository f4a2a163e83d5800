import Foundation
import TestSupport
import Testing

/// Runs the commands that pages for beginners show, on small files of the names that the pages take.
@Suite(.serialized, .enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct PageCommandTests {
  /// These words stand before the options that a section of the page shows alone.
  static let bases = [
    "ImageMagick": "render photo.jpg --to sdr-jpeg", "vips and sharp": "render photo.jpg --to sdr-jpeg",
    "oiiotool": "render shot.1001.exr --to exr", "ffmpeg": "video clip.mkv --to hdr10",
    "Core Image": "render photo.jpg --to pq-png", "exiftool": "render photo.jpg --to sdr-jpeg",
  ]

  @Test("the commands and options of docs/coming-from.md work")
  func otherProgramsHaveCommandsHere() throws {
    var commands: [String] = []
    for section in try SourceTree.text("docs/coming-from.md").components(separatedBy: "\n## ").dropFirst() {
      let base = try #require(Self.bases[section.split(separator: "\n")[0].description])
      for row in section.split(separator: "\n") where row.hasPrefix("| ") {
        let cell = row.split(separator: "|").last ?? ""
        for match in cell.matches(of: /`((?:hdrbatch |-)[^`]+)`/) {
          let words = String(match.output.1)
          // A mention inside of a sentence has no value.
          if words.hasPrefix("hdrbatch ") {
            if words.contains("photo") || words.contains("clip") || words.contains("shot") { commands.append(words) }
          } else if cell.hasPrefix(" `") {
            let kind = words.contains("--to ") ? base.replacing(#/ --to \S+/#, with: "") : base
            let ending = base.hasPrefix("video") ? ".mkv" : ""
            commands.append("hdrbatch \(kind) --out o\(commands.count)\(ending) \(words)")
          }
        }
      }
    }
    #expect(commands.count > 40)
    try run(commands)
  }

  @Test("the commands of docs/web.md and docs/which-output.md work", arguments: ["web", "which-output"])
  func pagesShowCommandsThatWork(page: String) throws {
    let text = try SourceTree.text("docs/\(page).md")
    // The folders of a server are not here.
    let commands = text.matches(of: /(?m)^(?: {4})?(hdrbatch .*)$/).map { String($0.output.1) }
      .filter { !$0.contains("/srv/") }
    #expect(!commands.isEmpty)
    let recipe = text.firstMatch(of: /`site\.yaml`:\n\n```yaml\n((?s).*?)```/).map { String($0.output.1) }
    try run(commands, recipe: recipe)
  }

  /// Runs commands in one folder, in their order, as a shell does.
  private func run(_ commands: [String], recipe: String? = nil) throws {
    let folder = try TemporaryFolder()
    let program = try #require(Program.url), lamps = SharedData.repository.appendingPathComponent("Examples/lamps.jpg")
    if let recipe { _ = try folder.file("site.yaml", recipe) }
    let cube = (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)\n" }.joined()
    _ = try folder.file("look.cube", "LUT_3D_SIZE 2\n" + cube)
    let small = "hdrbatch render '\(lamps.path)' --resize"
    let clip = "testsrc2=s=128x72:d=0.4:r=25 -pix_fmt yuv420p10le -c:v ffv1 -color_primaries bt2020"
    let given = [
      "\(small) 256 -o photo.jpg --to adaptive-jpeg", "\(small) 256 -o photo.heic --to adaptive-heic",
      "\(small) 256 -o sdr.jpg --to sdr-jpeg", "\(small) 32 -o logo.png --to sdr-png",
      "mkdir PHOTOS && cp photo.heic photo.jpg PHOTOS/ && mv PHOTOS/photo.jpg PHOTOS/lamps.jpg",
      "for n in 1001 1002 1003; do \(small) 128 -o shot.$n.exr --to exr; done",
    ]
    let hasFFmpeg = FileManager.default.isExecutableFile(atPath: "/usr/bin/ffmpeg")
    let hlg = "-color_trc arib-std-b67 -colorspace bt2020nc -color_range tv"
    let made = "ffmpeg -v error -f lavfi -i \(clip) \(hlg) clip.mkv"
    for command in given + (hasFFmpeg ? [made] : []) + commands {
      if command.contains("clip.mkv"), !hasFFmpeg { continue }
      let process = Process(), errors = Pipe()
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = ["-c", command]
      process.currentDirectoryURL = folder.url
      let path = program.deletingLastPathComponent().path + ":/usr/bin:/bin"
      process.environment = ["PATH": path, "HDRBATCH_MEMORY": "4G", "HOME": folder.url.path]
      (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
      process.standardError = errors
      try process.run()
      let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
      process.waitUntilExit()
      #expect(process.terminationStatus == 0, "\(command): \(said)")
    }
  }
}
