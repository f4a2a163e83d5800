import HDRCore

/// An error for a message that contradicts itself or the protocol: the other side is broken or hostile.
package struct WireError: Error, Sendable, Equatable, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}

/// A value that messages between supervisor and codec process can contain.
package protocol WireValue {
  func write(to wire: inout WireWriter)
  init(from wire: inout WireReader) throws(WireError)

  /// The largest number of elements in a list.
  static var maxInList: Int { get }
  /// Writes a list: its count, then its elements in order. Bytes are written all at once.
  static func write(_ list: [Self], to wire: inout WireWriter)
  static func list(from wire: inout WireReader) throws(WireError) -> [Self]
}

extension WireValue {
  package static var maxInList: Int { 4096 }

  package static func write(_ list: [Self], to wire: inout WireWriter) {
    wire.put(list.count)
    for element in list { wire.put(element) }
  }

  package static func list(from wire: inout WireReader) throws(WireError) -> [Self] {
    let count = try wire.count()
    guard count <= maxInList else { throw WireError("a list of \(count) \(Self.self)") }
    var list: [Self] = []
    for _ in 0..<count { list.append(try wire.take()) }
    return list
  }
}

/// A message that is being made: little-endian numbers of 64 bits, a count before each text and list, no padding.
package struct WireWriter {
  /// The message in pieces, in order; long data are pieces of their own and are not copied.
  package var pieces: [[UInt8]] { ended + [last] }
  private var ended: [[UInt8]] = [], last: [UInt8] = []
  /// The number of bytes that lie in the shared memory.
  private var placedBytes = 0
  /// Returns the offset of a buffer's bytes in the shared memory.
  let place: (PixelBuffer) -> Int
  /// Copies bytes to the shared memory and returns their offset; `nil` if they must be part of the message.
  private let placeData: ([UInt8]) -> Int?

  package init(
    place: @escaping (PixelBuffer) -> Int = { _ in 0 }, placeData: @escaping ([UInt8]) -> Int? = { _ in nil }
  ) {
    self.place = place
    self.placeData = placeData
  }

  package var bytes: [UInt8] { ended.isEmpty ? last : Array(pieces.joined()) }
  /// The number of all bytes but pixels, wherever they lie.
  package var byteCount: Int { ended.reduce(last.count + placedBytes) { $0 + $1.count } }

  package mutating func byte(_ value: UInt8) { last.append(value) }

  package mutating func word(_ value: UInt64) {
    withUnsafeBytes(of: value.littleEndian) { last.append(contentsOf: $0) }
  }

  package mutating func data(_ value: [UInt8]) {
    if value.count >= CodecProtocol.placedBytes, placedBytes + value.count <= CodecProtocol.maxPlacedBytes,
      let place = placeData(value)
    {
      word(UInt64(value.count) | WireReader.isPlaced)
      word(UInt64(place))
      placedBytes += value.count
      return
    }
    word(UInt64(value.count))
    if value.count < 1 << 14 || ended.count > 14 {
      last.append(contentsOf: value)
    } else {
      ended += [last, value]
      last = []
    }
  }

  package mutating func put(_ value: some WireValue) { value.write(to: &self) }
}

