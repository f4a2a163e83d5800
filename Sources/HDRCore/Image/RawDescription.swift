/// A caller's description of a picture that does not describe itself: raw samples, Y4M.
package struct RawDescription: Sendable, Hashable {
  /// The layout of the samples; `nil` if the file has a header.
  package var layout: RawLayout?
  /// The H.273 codes. Pictures of R, G, B and of one channel need no matrix.
  package var primaries: Int?
  package var transfer: Int?
  package var matrix: Int?
  package var fullRange: Bool?
  /// The siting of subsampled chroma; `nil`: the header's, else left (H.273 type 0).
  package var siting: ChromaSiting?

  package init(
    _ layout: RawLayout? = nil, primaries: Int? = nil, transfer: Int? = nil, matrix: Int? = nil,
    fullRange: Bool? = nil, siting: ChromaSiting? = nil
  ) {
    self.layout = layout
    self.primaries = primaries
    self.transfer = transfer
    self.matrix = matrix
    self.fullRange = fullRange
    self.siting = siting
  }

  /// An error about information that is missing or contradicts the format.
  package struct Fault: Error, Sendable, Hashable {
    /// The name of the setting that gives it.
    package var setting: String
    package var message: String
  }

  /// Returns the meaning of samples of a format.
  ///
  /// - Throws: `Fault`, as nothing is guessed.
  package func color(of format: RawFormat) throws(Fault) -> SourceColor {
    guard let primaries, let transfer else {
      throw Fault(
        setting: "cicp", message: "raw and Y4M pictures do not say their primaries and transfer: give them, as 9/16/9")
    }
    switch (format.model, matrix) {
    case (.ycc, nil):
      throw Fault(setting: "cicp", message: "\(format.name) is Y'CbCr: give its matrix too, as in 9/16/9")
    case (.rgb, .some(let matrix)) where matrix != CICP.Matrix.identity:
      throw Fault(setting: "cicp", message: "\(format.name) is R'G'B' and has no matrix \(matrix): give P/T")
    default: break
    }
    guard let full = format.sample.isInteger ? fullRange : true else {
      throw Fault(setting: "range", message: "\(format.name) does not say whether its codes are full or limited range")
    }
    guard format.sample.isInteger || fullRange != false else {
      throw Fault(setting: "range", message: "\(format.name) has floats, which have no limited range")
    }
    if format.model == .ycc, matrix == CICP.Matrix.identity, format.chroma.isSubsampled {
      throw Fault(
        setting: "cicp", message: "matrix 0 needs 4:4:4 samples, and \(format.name) has \(format.chroma.rawValue)")
    }
    let matrix = format.model == .ycc ? matrix ?? CICP.Matrix.unspecified : CICP.Matrix.identity
    return SourceColor(
      matrix: matrix, fullRange: full, encoding: .cicp(primaries: primaries, transfer: transfer),
      cicp: CICP(primaries, transfer, matrix, full: full))
  }
}
