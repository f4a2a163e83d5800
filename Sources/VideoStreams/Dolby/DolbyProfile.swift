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

extension DolbyRPU {
  package var profile: DolbyProfile {
    if syntaxProfile == 0, sequence.baseIsFullRange { return .five }
    guard sequence.scalesEnhancement, !sequence.hasNoResidual else { return .eight }
    return sequence.signalDepth == 14 ? .four : .seven
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
