import HDRCore

/// A box about light. An HEVC message of the same kind has the same payload (layouts and units:
/// docs/colour-formulas.md#metadata-layouts).
package protocol LightBox: SendableMetatype {
  static var field: LightMetadata.Field { get }
  static var type: FourCC { get }
  /// The type of the SEI message with this payload; `nil`: there is none.
  static var message: Int? { get }
  /// Reads a payload.
  ///
  /// - Parameter range: the luminance, in cd/m², of the largest value of the picture's transfer function; `nil` if that
  ///   is not absolute.
  /// - Throws: `.truncated`, and `.malformed` for impossible values.
  static func read(
    _ reader: inout ByteReader, range: Double?, into light: inout LightMetadata
  ) throws(DecodeError)
  /// Returns the payload; `nil` if the light metadata lack this field.
  static func payload(_ light: LightMetadata, range: Double?) -> [UInt8]?
}

extension LightBox {
  static func malformed(_ what: String) -> DecodeError { .malformed(where: "\(type) box", what: what) }

  /// Returns the whole box.
  package static func box(_ light: LightMetadata, range: Double?) -> [UInt8]? {
    payload(light, range: range).map { payload in
      var sink = ByteSink()
      sink.u32(8 + payload.count)
      sink.append(type.bytes)
      sink.append(payload)
      return sink.bytes
    }
  }
}

/// The list of boxes about light, in the order in which they are written.
package enum LightBoxes {
  package static let all: [any LightBox.Type] = [
    ContentLightLevelBox.self, MasteringDisplayBox.self, ContentColorVolumeBox.self, AmbientViewingBox.self,
    ReferenceEnvironmentBox.self, DiffuseWhiteBox.self,
  ]

  package static func named(_ type: FourCC) -> (any LightBox.Type)? { all.first { $0.type == type } }

  package static func message(_ type: Int) -> (any LightBox.Type)? { all.first { $0.message == type } }

  /// Returns the luminance of the largest value of a transfer function, in cd/m².
  package static func range(transfer: Int) -> Double? { [CICP.Transfer.pq: 10_000, CICP.Transfer.hlg: 1000][transfer] }
}

/// A light box of a file, not yet interpreted.
package struct LightProperty: Sendable, Hashable {
  package var type: FourCC
  package var payload: ArraySlice<UInt8>

  package init(type: FourCC, payload: ArraySlice<UInt8>) { (self.type, self.payload) = (type, payload) }
}

extension LightMetadata {
  /// Reads the boxes or messages of one place. Those that are unreadable or impossible are left out with a warning.
  ///
  /// - Parameters:
  ///   - transfer: the code point of the picture's transfer function; it scales `cclv`.
  ///   - isAlternate: true for the other rendition of a gain map, which may exceed its transfer function's range.
  package init(
    _ properties: [LightProperty], _ place: Place, transfer: Int, isAlternate: Bool = false,
    warnings: inout [Warning]
  ) {
    self.init()
    for property in properties {
      guard let box = LightBoxes.named(property.type) else { continue }
      do throws(DecodeError) {
        guard !has(box.field) else { throw box.malformed("a second one") }
        var reader = ByteReader(property.payload, place: "\(property.type) box")
        var light = LightMetadata()
        try box.read(&reader, range: LightBoxes.range(transfer: transfer), into: &light)
        if let level = light.clli, CICP.Transfer.isHDR(transfer), level.maxCLL > 10_000, !isAlternate {
          throw box.malformed("the maximum is \(short(level.maxCLL)) cd/m²")
        }
        if light.has(box.field) { light.places[box.field] = place }
        fill(from: light)
      } catch {
        warnings.append(
          Warning("light.\(property.type)", "the \(property.type) \(place.rawValue) is ignored: \(error)"))
      }
    }
  }

  /// Returns the boxes of the fields that are present.
  package func boxes(transfer: Int) -> [[UInt8]] {
    LightBoxes.all.compactMap { $0.box(self, range: LightBoxes.range(transfer: transfer)) }
  }
}

extension ByteReader {
  /// Skips version and flags, which some writers leave out; the box's size shows whether they are there.
  package mutating func skipVersion(ofPayload count: Int) throws(DecodeError) {
    if remaining == count { return }
    guard remaining == count + 4 else { throw .malformed(where: place, what: "\(remaining) bytes") }
    try skip(4)
  }

  /// Reads a chromaticity of two fields.
  package mutating func chromaticity(units: Double) throws(DecodeError) -> Chromaticity {
    Chromaticity(Double(try u16()) / units, Double(try u16()) / units)
  }
}

extension ByteSink {
  /// Writes a value as a number of units, limited to the range of `bytes` bytes.
  package mutating func units(_ value: Double, per unit: Double, bytes: Int) {
    let most = Double((1 << (8 * bytes)) - 1)
    // The comparison also turns NaN into 0.
    integer(value > 0 ? Int(Swift.min((value * unit).rounded(), most)) : 0, bytes: bytes)
  }

  package mutating func chromaticity(_ point: Chromaticity, units: Double) {
    self.units(point.x, per: units, bytes: 2)
    self.units(point.y, per: units, bytes: 2)
  }
}
