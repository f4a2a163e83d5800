/// The profiles of Dolby Vision that an RPU can tell apart; AV1's profile 10 has the RPUs of 5 and 8.
package enum DolbyProfile: Int, Sendable {
  /// A base layer of SDR with an enhancement layer.
  case four = 4
  /// A single layer in IPT, which nothing else shows rightly.
  case five = 5
  /// A base layer of HDR10 with an enhancement layer.
  case seven = 7
  /// A single layer that is HDR10, HLG or SDR by itself.
  case eight = 8
}

extension DolbyProfile {
  /// - Parameter hasResidual: true if an enhancement layer is scaled and adds a residual.
  package init(syntaxProfile: Int, isFullRange: Bool, hasResidual: Bool, signalDepth: Int) {
    if syntaxProfile == 0, isFullRange {
      self = .five
    } else {
      self = !hasResidual ? .eight : signalDepth == 14 ? .four : .seven
    }
  }
}

extension DolbyRPU {
  package var profile: DolbyProfile {
    DolbyProfile(
      syntaxProfile: syntaxProfile, isFullRange: sequence.baseIsFullRange,
      hasResidual: sequence.scalesEnhancement && !sequence.hasNoResidual, signalDepth: sequence.signalDepth)
  }
}

extension DolbyMapping {
  /// True if an enhancement layer adds nothing: the base layer and the curves make the whole picture.
  package func isMinimal(_ sequence: DolbySequence) -> Bool {
    guard let residual else { return true }
    return residual.components.allSatisfy {
      $0.offset == 0 && sequence.value($0.maximum) == 1 && sequence.value($0.slope) == 0
        && sequence.value($0.threshold) == 0
    }
  }
}
