/// The formats of LUT files by the endings of their names (docs/luts.md#formats).
public enum LUTFormat: String, Sendable, Hashable, CaseIterable {
  case cube, itx, threeDL = "3dl", spi1d, spi3d, spimtx, csp, lut, vf, cub, clf, ctf, cdl, cc, ccc
  /// Read to say that it is none.
  case icc, icm

  /// Finds the format of a file's name, in any case; `nil` for other endings.
  public init?(name: String) {
    guard let dot = name.lastIndex(of: ".") else { return nil }
    self.init(rawValue: name[name.index(after: dot)...].lowercased())
  }

  /// True if a file holds several corrections by their identifiers.
  package var hasCorrections: Bool { [.cdl, .cc, .ccc].contains(self) }

  /// The endings that are read, as words that follow "are".
  package static var endings: String {
    allCases.filter { $0 != .icc && $0 != .icm }.map { "." + $0.rawValue }.joined(separator: ", ")
  }
}

extension LUTChain {
  /// Reads a LUT file.
  ///
  /// - Parameter id: of files with several colour corrections: the identifier of one, or its number from 0.
  public init(parsing bytes: [UInt8], as format: LUTFormat, id: String? = nil) throws(LUTError) {
    try self.init(parsing: bytes, as: format, id: id, refer: nil)
  }

  /// Reads the file that a `Reference` names by a path.
  package typealias Refer = (_ path: String) throws(LUTError) -> LUTChain

  /// Reads a LUT file, and those that it refers to; without `refer` such a file is refused.
  package init(parsing bytes: [UInt8], as format: LUTFormat, id: String?, refer: Refer?) throws(LUTError) {
    guard id == nil || format.hasCorrections else {
      throw LUTError(.cdlID, reason: "only .cdl, .cc and .ccc files hold corrections with an id")
    }
    switch format {
    case .cube, .itx: self.init(try CubeLUT(parsing: bytes))
    case .threeDL: self.init(try CubeLUT(parsing3DL: bytes))
    case .spi1d: self = try SPIFiles.curve(bytes)
    case .spi3d: self = try SPIFiles.cube(bytes)
    case .spimtx: self = try SPIFiles.matrix(bytes)
    case .csp: self = try CSPFile.read(bytes)
    case .lut: self = try HoudiniFile.read(bytes)
    case .vf: self = try NukeFile.read(bytes)
    case .cub: self = try TruelightFile.read(bytes)
    case .clf, .ctf: self = try CLFReader.read(bytes, isCTF: format == .ctf, refer)
    case .cdl, .cc, .ccc: self = try CDLFile.read(bytes, id: id)
    case .icc, .icm:
      throw LUTError(.icc, reason: "an ICC profile is no LUT; bake it to .cube")
    }
  }
}

/// The place of a LUT: a file's path, and the correction that is meant if it holds several, `grade.ccc#cc0003`.
package struct LUTPlace: Sendable, Hashable {
  package var path: String
  package var id: String?
  package var format: LUTFormat

  package init(path: String, id: String?, format: LUTFormat) {
    (self.path, self.id, self.format) = (path, id, format)
  }

  /// Reads a path; `nil` if it does not end as LUT files do.
  package init?(_ text: String) {
    if let format = LUTFormat(name: text) {
      (path, id, self.format) = (text, nil, format)
      return
    }
    guard let hash = text.lastIndex(of: "#"), let format = LUTFormat(name: String(text[..<hash])),
      format.hasCorrections
    else { return nil }
    (path, id, self.format) = (String(text[..<hash]), String(text[text.index(after: hash)...]), format)
  }
}
