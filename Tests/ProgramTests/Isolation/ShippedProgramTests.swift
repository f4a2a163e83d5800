import BatchEngine
import Foundation
import HDRRender
import TestSupport
import Testing

/// The shipped programs contain no misdeeds: those are in programs and libraries of the tests alone.
@Suite(
  .enabled(
    if: Program.url != nil && CodecProgram.url != nil && HostileCodec.url != nil,
    "skipped: the programs are not built beside the tests"))
struct ShippedProgramTests {
  /// Symbols and texts of the tests' doubles; the compiler keeps each of them in HostileCodec.
  static let words = ["Misdeed", "Hostile", "try_forbidden"]
  /// Words of the environment and of sources that would switch a misdeed on.
  static let switches = [
    "HDRBATCH_CODEC_TESTING", "isbehav", "HDRBATCH_FAULT", "FAULTY_DEVICE", "EMULATED_CARD", "FaultInjection",
  ]

  private static func found(_ words: [String], in program: URL?) throws -> [String] {
    let bytes = try Data(contentsOf: try #require(program))
    return words.filter { bytes.range(of: Data($0.utf8)) != nil }
  }

  @Test("the shipped programs hold no word of the doubles")
  func programsHoldNoMisdeeds() throws {
    #expect(try Self.found(Self.words, in: HostileCodec.url) == Self.words)
    for program in [Program.url, CodecProgram.url] {
      #expect(try Self.found(Self.words + Self.switches, in: program) == [])
    }
  }

  @Test("an order to misbehave is a damaged file to the shipped codec process")
  func ordersAreDamagedFiles() throws {
    let folder = try TemporaryFolder()
    let codecs = try CodecProgram.codecs()
    defer { _ = codecs.close() }
    for words in ["signal 11", "quit 3", "trap", "half"] {
      #expect(try codecs.misbehaving(words, in: folder)?.code.hasPrefix("decode.") == true, "\(words)")
    }
  }
}
