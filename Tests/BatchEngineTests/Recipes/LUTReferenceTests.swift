import CodecService
import HDRCore
import HDRPlan
import HDRRender
import TestPlans
import TestSupport
import Testing

/// CTF files that refer to others: below their folder, and not to themselves.
@Suite struct LUTReferenceTests {
  static func list(_ paths: String...) -> String {
    let nodes = paths.map { "<Reference inBitDepth=\"32f\" outBitDepth=\"32f\" \($0)/>" }.joined()
    return "<ProcessList id=\"a\" version=\"2\">\(nodes)</ProcessList>"
  }

  static func read(_ path: String) throws(FilterInputs.Fault) -> (input: FilterInput, digest: Digest) {
    try FilterInputs.read(FilePath(path), limits: DecodeLimits(), codecs: InProcessCodecs())
  }

  @Test func theFileOfAReferenceRunsInItsPlace() throws {
    let folder = try TemporaryFolder()
    try folder.file("sub/half.spimtx", "0.5 0 0 0\n0 0.5 0 0\n0 0 0.5 0\n")
    let path = try folder.file("a.ctf", Self.list("path=\"sub/half.spimtx\""))
    let input = try Self.read(path), picture = FilterPicture.noise()
    try picture.edited([FilterStep("clf", ["lut": .word("a")])], inputs: ["a": input.input]).expect(1e-5) { x, y in
      var pixel = picture[x, y] * 0.5
      pixel.w = 1
      return pixel
    }
    // The digest is of both files.
    try folder.file("sub/half.spimtx", "0.25 0 0 0\n0 0.5 0 0\n0 0 0.5 0\n")
    #expect(try Self.read(path).digest != input.digest)
    let undone = try folder.file("b.ctf", Self.list("path=\"a.ctf\"", "path=\"a.ctf\" inverted=\"true\""))
    try picture.edited([FilterStep("clf", ["lut": .word("b")])], inputs: ["b": Self.read(undone).input])
      .expect(1e-5) { x, y in picture[x, y] }
  }

  @Test(
    "a reference that leaves the folder, leads back, has an alias or names no file is refused",
    arguments: [
      "path=\"../a.cube\"", "path=\"/a.cube\"", "path=\"./a.cube\"", "path=\"a.ctf\"", "path=\"none.cube\"",
      "path=\"a.txt\"", "path=\"b.cube\" alias=\"x\"", "alias=\"x\"", "path=\"b.cube\" basePath=\"/\"", "path=\"\"",
      "path=\"c.ctf\"",
    ])
  func othersAreRefused(reference: String) throws {
    let folder = try TemporaryFolder()
    try folder.file("c.ctf", Self.list("path=\"a.ctf\""))
    let path = try folder.file("a.ctf", Self.list(reference))
    let fault = #expect(throws: FilterInputs.Fault.self) { try Self.read(path) }
    #expect(fault.map { "\($0.message)".contains("(clf.reference)") } == true, "\(String(describing: fault))")
  }

  @Test func filesThatMultiplyAreBounded() throws {
    let folder = try TemporaryFolder()
    for level in 0..<9 {
      try folder.file("\(level).ctf", Self.list("path=\"\(level + 1).ctf\"", "path=\"\(level + 1).ctf\""))
    }
    try folder.file("9.ctf", Self.list("path=\"m.spimtx\""))
    try folder.file("m.spimtx", "1 0 0 0\n0 1 0 0\n0 0 1 0\n")
    #expect(throws: FilterInputs.Fault.self) { try Self.read(folder.path("0.ctf")) }
  }
}