/// A parser of messages. Nothing in them is trusted: every count is checked against the remaining bytes, every value
/// against its bounds.
package struct WireReader {
  /// The rules for pixels in a message.
  package struct Pixels {
    /// The limits beyond which pictures are refused; a message without pixels may still state a size.
    package var limits: DecodeLimits
    /// True for messages from the main process: any finite number and texts of any length are accepted.
    package var isTrusted: Bool
    /// Returns the memory of a place and size; the caller checks both, as it knows the memory.
    package var buffer: (_ offset: Int, _ byteCount: Int) throws(WireError) -> PixelBuffer
    /// Returns a copy of bytes that are not pixels; the caller checks place and size.
    package var data: (_ offset: Int, _ byteCount: Int) throws(WireError) -> [UInt8]

    package init(
      limits: DecodeLimits, isTrusted: Bool,
      data: @escaping (_ offset: Int, _ byteCount: Int) throws(WireError) -> [UInt8] = { _, _ throws(WireError) in
        throw WireError("bytes in shared memory where none can be")
      },
      buffer: @escaping (_ offset: Int, _ byteCount: Int) throws(WireError) -> PixelBuffer
    ) {
      self.limits = limits
      self.isTrusted = isTrusted
      self.data = data
      self.buffer = buffer
    }

    /// The rules for a message that has no memory for pixels.
    package static var none: Pixels {
      Pixels(limits: DecodeLimits(), isTrusted: false) { _, _ throws(WireError) in
        throw WireError("pixels where none can be")
      }
    }
  }

  /// The bit of a count whose bytes lie in the shared memory, at the offset that follows.
  fileprivate static let isPlaced: UInt64 = 1 << 63

  private let bytes: [UInt8]
  private var position = 0
  /// The number of bytes that were read in the shared memory.
  private var placedBytes = 0
  let pixels: Pixels
  /// The buffers that were read, by place and size.
  var buffers: [[Int]: PixelBuffer] = [:]

  package init(_ bytes: [UInt8], _ pixels: Pixels = .none) {
    self.bytes = bytes
    self.pixels = pixels
  }

  var remaining: Int { bytes.count - position }

  /// Returns the next byte and does not pass it.
  func next() throws(WireError) -> UInt8 {
    guard remaining > 0 else { throw WireError("a message ends too early") }
    return bytes[position]
  }

  package mutating func byte() throws(WireError) -> UInt8 {
    let value = try next()
    position += 1
    return value
  }

  package mutating func word() throws(WireError) -> UInt64 {
    guard remaining >= 8 else { throw WireError("a message ends too early") }
    defer { position += 8 }
    return bytes.withUnsafeBytes { UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: position, as: UInt64.self)) }
  }

  /// Reads a count of elements that have at least `least` bytes each.
  mutating func count(least: Int = 1) throws(WireError) -> Int {
    let value = try word()
    guard value <= UInt64(remaining / least) else { throw WireError("a count of \(value) passes the message's end") }
    return Int(value)
  }

  package mutating func data() throws(WireError) -> [UInt8] {
    if let (offset, count) = try placedData() { return try pixels.data(offset, count) }
    let count = try count()
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Reads place and size of bytes in the shared memory; `nil` if the bytes follow. Their sum is bounded, as the same
  /// place may be named again and again.
  private mutating func placedData() throws(WireError) -> (offset: Int, count: Int)? {
    let start = position, value = try word()
    guard value & Self.isPlaced != 0 else {
      position = start
      return nil
    }
    let count = Int(value & ~Self.isPlaced), offset = Int(clamping: try word())
    guard count <= CodecProtocol.maxPlacedBytes - placedBytes else {
      throw WireError("\(count) more bytes in shared memory")
    }
    placedBytes += count
    return (offset, count)
  }

  /// Skips bytes or a text.
  mutating func skipData() throws(WireError) {
    if try placedData() == nil { position += try count() }
  }

  package mutating func take<Value: WireValue>(_ type: Value.Type = Value.self) throws(WireError) -> Value {
    try Value(from: &self)
  }

  /// Checks that nothing follows.
  package func end() throws(WireError) {
    guard remaining == 0 else { throw WireError("\(remaining) bytes behind a message") }
  }
}

extension Int: WireValue {
  package func write(to wire: inout WireWriter) { wire.word(UInt64(bitPattern: Int64(self))) }
  package init(from wire: inout WireReader) throws(WireError) { self = Int(Int64(bitPattern: try wire.word())) }
}

extension Bool: WireValue {
  package func write(to wire: inout WireWriter) { wire.byte(self ? 1 : 0) }
  package init(from wire: inout WireReader) throws(WireError) {
    let value = try wire.byte()
    guard value < 2 else { throw WireError("a truth value of \(value)") }
    self = value == 1
  }
}

extension Double: WireValue {
  /// The longest list: a curve has 65 536 samples, levels have a number for each row of a picture.
  package static var maxInList: Int { 1 << 17 }
  package func write(to wire: inout WireWriter) { wire.word(bitPattern) }
  /// Reads a finite number; one from a codec process has a magnitude of at most 2^32, more than any number of a file.
  package init(from wire: inout WireReader) throws(WireError) {
    self = Double(bitPattern: try wire.word())
    guard wire.pixels.isTrusted ? isFinite : magnitude <= 0x1p32 else { throw WireError("a number is \(self)") }
  }
}

extension String: WireValue {
  package func write(to wire: inout WireWriter) { wire.data(Array(utf8)) }
  /// Reads a text; a codec process's long texts are cut, as they go to records and screens.
  package init(from wire: inout WireReader) throws(WireError) {
    let bytes = try wire.data(), most = CodecProtocol.maxTextBytes
    guard bytes.count > most, !wire.pixels.isTrusted else {
      self.init(decoding: bytes, as: UTF8.self)
      return
    }
    // Never cut within a character.
    let end = (0..<4).map { most - $0 }.first { bytes[$0] & 0xC0 != 0x80 } ?? most
    self = String(decoding: bytes[..<end], as: UTF8.self) + "... (\(bytes.count - end) bytes more)"
  }
}

