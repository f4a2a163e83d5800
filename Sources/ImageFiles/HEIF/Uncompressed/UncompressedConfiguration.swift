import FileParts
import HDRCore

/// The `uncC` property, the sample layout of an `unci` item (ISO/IEC 23001-17 clause 5.2), not yet interpreted.
package struct UncompressedConfiguration: Sendable {
  package struct Component: Sendable {
    /// The index into the list of `cmpd`.
    var index: Int
    var bitDepth: Int
    /// 0: unsigned integer, 1: floating point, 2: complex.
    var format: Int
    /// The bytes of the word that holds a value; 0: values follow each other bit by bit.
    var alignSize: Int
  }

  /// The kinds of interleaving, table 4.
  enum Interleaving: Int, Sendable {
    case component, pixel, mixed, row, tileComponent, multiY
  }

  /// The kinds of chroma sampling, table 3.
  static let samplings: [ChromaSubsampling] = [.s444, .s422, .s420, .s411]

  var components: [Component] = []
  /// The component types of a version without a component list; they replace `cmpd`.
  var types: [ComponentType?]?
  var sampling = ChromaSubsampling.s444
  var interleaving = Interleaving.pixel
  var blockSize = 0
  var isLittleEndian = false
  /// The padding, byte order and order of components in blocks.
  var blockFlags = 0
  var pixelSize = 0
  var rowAlign = 0
  var tileAlign = 0
  var tileColumns = 1
  var tileRows = 1

  init(_ reader: inout ByteReader) throws(DecodeError) {
    let version = try reader.fullBox().version
    let profile = try reader.code()
    switch (version, profile) {
    case (0, _): try read(&reader)
    case (1, "rgb3"): setBytes([.red, .green, .blue])
    case (1, "rgba"): setBytes([.red, .green, .blue, .alpha])
    case (1, "abgr"): setBytes([.alpha, .blue, .green, .red])
    case (1, _): throw .unsupported(feature: "profile of an uncompressed picture", found: "\(profile)")
    default: throw .unsupported(feature: "uncC version", found: "\(version)")
    }
  }

  private mutating func read(_ reader: inout ByteReader) throws(DecodeError) {
    let count = try reader.u32()
    guard count <= BoxLimits.components else {
      throw .malformed(where: "uncC box", what: "\(count) components, more than \(BoxLimits.components)")
    }
    for _ in 0..<count {
      components.append(
        Component(
          index: try reader.u16(), bitDepth: Int(try reader.u8()) + 1, format: Int(try reader.u8()),
          alignSize: Int(try reader.u8())))
    }
    let sampling = Int(try reader.u8()), order = Int(try reader.u8())
    guard Self.samplings.indices.contains(sampling), let interleaving = Interleaving(rawValue: order) else {
      throw .malformed(where: "uncC box", what: "sampling \(sampling), interleaving \(order)")
    }
    self.sampling = Self.samplings[sampling]
    self.interleaving = interleaving
    blockSize = Int(try reader.u8())
    let flags = Int(try reader.u8())
    isLittleEndian = flags & 0x80 != 0
    blockFlags = flags & 0x70
    pixelSize = try reader.u32()
    rowAlign = try reader.u32()
    tileAlign = try reader.u32()
    tileColumns = try reader.u32() + 1
    tileRows = try reader.u32() + 1
  }

  /// Sets the components to interleaved 8-bit ones.
  private mutating func setBytes(_ types: [ComponentType]) {
    components = types.indices.map { Component(index: $0, bitDepth: 8, format: 0, alignSize: 0) }
    self.types = types
  }
}
