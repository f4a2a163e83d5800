import FileParts
import HDRCore

/// A camera raw file before its samples are read: its directories, and the description of a DNG.
struct RAWContainer {
  let bytes: [UInt8]
  /// The structure of a file of the TIFF family; `nil` for other containers.
  let structure: TIFFStructure?
  let dng: DNGDescription?

  /// Checks the kind of the file and reads its directories.
  ///
  /// - Throws: `.unsupported` for another kind of file, and for formats that are refused by decision.
  init(_ bytes: [UInt8], limits: DecodeLimits) throws(DecodeError) {
    let (kind, structure) = try RAWHeader.check(bytes)
    guard let kind else { throw .unsupported(feature: "camera raw", found: "another kind of file") }
    self.bytes = bytes
    self.structure = structure
    if kind == .dng, let structure {
      dng = try DNGDescription(structure, limits: limits)
    } else {
      dng = nil
    }
  }
}
