import HDRCore

/// The parameters of a stage or a sink by name, in the order in which they lie in `Plan.constants`. The planner fills
/// them in, the loop on the CPU reads them (`StageContext.words`), and the GLSL file gives the same words the same
/// names (`#pragma words`; a test compares them).
///
/// Properties are words of 32 bits, or groups of such.
public protocol StageParameters: BitwiseCopyable, Sendable {
  /// Groups of words that GLSL reads from a place of their own (`#pragma part`).
  static var parts: [any StageParameters.Type] { get }
}

extension StageParameters {
  public static var parts: [any StageParameters.Type] { [] }

  @inlinable @inline(always) public static var count: Int { MemoryLayout<Self>.size >> 2 }

  /// The words in the form that a plan holds.
  public var list: [UInt32] { withUnsafeBytes(of: self) { Array($0.bindMemory(to: UInt32.self)) } }
}

/// A word that holds a case of an enum; GLSL has names for the cases (`#pragma values`).
public struct Choice<Value: RawRepresentable & CaseIterable & Sendable>: BitwiseCopyable, Sendable
where Value.RawValue == Int {
  public let word: UInt32

  public init(_ value: Value) { word = value.rawValue.word }

  @inlinable @inline(always) public var value: Value { Value(rawValue: Int(word))! }
}

/// A word for each of R, G, B.
public struct RGBWords<Word: BitwiseCopyable & Sendable>: StageParameters {
  public let r: Word, g: Word, b: Word

  @inlinable @inline(always) public subscript(channel: Int) -> Word { channel == 0 ? r : channel == 1 ? g : b }
}

extension RGBWords where Word == Float {
  package init(_ values: [Double]) { self.init(r: values[0].lane, g: values[1].lane, b: values[2].lane) }
}

extension RGBWords where Word == UInt32 {
  package init(_ words: [UInt32]) { self.init(r: words[0], g: words[1], b: words[2]) }
}

/// A word for each of R, G, B, A.
public struct RGBAWords<Word: BitwiseCopyable & Sendable>: StageParameters {
  public let r: Word, g: Word, b: Word, a: Word

  @inlinable @inline(always) public subscript(channel: Int) -> Word {
    channel == 0 ? r : channel == 1 ? g : channel == 2 ? b : a
  }
}

extension RGBAWords where Word == Float {
  package init(_ values: [Double]) {
    self.init(r: values[0].lane, g: values[1].lane, b: values[2].lane, a: values[3].lane)
  }
}

/// A table of a curve (`CurveTable`): its offset and its domain.
public struct CurveWords: StageParameters {
  public let table: UInt32, minBits: UInt32, maxBits: UInt32, k: UInt32

  package init(_ curve: CurveTable, offset: UInt32) {
    let domain = curve.domain
    (table, minBits, maxBits, k) = (offset, domain.minBits, domain.maxBits, domain.k)
  }

  @inlinable @inline(always) public var domain: CurveDomain { CurveDomain(minBits: minBits, maxBits: maxBits, k: k) }
}

/// The domain of a table of a curve: its first and last bit pattern, log2 of segments an octave.
public struct CurveDomain: StageParameters {
  public let minBits: UInt32, maxBits: UInt32, k: UInt32

  @inlinable @inline(always) public init(minBits: UInt32, maxBits: UInt32, k: UInt32) {
    (self.minBits, self.maxBits, self.k) = (minBits, maxBits, k)
  }
}

extension StageContext {
  /// Returns the stage's words.
  @inlinable @inline(always)
  public func words<Parameters: StageParameters>(_: Parameters.Type, from first: Int = 0) -> Parameters {
    UnsafeRawPointer(constants + first).load(as: Parameters.self)
  }

  /// Returns a table of the plan by its offset.
  @inlinable @inline(always) public func table(at offset: UInt32) -> UnsafePointer<Float> {
    UnsafeRawPointer(tables + Int(offset)).assumingMemoryBound(to: Float.self)
  }
}
