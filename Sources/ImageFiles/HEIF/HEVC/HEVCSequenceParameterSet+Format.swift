import FileParts
import HDRCore

extension HEVCSequenceParameterSet {
  /// The format of a still picture. The location of chroma applies to 4:2:0; 4:2:2 is always co-sited in HEVC.
  var format: CodedFormat {
    CodedFormat(
      bitDepth: bitDepth, chroma: chroma,
      siting: chroma == .s420 ? chromaLocation.map { ChromaSiting(location: $0) } ?? .left : .left, color: color)
  }
}