extension Optional: WireValue where Wrapped: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(self != nil)
    if let self { wire.put(self) }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self = try wire.take(Bool.self) ? try wire.take(Wrapped.self) : nil
  }
}

extension Array: WireValue where Element: WireValue {
  package func write(to wire: inout WireWriter) { Element.write(self, to: &wire) }
  package init(from wire: inout WireReader) throws(WireError) { self = try Element.list(from: &wire) }
}

extension UInt8: WireValue {
  package func write(to wire: inout WireWriter) { wire.byte(self) }
  package init(from wire: inout WireReader) throws(WireError) { self = try wire.byte() }
  package static func write(_ list: [UInt8], to wire: inout WireWriter) { wire.data(list) }
  package static func list(from wire: inout WireReader) throws(WireError) -> [UInt8] { try wire.data() }
}

/// A number whose lists are sent as their bytes, in the order of the machine's memory.
package protocol WireNumber: WireValue, BitwiseCopyable {}

extension WireNumber {
  package func write(to wire: inout WireWriter) { Self.write([self], to: &wire) }
  package init(from wire: inout WireReader) throws(WireError) {
    let list = try Self.list(from: &wire)
    guard list.count == 1 else { throw WireError("\(list.count) numbers for one") }
    self = list[0]
  }
  package static func write(_ list: [Self], to wire: inout WireWriter) {
    wire.data(list.withUnsafeBytes { Array($0) })
  }
  package static func list(from wire: inout WireReader) throws(WireError) -> [Self] { try numbers(from: &wire) }

  fileprivate static func numbers(from wire: inout WireReader) throws(WireError) -> [Self] {
    let bytes = try wire.data(), size = MemoryLayout<Self>.size
    guard bytes.count % size == 0 else { throw WireError("a part of a number") }
    return bytes.withUnsafeBytes { raw in
      (0..<bytes.count / size).map { raw.loadUnaligned(fromByteOffset: size * $0, as: Self.self) }
    }
  }
}

extension UInt16: WireNumber {}
extension UInt32: WireNumber {}
extension Float: WireNumber {
  /// Reads floats of a magnitude of at most 2^32; any other throws.
  package static func list(from wire: inout WireReader) throws(WireError) -> [Float] {
    let values = try numbers(from: &wire)
    guard values.allSatisfy({ $0.magnitude <= 0x1p32 }) else { throw WireError("floats that are no numbers") }
    return values
  }
}

extension ClosedRange: WireValue where Bound: WireValue {
  package func write(to wire: inout WireWriter) {
    wire.put(lowerBound)
    wire.put(upperBound)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    let low = try wire.take(Bound.self), high = try wire.take(Bound.self)
    guard low <= high else { throw WireError("a range that is empty") }
    self = low...high
  }
}

/// A table whose keys are the cases of an enumeration, which are sent in order with their values or none.
extension Dictionary: WireValue where Key: CaseIterable, Value: WireValue {
  package func write(to wire: inout WireWriter) { for key in Key.allCases { wire.put(self[key]) } }
  package init(from wire: inout WireReader) throws(WireError) {
    self = [:]
    for key in Key.allCases { self[key] = try wire.take(Value?.self) }
  }
}

extension Result: WireValue where Success: WireValue, Failure: WireValue {
  package func write(to wire: inout WireWriter) {
    switch self {
    case .success(let value):
      wire.put(true)
      wire.put(value)
    case .failure(let error):
      wire.put(false)
      wire.put(error)
    }
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self = try wire.take(Bool.self) ? .success(try wire.take()) : .failure(try wire.take())
  }
}

/// An enumeration or set that is sent as its raw value: its case's name or its number.
package protocol WireRaw: WireValue, RawRepresentable where RawValue: WireValue {}

extension WireRaw {
  package func write(to wire: inout WireWriter) { wire.put(rawValue) }
  package init(from wire: inout WireReader) throws(WireError) {
    let raw = try wire.take(RawValue.self)
    guard let value = Self(rawValue: raw) else { throw WireError("no such choice: \("\(raw)".prefix(40))") }
    self = value
  }
}

extension WireValue {
  /// A message that contains only this value.
  package var bytes: [UInt8] {
    var writer = WireWriter()
    writer.put(self)
    return writer.bytes
  }
}
