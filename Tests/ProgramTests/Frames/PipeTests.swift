import Foundation
import TestFiles
import TestSupport
import Testing

/// Frames from standard input to standard output, through the built program.
@Suite(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
struct PipeTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// Runs `render - -o -` on bytes.
  func pipe(_ input: Data, _ words: [String]) throws -> (status: Int32, output: Data, errors: String) {
    let names = ["in", "out", "err"].map(folder.path)
    try input.write(to: URL(fileURLWithPath: names[0]))
    for name in names[1...] { _ = FileManager.default.createFile(atPath: name, contents: nil) }
    let process = Process()
    process.executableURL = Program.url
    process.arguments = ["render", "-", "-o", "-", "--backend", "cpu"] + words
    process.standardInput = FileHandle(forReadingAtPath: names[0])
    process.standardOutput = FileHandle(forWritingAtPath: names[1])
    process.standardError = FileHandle(forWritingAtPath: names[2])
    try process.run()
    process.waitUntilExit()
    return (
      process.terminationStatus, FileManager.default.contents(atPath: names[1]) ?? Data(), folder.text("err") ?? ""
    )
  }

  /// Words of 10 bits, left-aligned as P010 has them, of 20 frames of 8x4: none like another.
  static let frames = 20, side = (width: 8, height: 4)
  static func p010() -> Data {
    var data = Data()
    for frame in 0..<frames {
      for index in 0..<(side.width * side.height * 3 / 2) {
        // All there are, those outside 0...1 too.
        let code = (frame * 43 + index * 177) % 1024
        withUnsafeBytes(of: UInt16(code << 6).littleEndian) { data.append(contentsOf: $0) }
      }
    }
    return data
  }

  static let description = ["--from", "raw:p010,8x4", "--cicp", "9/16/9", "--range", "limited", "--progress", "none"]

  @Test func twentyFramesWithNothingToDoKeepEveryCodeInOrder() throws {
    let input = Self.p010(), result = try pipe(input, Self.description + ["--to", "pq-raw:p010"])
    #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    #expect(result.output == input)
    // The same in a stream with a header.
    let y4m = try pipe(input, Self.description + ["--to", "pq-y4m:yuv420p10", "--fps", "24"])
    let head = "YUV4MPEG2 W8 H4 F24:1 Ip A0:0 C420p10 XYSCSS=420P10 XCOLORRANGE=LIMITED\n"
    #expect(y4m.output.starts(with: Data((head + "FRAME\n").utf8)))
    #expect(y4m.output.count == head.utf8.count + Self.frames * (6 + 96))
    let back = try pipe(y4m.output, ["--cicp", "9/16/9", "--range", "limited", "--to", "pq-raw:p010"])
    #expect(back.output == input && back.status == 0, "\(back.errors)")
  }

  /// The stream ends within a frame, which is left out.
  @Test("frames with nothing to do are passed on unread through pipes, and the program says so")
  func framesArePassedOn() throws {
    // No whole number of pages.
    let (width, height, count) = (722, 402, 9), bytes = width * height * 3
    var random = SplitMix(state: 7)
    let input = Data((0..<bytes * count / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { [UInt8]($0) } })
    let whole = input.count / bytes * bytes, from = folder.path("in"), to = folder.path("out"), err = folder.path("err")
    try input.write(to: URL(fileURLWithPath: from))
    let words = "--from raw:yuv420p10,\(width)x\(height) --cicp 9/16/9 --range limited --to pq-raw:yuv420p10"
    for command in [
      "cat IN | RENDER | cat > OUT", "RENDER < IN > OUT", "cat IN | RENDER > OUT", ": > OUT; RENDER < IN >> OUT",
    ] {
      let render = "'\(try #require(Program.url).path)' render - -o - \(words) --progress human 2> '\(err)'"
      let line = command.replacing("IN", with: "'\(from)'").replacing("OUT", with: "'\(to)'").replacing(
        "RENDER", with: render)
      let shell = Process()
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments = ["-c", line]
      try shell.run()
      shell.waitUntilExit()
      #expect(FileManager.default.contents(atPath: to) == input.prefix(whole), "\(command)")
      let said = folder.text("err") ?? ""
      #expect(said.contains("frames are passed on as they are") && said.contains("\(whole / bytes) frames"), "\(said)")
    }
    // A filter is something to do.
    let edited = try pipe(
      input.prefix(whole),
      words.split(separator: " ").map(String.init) + ["--progress", "human", "--filter", "exposure=ev:0.5"])
    #expect(edited.status == 0 && !edited.errors.contains("passed on"), "\(edited.errors)")
  }

  @Test(
    "frames of a stream have the bits that each has alone",
    arguments: ["hlg-raw:yuv420p10", "sdr-raw:nv12", "pq-raw:rgb48"])
  func framesOfAStreamAreThoseAlone(kind: String) throws {
    let input = Self.p010(), words = Self.description + ["--content-headroom", "4.926", "--to", kind]
    let together = try pipe(input, words)
    #expect(together.status == 0, "\(together.errors)")
    var alone = Data()
    for frame in [0, 7, 19] { alone += try pipe(input.dropFirst(96 * frame).prefix(96), words).output }
    let size = together.output.count / Self.frames
    let picked = [0, 7, 19].reduce(Data()) { $0 + together.output.dropFirst(size * $1).prefix(size) }
    #expect(picked == alone && size * Self.frames == together.output.count)
  }

  @Test func somethingToDoIsDone() throws {
    let plain = try pipe(Self.p010(), Self.description + ["--to", "hlg-raw:p010"])
    #expect(plain.status == 0 && plain.output.count == Self.p010().count && plain.output != Self.p010())
    let narrow = try pipe(Self.p010(), Self.description + ["--to", "pq-raw:nv12"])
    #expect(narrow.status == 0 && narrow.output.count == Self.p010().count / 2)
  }

  @Test("a raw frame of HDR becomes the Adaptive HDR file that a file of its samples becomes")
  func framesBecomeAdaptive() throws {
    let frame = Self.p010().prefix(96), words = Self.description + ["--to", "adaptive-jpeg"]
    let streamed = try pipe(frame, words), file = try folder.file("frame.raw", [UInt8](frame))
    #expect(streamed.status == 0, "\(streamed.errors)")
    let run = try Program.run(
      ["render", file, "-o", folder.path("files"), "--backend", "cpu", "--journal", "none"] + words)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try [UInt8](streamed.output) == folder.bytes("files/frame.jpg"))
    let plain = try pipe(frame, Self.description.map { $0 == "9/16/9" ? "1/1/1" : $0 } + ["--to", "adaptive-jpeg"])
    #expect(plain.status == 65 && plain.errors.contains("adaptive.sdr"), "\(plain.errors)")
  }

  @Test func aPipeThatEndsWithinAFrameGivesThoseBefore() throws {
    let result = try pipe(Self.p010().dropLast(7), Self.description + ["--to", "pq-raw:p010"])
    #expect(result.status == 65)
    #expect(result.output == Self.p010().prefix(96 * 19))
    #expect(result.errors.contains("frame 19: 89 of 96 bytes") && result.errors.contains("decode.truncated"))
  }

  @Test func aFileOfAnotherFormatIsOnePicture() throws {
    let result = try pipe(try SmallPictures.png(1), ["--to", "sdr-png", "--progress", "none"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(result.output.starts(with: [0x89, 0x50, 0x4e, 0x47]))
  }

  @Test("a pipe says nothing of device, progress and totals unless it is asked")
  func quiet() throws {
    let picture = try SmallPictures.png(1), environment = ["VK_DRIVER_FILES=/dev/null", "VK_ICD_FILENAMES=/dev/null"]
    func errors(_ words: [String]) throws -> String {
      let input = try folder.file("in.png", "")
      try picture.write(to: URL(fileURLWithPath: input))
      let shell = Process(), err = folder.path("err")
      shell.executableURL = URL(fileURLWithPath: "/bin/sh")
      shell.arguments =
        ["-c", "env \(environment.joined(separator: " ")) \"$@\" > '\(folder.path("out"))' 2> '\(err)'", "sh"]
        + [try #require(Program.url).path, "render", input, "-o", "-", "--to", "sdr-png"] + words
      try shell.run()
      shell.waitUntilExit()
      #expect(shell.terminationStatus == 0)
      return folder.text("err") ?? ""
    }
    #expect(try errors([]) == "")
    let asked = try errors(["--progress", "human"])
    #expect(asked.contains("notice: rendering on the CPU") && asked.contains("hdrbatch: 1 frame, 0 failed"), "\(asked)")
  }

  @Test("a reader that goes away ends the stream without noise, with 75")
  func brokenPipe() throws {
    let input = folder.path("in"), errors = folder.path("err")
    try Self.p010().write(to: URL(fileURLWithPath: input))
    _ = FileManager.default.createFile(atPath: errors, contents: nil)
    let process = Process(), pipe = Pipe()
    process.executableURL = Program.url
    process.arguments = ["render", "-", "-o", "-", "--backend", "cpu", "--to", "pq-raw:p010"] + Self.description
    process.standardInput = FileHandle(forReadingAtPath: input)
    process.standardOutput = pipe
    process.standardError = FileHandle(forWritingAtPath: errors)
    try pipe.fileHandleForReading.close()
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 75)
    #expect(folder.text("err") == "")
  }

  @Test(arguments: [
    (["--from", "raw:p010,8x4", "--to", "pq-raw:p010"], "--cicp"),
    (["--from", "raw:p010,8x4", "--cicp", "9/16/9", "--to", "pq-raw:p010"], "--range"),
    (["--from", "raw:p011,8x4", "--cicp", "9/16/9", "--to", "pq-raw:p010"], "did you mean \"p01"),
    (["--from", "raw:p010,8x4", "--cicp", "9/16", "--range", "full", "--to", "pq-raw:p010"], "matrix"),
    (["--from", "raw:p010,8x4,stride=6", "--to", "pq-raw:p010"], "stride"),
    (["--to", "pq-png", "--record", "r.jsonl"], "--record"), (["--to", "pq-png", "--frames", "1-3"], "--frames"),
  ])
  func whatIsMissingIsNamed(words: [String], message: String) throws {
    let result = try pipe(Data(), words)
    #expect(result.status == 64 && result.errors.contains(message), "\(result.errors)")
    #expect(result.output.isEmpty)
  }
}
