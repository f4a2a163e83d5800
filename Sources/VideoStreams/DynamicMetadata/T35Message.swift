import HDRCore

/// A message of ITU-T T.35, from its country code on: of SEI in HEVC, of metadata OBUs in AV1, and of `it35` tracks, whose
/// sample entry has the first bytes and whose samples have the rest.
package struct T35Message: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    /// SMPTE ST 2094-40.
    case hdr10Plus = "hdr10+"
    /// SMPTE ST 2094-50.
    case headroomAdaptive = "st2094-50"
    /// An RPU of Dolby Vision in AV1.
    case dolby
    case other

    /// The first bytes: country, provider, and what the provider says.
    package var prefix: [UInt8] {
      switch self {
      case .hdr10Plus: [0xB5, 0x00, 0x3C, 0x00, 0x01, 0x04]
      case .headroomAdaptive: [0xB5, 0x00, 0x90, 0x00, 0x01]
      case .dolby: [0xB5, 0x00, 0x3B, 0x00, 0x00, 0x08, 0x00]
      case .other: []
      }
    }
  }

  package var bytes: [UInt8]

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package init(_ kind: Kind, payload: [UInt8]) { bytes = kind.prefix + payload }

  package var kind: Kind {
    // An earlier draft of ST 2094-50 has another number.
    if HeadroomAdaptiveMetadata.payload(ofT35: bytes[...]) != nil { return .headroomAdaptive }
    return Kind.allCases.first { bytes.starts(with: $0.prefix) } ?? .other
  }

  /// The bytes behind those that name the kind.
  package var payload: ArraySlice<UInt8> { bytes.dropFirst(kind.prefix.count) }

  /// True if the message can be read as what it is; of other kinds nothing is known.
  package var isReadable: Bool {
    switch kind {
    case .hdr10Plus: (try? HDR10PlusMetadata(parsing: payload)) != nil
    case .headroomAdaptive:
      HeadroomAdaptiveMetadata.payload(ofT35: bytes[...]).flatMap { try? HeadroomAdaptiveMetadata(parsing: $0) } != nil
    case .dolby: (try? DolbyEMDF.body(of: payload)) != nil
    case .other: true
    }
  }
}
