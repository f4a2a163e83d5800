import HDRCore

/// A value that crosses the border to codec processes, described once: one list of its fields writes it and reads it.
///
/// The checks of untrusted values stand in the list; only readers make them.
package protocol Fields: WireValue {
  /// A value to read into. Reading sets every field that is listed; properties that do not cross stay as they are here.
  static var blank: Self { get }
  /// Codes the fields in order. The value stays as it is when it is written.
  mutating func fields<C: FieldCoder>(with coder: inout C) throws(C.Failure)
}

/// An enumeration with payloads. The fields of a case are its number, then its payload.
package protocol Cases: Fields {
  /// A value of each case to read into, at the index of the case's number.
  static var blanks: [Self] { get }
}

/// A coder takes the fields of a list one by one: it writes them to a message, reads them from one, or counts them.
package protocol FieldCoder {
  /// The error of readers; others have `Never`.
  associatedtype Failure: Error
  /// The limits of pictures, for checks.
  var limits: DecodeLimits { get }
  /// False for a reader of what a codec process sends.
  var isTrusted: Bool { get }

  /// Codes one field, by the name of its property.
  mutating func callAsFunction<Value: WireValue>(_ name: String, _ value: inout Value) throws(Failure)
  mutating func callAsFunction(_ name: String, _ buffer: inout PixelBuffer) throws(Failure)
  /// Codes the number of an enumeration's case.
  mutating func number(_ number: UInt8) throws(Failure)
  /// Throws the fault that a check returns. Only readers run checks: what is written was never hostile.
  func check(_ fault: () -> String?) throws(Failure)
}

extension FieldCoder {
  package var limits: DecodeLimits { DecodeLimits() }
  package var isTrusted: Bool { true }

  package func demand(_ isRight: @autoclosure () -> Bool, _ fault: @autoclosure () -> String) throws(Failure) {
    try check { isRight() ? nil : fault() }
  }

  package func refuse(_ fault: String) throws(Failure) { try check { fault } }

  /// Codes a payload of an enumeration.
  package mutating func callAsFunction<Value: WireValue>(_ value: Value) throws(Failure) -> Value {
    var value = value
    try self("", &value)
    return value
  }

  package mutating func callAsFunction<Value: WireValue & Comparable>(
    _ name: String, _ value: inout Value, in range: ClosedRange<Value>
  ) throws(Failure) {
    try self(name, &value)
    try demand(range.contains(value), "\(name) is \(value)")
  }

  package mutating func callAsFunction<Value: WireValue & Comparable>(
    _ name: String, _ value: inout Value?, in range: ClosedRange<Value>
  ) throws(Failure) {
    try self(name, &value)
    try demand(value.map(range.contains) ?? true, "\(name) is \(value.map { "\($0)" } ?? "nil")")
  }

  package mutating func callAsFunction<Element: WireValue>(
    _ name: String, _ list: inout [Element], count: ClosedRange<Int>
  ) throws(Failure) {
    try self(name, &list)
    try demand(count.contains(list.count), "\(list.count) \(name)")
  }
}

extension Fields {
  package func write(to wire: inout WireWriter) {
    var copy = self
    copy.fields(with: &wire)
  }
  package init(from wire: inout WireReader) throws(WireError) {
    self = Self.blank
    try fields(with: &wire)
  }
}

extension Cases {
  package static var blank: Self { blanks[0] }
  package init(from wire: inout WireReader) throws(WireError) {
    let number = Int(try wire.next())
    guard number < Self.blanks.count else { throw WireError("\(Self.self) number \(number)") }
    self = Self.blanks[number]
    try fields(with: &wire)
  }
}

extension WireWriter: FieldCoder {
  package mutating func callAsFunction<Value: WireValue>(_ name: String, _ value: inout Value) { put(value) }
  package mutating func callAsFunction(_ name: String, _ buffer: inout PixelBuffer) {
    put(place(buffer))
    put(buffer.byteCount)
  }
  package mutating func number(_ number: UInt8) { byte(number) }
  package func check(_ fault: () -> String?) {}
}

extension WireReader: FieldCoder {
  package var limits: DecodeLimits { pixels.limits }
  package var isTrusted: Bool { pixels.isTrusted }

  package mutating func callAsFunction<Value: WireValue>(_ name: String, _ value: inout Value) throws(WireError) {
    value = try take()
  }
  /// Reads a buffer; the same place gives the same object, as on the other side.
  package mutating func callAsFunction(_ name: String, _ buffer: inout PixelBuffer) throws(WireError) {
    let place = [try take(Int.self), try take(Int.self)]
    if let known = buffers[place] {
      buffer = known
      return
    }
    guard buffers.count < 64 else { throw WireError("a picture of more than 64 blocks") }
    buffer = try pixels.buffer(place[0], place[1])
    buffers[place] = buffer
  }
  /// Reads the number that chose the blank of this case.
  package mutating func number(_ number: UInt8) throws(WireError) {
    let found = try byte()
    guard found == number else { throw WireError("case \(number) at the place of \(found)") }
  }
  package func check(_ fault: () -> String?) throws(WireError) {
    if let fault = fault() { throw WireError(fault) }
  }
}
