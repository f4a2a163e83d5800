import FileParts
import HDRCore
import HDRRender
import VideoStreams

/// The light metadata that outputs state: the word after `--light`.
package enum LightChoice: Sendable, Hashable {
  /// Measured light is stated where light has changed, else the light that the source states.
  case auto
  case measured
  case source
  case none
  case stated(ContentLightLevel)

  /// Reads "measured", "source", "none", or MaxCLL and MaxFALL in cd/m² with a comma between.
  package init?(_ text: String) {
    switch text {
    case "measured": self = .measured
    case "source": self = .source
    case "none": self = .none
    default:
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let most = numbers[0], let mean = numbers[1], mean >= 0 else { return nil }
      let level = ContentLightLevel(maxCLL: Double(most), maxFALL: Double(mean))
      guard level.fault == nil else { return nil }
      self = .stated(level)
    }
  }
}

/// The light metadata of an output (SMPTE ST 2086; CTA-861.3), which belong to PQ alone.
package struct OutputLight: Sendable, Hashable {
  package var mastering: MasteringDisplay?
  package var level: ContentLightLevel?

  /// The boxes of MP4 and QuickTime; Matroska and WebM get the same values when those are copied.
  var boxes: [[UInt8]] { metadata.boxes(transfer: CICP.Transfer.pq) }

  var metadata: LightMetadata { LightMetadata(clli: level, mdcv: mastering) }

  /// The parameters of x265, each behind a colon.
  var x265: String {
    var words = ""
    if let payload = mastering?.payload(order: .greenBlueRed) {
      var reader = ByteReader(payload, place: "mdcv box")
      func number(_ bytes: Int) -> String { "\((try? reader.unsigned(bytes)) ?? 0)" }
      let points = ["G", "B", "R", "WP"].map { "\($0)(\(number(2)),\(number(2)))" }
      words += ":master-display=" + points.joined() + "L(\(number(4)),\(number(4)))"
    }
    if let level { words += ":max-cll=\(Self.whole(level.maxCLL)),\(Self.whole(level.maxFALL))" }
    return words.isEmpty ? "" : ":hdr10=1" + words
  }

  /// The parameters of SVT-AV1.
  var svtav1: String? {
    var words: [String] = []
    if let mastering, let points = mastering.primaries, points.count == 4 {
      let named = zip(["G", "B", "R", "WP"], [points[1], points[2], points[0], points[3]])
      let places = named.map { "\($0)(\(decimals($1.x, 5)),\(decimals($1.y, 5)))" }.joined()
      let range = "\(decimals(mastering.maxLuminance, 4)),\(decimals(max(1e-4, mastering.minLuminance), 4))"
      words.append("mastering-display=\(places)L(\(range))")
    }
    if let level { words.append("content-light=\(Self.whole(level.maxCLL)),\(Self.whole(level.maxFALL))") }
    return words.isEmpty ? nil : words.joined(separator: ":")
  }

  private static func whole(_ light: Double) -> Int { Int(light.rounded(.up)) }
}

extension ClipPlan {
  /// True if something has changed the light of frames.
  private var isLightChanged: Bool { isEdited || input.transfer != output.transfer }

  /// True if the output states what is measured while it is encoded.
  var statesMeasuredLight: Bool {
    output.transfer == CICP.Transfer.pq
      && (lightOptions.output == .measured || lightOptions.output == .auto && isLightChanged)
  }

  /// Decides which light metadata the output states: before the encode, so that its stream can state them, and behind it,
  /// when `lightOut` is known.
  package mutating func settleLight() {
    light = OutputLight()
    guard output.transfer == CICP.Transfer.pq else { return }
    let isChanged = isLightChanged, source = OutputLight(mastering: lightIn.mastering, level: lightIn.level)
    switch lightOptions.output {
    case .none: return
    case _ where statesMeasuredLight:
      if let lightOut { light = OutputLight(mastering: isChanged ? nil : source.mastering, level: lightOut) }
    case .source, .auto, .measured: light = input.transfer == CICP.Transfer.pq ? source : OutputLight()
    case .stated(let level): light = OutputLight(mastering: isChanged ? nil : source.mastering, level: level)
    }
    // The display on which this light would be seen, as for stills.
    if light.mastering == nil, let level = light.level, isChanged {
      light.mastering = .forOutput(
        primaries: output.primaries, contentHeadroom: level.maxCLL / ReferenceWhite.nits)
    }
    if light.mastering?.primaries?.count != 4 { light.mastering = nil }
  }
}
