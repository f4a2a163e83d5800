import CDav1d
import FileParts
import HDRCore

extension AV1Configuration {
  static func siting(_ position: Int) -> ChromaSiting { position == 2 ? .topLeft : .left }

  /// Returns the format by the sequence header of the item, or by `av1C` if the header cannot be read.
  func format(itemData: ArraySlice<UInt8>?) -> CodedFormat {
    for bytes in [itemData, configOBUs] {
      if let bytes, let header = Self.sequenceHeader(bytes) { return CodedFormat(header) }
    }
    return CodedFormat(
      bitDepth: bitDepth, chroma: chroma, siting: Self.siting(chromaSamplePosition), color: BitstreamColor())
  }

  private static func sequenceHeader(_ bytes: ArraySlice<UInt8>) -> Dav1dSequenceHeader? {
    var header = Dav1dSequenceHeader()
    let code = bytes.withUnsafeBytes { raw -> Int32 in
      guard let base = raw.baseAddress, !raw.isEmpty else { return -1 }
      return dav1d_parse_sequence_header(&header, base.assumingMemoryBound(to: UInt8.self), raw.count)
    }
    return code == 0 ? header : nil
  }
}

extension CodedFormat {
  init(_ header: Dav1dSequenceHeader) {
    self.init(
      bitDepth: 8 + 2 * Int(header.hbd), chroma: Self.chroma(header.layout),
      siting: AV1Configuration.siting(Int(header.chr.rawValue)),
      color: BitstreamColor(
        primaries: Int(header.pri.rawValue), transfer: Int(header.trc.rawValue), matrix: Int(header.mtrx.rawValue),
        fullRange: header.color_range != 0))
  }

  static func chroma(_ layout: Dav1dPixelLayout) -> ChromaSubsampling {
    switch layout {
    case DAV1D_PIXEL_LAYOUT_I400: .none
    case DAV1D_PIXEL_LAYOUT_I420: .s420
    case DAV1D_PIXEL_LAYOUT_I422: .s422
    default: .s444
    }
  }
}
