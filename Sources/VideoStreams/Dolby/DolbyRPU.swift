/// The metadata of one frame of Dolby Vision, a Reference Processing Unit: ETSI GS CCM 001, "Compound Content
/// Management", with the blocks of content mapping versions 2.9 and 4.0.
///
/// All fields are kept as the integers of the stream, so that what is written is what was read.
package struct DolbyRPU: Sendable, Equatable {
  /// The 11 bits behind the type, and the profile and level of the syntax; the profile of a stream follows from more.
  package var format: Int
  package var syntaxProfile: Int
  package var syntaxLevel: Int
  package var sequence: DolbySequence
  /// True if the RPU states its sequence information; else it is that of an earlier RPU.
  package var statesSequence: Bool
  package var mapping: Mapping
  /// `nil` if the RPU has no display management metadata.
  package var display: DolbyDisplay?
  /// The bits between what was read and the checksum.
  package var rest: [Bool]
  /// The number of zero bytes behind the end.
  package var padding: Int

  /// The way from codes of the base layer to the signal of the mastering display.
  package enum Mapping: Sendable, Equatable {
    case own(DolbyMapping)
    /// The mapping of the last RPU that had this number.
    case earlier(id: Int)
  }
}

/// The part of an RPU that is the same for a whole stream.
package struct DolbySequence: Sendable, Equatable {
  package enum Coefficients: Sendable, Equatable {
    /// Integers in units of 2^-fractionBits.
    case fixed(fractionBits: Int)
    /// The bits of binary32.
    case float
  }

  package var hasChromaFilter: Bool
  package var coefficients: Coefficients
  package var normalized: Int
  /// True if the base layer uses the full range of codes.
  package var baseIsFullRange: Bool
  package var baseDepth: Int
  package var enhancementDepth: Int
  /// The byte above the depth of the enhancement layer.
  package var mappingExtension: Int
  package var signalDepth: Int
  package var hasSpatialFilter: Bool
  /// 1 if display management metadata is compressed.
  package var compression: Int
  package var scalesEnhancement: Bool
  package var hasNoResidual: Bool

  /// Converts an integer of the stream to a number.
  package func value(_ coefficient: Int) -> Double {
    switch coefficients {
    case .fixed(let bits): Double(coefficient) / Double(1 << bits)
    case .float: Double(Float(bitPattern: UInt32(truncatingIfNeeded: coefficient)))
    }
  }
}

/// The curves of an RPU, one for each component of the base layer.
package struct DolbyMapping: Sendable, Equatable {
  package struct Curve: Sendable, Equatable {
    /// 2 to 9 codes that ascend or are equal: the bounds of pieces.
    package var pivots: [Int]
    /// As many pieces as pivots, less one.
    package var pieces: [Piece]
  }

  package enum Piece: Sendable, Equatable {
    /// 2 or 3 coefficients, of the lowest power first.
    case polynomial([Int])
    /// Multivariate multiple regression: a constant, and 7 coefficients for each order of 1 to 3.
    case regression(constant: Int, orders: [[Int]])
  }

  /// The description of what an enhancement layer adds.
  package struct Residual: Sendable, Equatable {
    package struct Component: Sendable, Equatable {
      package var offset: Int
      package var maximum: Int
      package var slope: Int
      package var threshold: Int
    }

    package var method: Int
    /// The two differences of pivots.
    package var pivots: [Int]
    package var components: [Component]
  }

  package var id: Int
  package var curves: [Curve]
  /// `nil` if the stream says that there is none.
  package var residual: Residual?
}

/// The display management metadata of an RPU.
package struct DolbyDisplay: Sendable, Equatable {
  package struct Colors: Sendable, Equatable {
    /// Y'CbCr or IPT to PQ R'G'B', row by row, in 1/8192.
    package var toSignal: [Int]
    /// The numbers that are taken from the components before, in 2^-28.
    package var offsets: [Int]
    /// Linear light of the signal to LMS, row by row, in 1/16384.
    package var toLMS: [Int]
    /// The transfer function and its three parameters.
    package var transfer: [Int]
    package var depth: Int
    package var space: Int
    package var chroma: Int
    package var range: Int
    /// The darkest and the brightest light of the mastering display as PQ codes of 12 bits.
    package var minimum: Int
    package var maximum: Int
    /// The diagonal of the mastering display in inches.
    package var diagonal: Int
  }

  /// An extension block: its level says what it is.
  package struct Block: Sendable, Equatable {
    package var level: Int
    package var payload: [UInt8]
  }

  package var affectedID: Int
  package var currentID: Int
  package var sceneRefresh: Int
  /// `nil` if the metadata is compressed: the colours are those of an earlier RPU.
  package var colors: Colors?
  /// The blocks of content mapping 2.9, and those of 4.0 if there are any.
  package var lists: [[Block]]
}
