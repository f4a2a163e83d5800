import Foundation
import HDRRender
import TestSupport
import Testing

/// Tests what the door takes beside paths of text, and files in memory.
@Suite struct OpenFileTests {
  let folder: TemporaryFolder
  let renderer: HDRRenderer
  init() throws {
    folder = try TemporaryFolder()
    renderer = try cpu.get()
  }

  @Test("an open file is the same picture as its path, whatever its offset, and stays the caller's")
  func descriptorsAreRead() throws {
    let path = SharedData.example("lamps.jpg")
    let file = open(path, O_RDONLY)
    #expect(lseek(file, 1000, SEEK_SET) == 1000)
    let photo = try renderer.image(descriptor: file, name: "lamps")
    #expect(lseek(file, 0, SEEK_CUR) == 1000 && close(file) == 0)
    let a = try renderer.write(photo, to: folder.path("a.jpg"), as: .sdrJPEG(quality: 80))
    let b = try renderer.write(renderer.image(contentsOf: path), to: folder.path("b.jpg"), as: .sdrJPEG(quality: 80))
    #expect(a.outputDigest == b.outputDigest && a.inputDigest == b.inputDigest)
  }

  @Test("a descriptor that is no file that can be read is refused with its name", arguments: [-1, 1 << 20])
  func descriptorsAreChecked(number: Int32) throws {
    let fault = try #require(throws: HDRError.self) { try renderer.image(descriptor: number, name: "upload") }
    #expect(fault.kind == .input && fault.code == "io.read" && fault.file == "upload")
  }

  @Test("a pipe is refused as a descriptor")
  func pipesAreRefused() throws {
    let pipe = Pipe()
    let fault = try #require(throws: HDRError.self) {
      try renderer.image(descriptor: pipe.fileHandleForReading.fileDescriptor)
    }
    #expect(fault.kind == .input && "\(fault.message)" == "not a regular file")
  }

  @Test("names that are not UTF-8 are read and written")
  func namesAreBytes() throws {
    let name = FilePath(bytes: Array(folder.path("a").utf8) + [0xFF, 0x0A])
    let photo = try renderer.image(contentsOf: SharedData.example("lamps.jpg")).scaled(by: 0.1)
    try renderer.write(photo, to: name, as: .sdrPNG())
    #expect(try renderer.image(contentsOf: name).format == "png")
  }

  @Test(
    "a file in memory has the bytes of the file on the disk",
    arguments: ["adaptive-jpeg", "pq-avif", "pq-y4m:yuv420p10"])
  func encodedFilesAreThoseWritten(kind: String) throws {
    let format = try HDRFormat(kind)
    let photo = try renderer.image(contentsOf: SharedData.example("lamps.jpg")).scaled(by: 0.1)
    let (bytes, report) = try renderer.encode(photo, as: format)
    try renderer.write(photo, to: folder.path("out"), as: format)
    #expect(try bytes == folder.bytes("out") && report.byteCount == bytes.count)
  }

  @Test("a search for a quality is refused in memory")
  func searchesNeedADisk() throws {
    var options = HDROptions()
    try options.set("max-bytes", "20k")
    let photo = try renderer.image(contentsOf: SharedData.example("lamps.jpg"))
    let fault = try #require(throws: HDRError.self) { try renderer.encode(photo, as: .sdrJPEG(), options: options) }
    #expect(fault.code == "option.value")
  }
}
