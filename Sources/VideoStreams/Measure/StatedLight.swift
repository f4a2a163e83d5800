import HDRCore

/// The light metadata that a clip states, in its container and with its frames.
package struct StatedLight: Sendable {
  /// The mastering display and the light level that were stated first.
  package private(set) var mastering: MasteringDisplay?
  package private(set) var level: ContentLightLevel?
  /// The largest MaxCLL that was stated, cd/m², which headrooms are made of.
  package private(set) var largestCLL: Double?
  /// One warning of a kind, however many frames have it.
  package private(set) var warnings: [Warning] = []

  private let transfer: Int

  /// - Parameter transfer: 16 for PQ, whose mastering displays reach 50 cd/m² at least.
  package init(transfer: Int) { self.transfer = transfer }

  /// Takes a statement; what cannot be true is left out with a warning.
  package mutating func add(mastering new: MasteringDisplay?, level newLevel: ContentLightLevel?) {
    if let new {
      if let fault = fault(new) {
        warn("light.invalid", "the mastering display is ignored: \(fault)")
      } else {
        if mastering != nil, mastering != new {
          warn("video.light-varies", "the mastering display changes; the first is kept")
        }
        mastering = mastering ?? new
      }
    }
    if let newLevel {
      if let fault = newLevel.fault {
        warn("light.invalid", "the light level is ignored: \(fault)")
      } else {
        if level != nil, level != newLevel {
          warn("video.light-varies", "the light level changes; the first is kept, headrooms have the largest")
        }
        level = level ?? newLevel
        largestCLL = max(largestCLL ?? 0, newLevel.maxCLL)
      }
    }
  }

  private func fault(_ display: MasteringDisplay) -> String? {
    if let fault = display.fault { return fault }
    if transfer == 16, display.maxLuminance < 50 {
      return "the maximum of \(short(display.maxLuminance)) cd/m² is below 50"
    }
    let points = display.primaries ?? []
    return points.allSatisfy { (0...1).contains($0.x) && (0...1).contains($0.y) } ? nil : "a primary is outside 0...1"
  }

  private mutating func warn(_ code: String, _ message: Message) {
    if !warnings.contains(where: { $0.code == code && $0.message == message }) {
      warnings.append(Warning(code, message))
    }
  }
}
