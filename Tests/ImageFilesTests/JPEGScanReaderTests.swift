import HDRCore
import ImageFiles
import Kernels
import TestFiles
import TestSupport
import Testing

/// Kernels are given the scans of JPEGs that they can decode, and no others.
@Suite struct JPEGScanReaderTests {
  static func refusal(_ bytes: [UInt8]) -> JPEGRefusal? {
    do throws(JPEGRefusal) {
      _ = try JPEGDecoder.scan(bytes)
      return nil
    } catch {
      return error
    }
  }

  /// Replaces the first bytes of the kind by others.
  static func changed(_ bytes: [UInt8], _ old: [UInt8], _ new: [UInt8]) throws -> [UInt8] {
    let place = try #require(bytes.indices.first { bytes[$0...].starts(with: old) })
    return Array(bytes[..<place] + new + bytes[(place + old.count)...])
  }

  /// The bytes of a file's scan as they stand in it, up to the first marker.
  static func stream(_ bytes: [UInt8]) -> [UInt8] {
    let header = bytes.indices.last { bytes[$0...].starts(with: [0xFF, 0xDA]) }!
    return Array(bytes[(header + 2 + Int(bytes[header + 3]))...].dropLast(2))
  }

  /// The bytes of a scan's words.
  static func bytes(_ scan: JPEGSourceScan, _ range: Range<Int>) -> [UInt8] {
    range.map { UInt8(truncatingIfNeeded: scan.words[$0 / 4] >> UInt32(24 - 8 * ($0 % 4))) }
  }

  @Test func streamsLoseStuffingAndRestarts() throws {
    var one = BaselineJPEG(width: 61, height: 45, chroma: .s422)
    one.density = 0.7
    for restarts in [0, 1, 5] {
      one.restartInterval = restarts
      let file = one.file, scan = try JPEGDecoder.scan(file)
      #expect(scan.fault == nil && scan.tables == one.tables && scan.restartInterval == restarts)
      let mcus = one.layout.mcuColumns * one.layout.mcuRows
      #expect(scan.starts.count == (restarts == 0 ? 1 : (mcus + restarts - 1) / restarts))
      var written: [UInt8] = []
      for (number, (start, end)) in zip(scan.starts, scan.starts.dropFirst() + [scan.bytes]).enumerated() {
        if number > 0 { written += [0xFF, UInt8(0xD0 + (number - 1) % 8)] }
        for byte in Self.bytes(scan, start..<end) { written += byte == 0xFF ? [0xFF, 0] : [byte] }
      }
      #expect(written == Self.stream(file))
      #expect(scan.words.suffix(1) == [0])
    }
  }

  @Test func filesOfEncodersAreGivenToKernels() throws {
    for bytes in [TinyJPEG.grey, TinyJPEG.color444, TinyJPEG.color422, TinyJPEG.color420] {
      #expect(Self.refusal(bytes) == nil)
    }
  }

  @Test func oddFilesAreLeftToTheLibrary() throws {
    var one = BaselineJPEG(width: 61, height: 45)
    let file = one.file
    one.restartInterval = 2
    let restarts = one.file
    #expect(Self.refusal(file) == nil && Self.refusal(restarts) == nil)
    #expect(Self.refusal(TinyJPEG.rgb) == .layout)
    #expect(Self.refusal([0xFF, 0xD8, 0xFF]) == .header)
    // Progressive, 12 bits, chroma of two columns.
    #expect(Self.refusal(try Self.changed(file, [0xFF, 0xC1], [0xFF, 0xC2])) == .process)
    #expect(Self.refusal(try Self.changed(file, [0xFF, 0xC1, 0, 17, 8], [0xFF, 0xC1, 0, 17, 12])) == .process)
    #expect(Self.refusal(try Self.changed(file, [1, 0x22, 0, 2, 0x11], [1, 0x22, 0, 2, 0x21])) == .layout)
    // Without an end, with two scans, and with a segment behind the scan.
    #expect(Self.refusal(Array(file.dropLast(2))) == .scans)
    let scan = [0xFF, 0xDA, 0, 12, 3, 1, 0, 2, 0x11, 3, 0x22, 0, 63, 0] + Self.stream(file)
    #expect(Self.refusal(Array(file.dropLast(2)) + scan + [0xFF, 0xD9]) == .scans)
    #expect(Self.refusal(Array(file.dropLast(2)) + [0xFF, 0xFE, 0, 3, 7, 0xFF, 0xD9]) == .restarts)
    // Components in another order, and fewer coefficients.
    #expect(Self.refusal(try Self.changed(file, [3, 1, 0, 2, 0x11, 3, 0x22], [3, 2, 0x11, 1, 0, 3, 0x22])) == .header)
    #expect(Self.refusal(try Self.changed(file, [0x22, 0, 63, 0], [0x22, 0, 62, 0])) == .header)
    // A table that is not there, and more codes than bits allow.
    #expect(Self.refusal(try Self.changed(file, [3, 1, 0, 2, 0x11], [3, 1, 3, 2, 0x11])) == .tables)
    #expect(Self.refusal(try Self.changed(file, [0x10, 0, 2, 1, 3], [0x10, 3, 2, 1, 0])) == .tables)
    // Luma and chroma with the same codes.
    #expect(
      Self.refusal(try Self.changed(file, [3, 1, 0, 2, 0x11, 3, 0x22], [3, 1, 0x11, 2, 0x11, 3, 0x22])) == .sharedCodes)
    // Restarts out of turn, one too few, fill bytes.
    #expect(Self.refusal(try Self.changed(restarts, [0xFF, 0xD1], [0xFF, 0xD2])) == .restarts)
    #expect(Self.refusal(try Self.changed(restarts, [0xFF, 0xD0], [])) == .restarts)
    #expect(Self.refusal(try Self.changed(restarts, [0xFF, 0xD0], [0xFF, 0xFF, 0xD0])) == .restarts)
    #expect(Self.refusal(Array(file.dropLast(2)) + [0xFF, 0xFF, 0xD9]) == .restarts)
  }

  @Test func scansThatContradictThemselvesHaveFaults() throws {
    var one = BaselineJPEG(width: 61, height: 45)
    one.restartInterval = 2
    let good = try JPEGDecoder.scan(one.file)
    let faults: [(inout JPEGSourceScan) -> Void] = [
      { $0.width = 0 }, { $0.height = 65_536 }, { $0.width = 90 }, { ($0.width, $0.height) = (65_000, 65_000) },
      { $0.chroma = .none }, { $0.chroma = .s444 },
      { $0.tables.removeLast() }, { $0.tables[1].quantisers.removeLast() }, { $0.tables[0].dc.values[0] = 16 },
      { $0.tables[2].ac.values.removeLast() }, { $0.tables[2].ac.counts.append(0) }, { $0.tables[0].ac.counts[0] = 3 },
      { $0.restartInterval = -1 }, { $0.restartInterval = 0 }, { $0.restartInterval = 3 }, { $0.starts.removeLast() },
      { $0.starts[0] = 1 }, { $0.starts[2] = $0.starts[1] }, { $0.starts[1] = $0.bytes + 1 }, { $0.bytes = 0 },
      { $0.bytes = JPEGSourceScan.mostBytes + 1 }, { $0.words.removeLast($0.words.count - $0.bytes / 4) },
    ]
    #expect(good.fault == nil)
    for (number, change) in faults.enumerated() {
      var scan = good
      change(&scan)
      #expect(scan.fault != nil, "\(number)")
    }
  }
}
