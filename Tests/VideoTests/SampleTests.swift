import Foundation
import HDRCore
import HDRRender
import Synchronization
import TestSupport
import Testing
import Video
import VideoStreams

/// Frames that are decoded twice, and graphics that decode (docs/video.md#graphics-that-decode).
struct SampleTests {
  /// Frames of 4x2 grey samples, each of its number; one frame has another sample.
  private final class NumberedSource: FrameSource {
    let shape = FrameShape(PlanarFormat(.s444, bitDepth: 8), width: 4, height: 2)
    let timeBase = TimeBase(1, 24)
    private let number: Mutex<Int>
    private let end: Int
    private let wrong: Int?

    init(_ numbers: Range<Int>, wrong: Int? = nil) {
      number = Mutex(numbers.lowerBound)
      (end, self.wrong) = (numbers.upperBound, wrong)
    }

    func next() throws(HDRError) -> VideoFrame? {
      let number = number.withLock { number in
        defer { number += 1 }
        return number
      }
      guard number < end else { return nil }
      let samples = PixelBuffer(byteCount: shape.byteCount)
      let bytes = samples.base.assumingMemoryBound(to: UInt8.self)
      for place in 0..<shape.byteCount { bytes[place] = UInt8(number) }
      if number == wrong { bytes[17] += 1 }
      return VideoFrame(samples, pts: number)
    }
  }

  /// Reads all frames, of which ranges are compared with a source whose frames are right.
  private func read(
    _ numbers: Range<Int>, wrong: Int?, sampled: [Range<Int>], end: Int = .max
  ) throws -> (frames: Int, references: [Range<Int>]) {
    let opened = Mutex<[Range<Int>]>([])
    let source = SampledSource(NumberedSource(numbers, wrong: wrong), first: numbers.lowerBound, sampled: sampled) {
      range in
      opened.withLock { $0.append(range) }
      return NumberedSource(range.lowerBound..<min(range.upperBound, end))
    }
    var count = 0
    while try source.next() != nil { count += 1 }
    return (count, opened.withLock { $0 })
  }

  @Test("frames of sampled ranges are compared, and the error names the first frame that differs")
  func samplesAreCompared() throws {
    let ranges = [10..<14, 18..<22]
    let good = try read(10..<30, wrong: nil, sampled: ranges)
    #expect(good.frames == 20 && good.references == ranges)
    // Between the ranges nothing is compared.
    #expect(try read(10..<30, wrong: 15, sampled: ranges).frames == 20)
    for wrong in [10, 13, 21] {
      let error = #expect(throws: HDRError.self) { try read(10..<30, wrong: wrong, sampled: ranges) }
      #expect(error?.code == "video.sample")
      #expect(error.map { "\($0.message)" }?.contains("frame \(wrong) ") == true, "\(String(describing: error))")
      #expect(error.map { "\($0.message)" }?.contains("byte 17 ") == true)
    }
  }

  @Test("a frame that one decoder alone has is told from one that ends with the clip")
  func missingFramesAreFound() throws {
    #expect(try read(0..<6, wrong: nil, sampled: [0..<Int.max], end: 6).frames == 6)
    for end in [5, 7] {
      let error = #expect(throws: HDRError.self) { try read(0..<6, wrong: nil, sampled: [0..<Int.max], end: end) }
      #expect(error?.code == "video.sample")
    }
  }

  @Test("graphics have ffmpeg's words for 4:2:0 of 8 and 10 bits, and software decodes the rest")
  func graphicsHaveWords() {
    let ten = HardwareDecoder.cuda.words(for: "yuv420p10le")
    #expect(ten?.input == ["-hwaccel", "cuda", "-hwaccel_output_format", "cuda"])
    #expect(ten?.filter == ["-vf", "hwdownload,format=p010le,format=yuv420p10le"])
    #expect(HardwareDecoder.vaapi.words(for: "yuv420p")?.filter == ["-vf", "hwdownload,format=nv12,format=yuv420p"])
    #expect(HardwareDecoder.auto.words(for: "yuv420p")?.input == ["-hwaccel", "auto"])
    #expect(HardwareDecoder.auto.words(for: "yuv420p")?.filter == [])
    #expect(
      HardwareDecoder.vulkan.words(for: "yuv422p10le") == nil && HardwareDecoder.none.words(for: "yuv420p") == nil)
  }

  @Test(
    "every third segment is decoded twice, in one run and in segments, whatever else decodes",
    .enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"))
  func segmentsAreSampled() throws {
    let folder = try TemporaryFolder(), record = folder.path("record.jsonl")
    for words in [[], ["--segments", "--jobs", "2"], ["--hwaccel", "auto"]] as [[String]] {
      let length = words.first == "--segments" ? ["--segment", "15f"] : []
      let result = try Program.run(
        [
          "video", ClipTools.clip("open-gop.mp4"), "--out", folder.path("out"), "--record", record, "--backend", "cpu",
          "--progress", "none", "--on-existing", "replace", "--sample-decode", "3",
        ] + words + length)
      #expect(result.status == 0, "\(result.errors)")
      let row = try #require(try recordLines(record).last)
      let frames = ClipTools.vectors["open-gop.mp4"]?["sha256_raw"] as? String
      #expect(try ClipTools.hex(ClipTools.frames(folder.path("out/open-gop.mkv"), as: "yuv420p10le")) == frames)
      // Four segments of 15 frames, of which the first and the last are compared; else the clip is one.
      #expect(row["sample"] as? [String: Int] == ["every": 3, "frames": length.isEmpty ? 60 : 30], "\(row)")
    }
  }

  @Test(
    "graphics that are not there are one clear error, and none for frames that software decodes",
    .enabled(if: ClipTools.areThere, "skipped: no ffmpeg, no clips, or no program beside the tests"),
    .enabled(
      if: !FileManager.default.fileExists(atPath: "/dev/nvidiactl")
        && !FileManager.default.fileExists(atPath: "/dev/dri"), "skipped: this machine has graphics"),
    arguments: ["cuda", "vaapi", "vulkan"])
  func missingGraphicsAreAnError(name: String) throws {
    let folder = try TemporaryFolder()
    for program in ClipTools.programs {
      let words = ["--out", folder.path("out"), "--hwaccel", name, "--ffmpeg", program, "--progress", "none"]
      let result = try Program.run(["video", ClipTools.clip("hdr10.mp4")] + words)
      #expect(result.status == 69 && result.errors.contains("[video.hwaccel]"), "\(result.errors)")
      #expect(result.errors.contains("\(name) does not decode this clip here") && folder.files("out").isEmpty)
      let other = try Program.run(
        ["video", ClipTools.clip("hevc422.mp4"), "--on-existing", "replace", "--backend", "cpu"] + words)
      #expect(other.status == 0, "\(other.errors)")
      try? FileManager.default.removeItem(atPath: folder.path("out"))
    }
  }
}
