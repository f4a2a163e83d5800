import CPlatform
import Glibc
import HDRCore
import HDRRender
import ImageFiles

/// Reads pictures from a pipe, one after the other: raw frames as they are described, a Y4M stream, or one file of
/// another format. One thread at a time; no frame is kept.
///
/// Raw samples have no decoder that could be attacked: they are read here, straight into the memory of the picture.
package struct FrameReader: Sendable {
  package enum Source: Sendable {
    case picture(SourceImage)
    case file(InputFile)
  }

  private enum Kind: Sendable {
    case raw(RawLayout)
    case y4m(Y4M)
    /// A whole file; `nil` after it.
    case file([UInt8]?)
  }

  private let descriptor: Int32
  private let limits: DecodeLimits
  private var kind: Kind
  /// Frames that were read.
  private var count = 0
  /// Frames a second, where the stream states it.
  package private(set) var rate: (numerator: Int, denominator: Int)?

  /// Reads until the format is known.
  ///
  /// - Parameter limits: with what is known of the frames.
  /// - Throws: `HDRError` for a stream that begins wrongly.
  package init(_ descriptor: Int32, limits: DecodeLimits) throws(HDRError) {
    self.descriptor = descriptor
    self.limits = limits
    hdr_widen_pipe(descriptor, FrameRelay.pipeBytes)
    if let layout = limits.reading.raw?.layout {
      (kind, rate) = (.raw(layout), nil)
      return
    }
    let start = try Self.read(descriptor, upTo: Y4M.magic.count)
    guard start == Y4M.magic else {
      (kind, rate) = (.file(start), nil)
      return
    }
    let line = try Self.restOfLine(descriptor, behind: start)
    do throws(DecodeError) {
      let header = try Y4M(parsing: line[...])
      (kind, rate) = (.y4m(header), header.rate)
    } catch {
      throw HDRError(error)
    }
  }

  /// True if the stream is one file, which a decoder reads.
  var isFile: Bool { if case .file = kind { true } else { false } }

  /// Returns the next picture; `nil` at the end of the stream.
  ///
  /// - Throws: `HDRError` for a frame that the stream ends in, and for what is no frame.
  package mutating func next() throws(HDRError) -> Source? {
    switch kind {
    case .file(let start):
      guard let start else { return nil }
      kind = .file(nil)
      return .file(try wholeFile(start))
    case .raw(let layout): return try frame(layout, limits.reading.raw ?? RawDescription(), .raw)
    case .y4m(let header):
      guard try begin() else { return nil }
      return try frame(header.layout, header.description(with: limits.reading.raw), .y4m, isBegun: true)
    }
  }

  /// The layout of frames that have no coding; `nil`: the stream is one file.
  var layout: RawLayout? {
    switch kind {
    case .raw(let layout): layout
    case .y4m(let header): header.layout
    case .file: nil
    }
  }

  /// Reads what stands before a frame: of Y4M "FRAME" and, perhaps after parameters, the end of the line.
  ///
  /// - Returns: false at the end of the stream; raw frames have nothing before them.
  private func begin() throws(HDRError) -> Bool {
    guard case .y4m = kind else { return true }
    let mark = try Self.read(descriptor, upTo: Y4M.frame.count + 1)
    if mark.isEmpty { return false }
    guard mark.starts(with: Y4M.frame) else {
      throw HDRError(DecodeError.malformed(where: "Y4M frame \(count)", what: "does not begin with FRAME"))
    }
    if mark.last != UInt8(ascii: "\n") { _ = try Self.restOfLine(descriptor, behind: mark) }
    return true
  }

  /// Takes the next frame into a relay, unread.
  ///
  /// - Returns: false at the end of the stream.
  mutating func take(into relay: FrameRelay) throws(HDRError) -> Bool {
    guard try begin() else { return false }
    let found: Int
    do throws(FileFault) {
      found = try relay.take(from: descriptor)
    } catch {
      throw HDRError(reading: error, limit: 0)
    }
    if case .raw = kind, found == 0 { return false }
    try checkSize(found, of: relay.byteCount)
    return true
  }

  /// Counts a frame, which must be whole.
  private mutating func checkSize(_ found: Int, of byteCount: Int) throws(HDRError) {
    guard found == byteCount else {
      throw HDRError(DecodeError.truncated(where: "frame \(count): \(found) of \(byteCount) bytes"))
    }
    count += 1
  }

  private mutating func frame(
    _ layout: RawLayout, _ description: RawDescription, _ format: FileFormat, isBegun: Bool = false
  ) throws(HDRError) -> Source? {
    if count == 0 {
      // Faults of the description are reported before memory is taken.
      _ = try picture(nil, layout, description, format)
    }
    let byteCount = layout.byteCount, buffer = PixelBuffer(uninitializedByteCount: byteCount)
    let found = try Self.fill(descriptor, UnsafeMutableRawBufferPointer(start: buffer.base, count: byteCount))
    if found == 0 && !isBegun { return nil }
    try checkSize(found, of: byteCount)
    return .picture(try picture(buffer, layout, description, format))
  }

  private func picture(
    _ buffer: PixelBuffer?, _ layout: RawLayout, _ description: RawDescription, _ format: FileFormat
  ) throws(HDRError) -> SourceImage {
    do throws(DecodeError) {
      return try limits.reading.placed(
        RawPicture.source(buffer, layout, description, limits: limits, format: format))
    } catch {
      throw HDRError(error)
    }
  }

  private func wholeFile(_ start: [UInt8]) throws(HDRError) -> InputFile {
    try Self.wholeFile(descriptor, behind: start, name: "standard input", limits)
  }

  /// Reads a descriptor to its end, as one file.
  ///
  /// - Parameters:
  ///   - start: what was read of it before.
  ///   - name: its path in messages.
  /// - Throws: `HDRError`.
  package static func wholeFile(
    _ descriptor: Int32, behind start: [UInt8] = [], name: String, _ limits: DecodeLimits
  ) throws(HDRError) -> InputFile {
    var bytes = start
    while bytes.count <= limits.maxFileBytes {
      let part = try read(descriptor, upTo: 1 << 20)
      if part.isEmpty { break }
      bytes += part
    }
    let name = FilePath(name)
    do throws(FileFault) {
      if bytes.count > limits.maxFileBytes { throw FileFault(call: "read", number: EFBIG, path: name) }
      return try InputFile(bytes: bytes, name: name)
    } catch {
      throw HDRError(reading: error, limit: limits.maxFileBytes)
    }
  }

  // MARK: Bytes

  /// Reads until the memory is full or the stream ends.
  private static func fill(_ descriptor: Int32, _ memory: UnsafeMutableRawBufferPointer) throws(HDRError) -> Int {
    do throws(FileFault) {
      return try readAll(descriptor, memory)
    } catch {
      throw HDRError(reading: error, limit: 0)
    }
  }

  /// Reads until the memory is full or the stream ends.
  static func readAll(_ descriptor: Int32, _ memory: UnsafeMutableRawBufferPointer) throws(FileFault) -> Int {
    var found = 0
    while found < memory.count {
      let part = Glibc.read(descriptor, memory.baseAddress! + found, memory.count - found)
      if part < 0 && errno == EINTR { continue }
      if part < 0 { throw fault(errno) }
      if part == 0 { break }
      found += part
    }
    return found
  }

  static func fault(_ number: Int32) -> FileFault {
    FileFault(call: "read", number: number, path: FilePath("standard input"))
  }

  private static func read(_ descriptor: Int32, upTo count: Int) throws(HDRError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count), failure: HDRError?
    let found = bytes.withUnsafeMutableBytes { memory in
      do throws(HDRError) {
        return try fill(descriptor, memory)
      } catch {
        failure = error
        return 0
      }
    }
    if let failure { throw failure }
    return Array(bytes.prefix(found))
  }

  /// - Parameter start: the beginning of the line, without its end.
  private static func restOfLine(_ descriptor: Int32, behind start: [UInt8]) throws(HDRError) -> [UInt8] {
    var line = start
    while line.count < Y4M.maxLine {
      guard let byte = try read(descriptor, upTo: 1).first else {
        throw HDRError(DecodeError.truncated(where: "Y4M header"))
      }
      if byte == UInt8(ascii: "\n") { return line }
      line.append(byte)
    }
    throw HDRError(DecodeError.malformed(where: "Y4M header", what: "a line of more than \(Y4M.maxLine) bytes"))
  }
}
