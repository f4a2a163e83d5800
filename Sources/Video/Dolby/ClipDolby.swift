import FileParts
import HDRCore
import HDRRender
import VideoStreams

/// The Dolby Vision of a clip is treated so. This is decided before frames are decoded.
package struct ClipDolby: Sendable {
  package enum Action: String, Sendable {
    /// The base layer is shown as any other picture.
    case dropped
    /// Frames are reshaped as their RPUs say.
    case applied
    /// Samples and RPUs are passed on.
    case kept
  }

  package let profile: Int
  package let action: Action
  /// The RPUs of frames that are reshaped; `nil` for other actions.
  let layers: DolbyLayers?
  /// The warning about what gets lost; `nil` where that was asked for.
  let warning: Warning?

  /// Decides. RPUs are read here, all of them where they are applied.
  ///
  /// - Returns: `nil` for clips without Dolby Vision.
  /// - Throws: `HDRError`, `dolby.profile` for what a profile does not have, `dolby.rpu` for frames whose RPU is missing or
  ///   cannot be read.
  init?(_ facts: ClipFacts, _ rule: DolbyRule, _ reader: DynamicMetadataReader) throws(HDRError) {
    guard let (profile, base) = facts.dolby else { return nil }
    self.profile = profile
    var layers: DolbyLayers?, warning: Warning?
    if base == 0 {
      // Codes of another colour space: without RPUs they are green and purple.
      guard profile == 5 || profile == 10 else {
        throw HDRError(dolby: "Dolby Vision profile \(profile) has no base layer that can be shown, and is not read")
      }
      guard rule != .drop else {
        throw HDRError(
          dolby: "Dolby Vision profile \(profile) has no base layer that can be shown: leave out \(setting: "dolby") "
            + "drop")
      }
      if rule != .keep { layers = try DolbyLayers(reader, facts) }
    } else if rule == .apply {
      guard profile == 7 || [8, 10].contains(profile) && base != 2 else {
        throw HDRError(
          dolby: "Dolby Vision profile \(profile) with base layer \(base) is not applied: without "
            + "\(setting: "dolby") apply its base layer is used")
      }
      layers = try DolbyLayers(reader, facts)
      if profile == 7, layers?.isMinimal == false { (layers, warning) = (nil, Self.dropped(profile, .full)) }
    } else if rule == .auto {
      warning = Self.dropped(profile, profile == 7 ? Self.enhancement(facts) : nil)
    }
    action = layers != nil ? .applied : rule == .keep ? .kept : .dropped
    (self.layers, self.warning) = (layers, warning)
  }

  private enum Enhancement: String {
    case minimal, full
  }

  /// Returns what the first RPU says of the enhancement layer.
  private static func enhancement(_ facts: ClipFacts) -> Enhancement? {
    var state = DolbyState()
    guard let payload = facts.frameMetadata.rpu, let frame = try? state.read(payload[...], startsOver: true) else {
      return nil
    }
    return frame.mapping.isMinimal(frame.rpu.sequence) ? .minimal : .full
  }

  private static func dropped(_ profile: Int, _ enhancement: Enhancement?) -> Warning {
    let layer = enhancement.map { ", with a \($0.rawValue) enhancement layer," } ?? ""
    let advice: Message = enhancement == .full ? "" : "; \(setting: "dolby") apply or keep uses it"
    return Warning(
      "dolby.dropped", "Dolby Vision profile \(profile)\(layer) is left out, and the base layer is used" + advice)
  }
}

extension ClipFacts {
  /// Takes what RPUs say of light that the clip does not state.
  mutating func take(_ layers: DolbyLayers) {
    let display = MasteringDisplay(primaries: nil, maxLuminance: layers.peak, minLuminance: 0)
    light.append(
      LightMetadata(
        clli: light.allSatisfy { $0.clli == nil } ? layers.level : nil,
        mdcv: light.allSatisfy { $0.mdcv == nil } ? display : nil))
  }

  /// Returns the number of the frame that is shown at a time; `nil`: none.
  func number(at time: Int, _ base: TimeBase) -> Int? {
    func isBefore(_ number: Int) -> Bool { order(time, base, number) > 0 }
    var low = 0, high = times.count
    while low < high {
      let middle = low + (high - low) / 2
      if isBefore(middle) { low = middle + 1 } else { high = middle }
    }
    return low < times.count && order(time, base, low) == 0 ? low : nil
  }
}
