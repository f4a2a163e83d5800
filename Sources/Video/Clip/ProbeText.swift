import FileParts
import HDRCore
import VideoStreams

/// Reads what ffmpeg says of a clip while it decodes the first frame: the lines of the input, of its streams, and of the
/// filter `showinfo`. Versions 5.1 to 9.0 agree in all that is read.
struct ProbeText {
  private(set) var facts = ClipFacts()
  /// True if a frame was seen.
  private(set) var hasFrame = false
  /// The light metadata of the first frame, of four digits behind the point.
  private(set) var frameLight = LightMetadata()

  init(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    let shown = Self.shownStream(lines)
    facts.number = shown ?? 0
    // Texts of the file, of a stream, or of what is not read: "  Metadata:", then lines that are indented by 4 or 6.
    var owner = Owner.file
    for line in lines {
      if line.hasPrefix("Input #0, ") {
        // "Input #0, mov,mp4,m4a,3gp,3g2,mj2, from '/dev/fd/3':"
        facts.container = String(line.dropFirst("Input #0, ".count).prefix { $0 != "," })
      } else if line.hasPrefix("Output #") || line.hasPrefix("Stream mapping:") {
        break
      } else if line.hasPrefix("  Duration: ") {
        facts.start = Self.number(behind: "start: ", in: line) ?? 0
      } else if line.hasPrefix("    Chapter #0:") {
        facts.chapters += 1
        owner = .chapter
      } else if let stream = Self.stream(line) {
        if stream.number == shown {
          readShown(line, stream)
          owner = .shown
        } else {
          facts.others.append(stream)
          owner = .other
        }
      } else if line.contains("displaymatrix: rotation of ") || line.contains("Display Matrix: rotation of ") {
        if owner == .shown { facts.rotation = Self.number(behind: "rotation of ", in: line) ?? 0 }
      } else if line.contains("DOVI configuration record: "), owner == .shown, facts.dolbyNumbers.isEmpty,
        let profile = Self.number(behind: " profile: ", in: line),
        let base = Self.number(behind: "compatibility id: ", in: line)
      {
        facts.dolbyNumbers = [Int(profile), Int(base)]
        facts.dolbyLevel = Self.number(behind: " level: ", in: line).map { Int($0) }
      } else if let key = Self.key(line, indented: owner == .file ? 4 : 6) {
        switch owner {
        case .file: facts.keys.append(key)
        case .shown: facts.videoKeys.append(key)
        case .other: facts.others[facts.others.count - 1].keys.append(key)
        case .chapter: break
        }
      }
    }
    for line in lines where line.hasPrefix("[Parsed_showinfo_") {
      guard let start = line.firstIndex(of: "]") else { continue }
      readFrame(line[line.index(after: start)...])
    }
  }

  private enum Owner { case file, shown, other, chapter }

  /// Reads the name of a text: "    title           : phone clip"; `nil` for other lines, and for the rest of a long text.
  private static func key(_ line: Substring, indented count: Int) -> String? {
    guard line.prefix(while: { $0 == " " }).count == count, let colon = line.range(of: ": ") else { return nil }
    let key = line[..<colon.lowerBound].trimmed
    return key.isEmpty || key.contains("=") ? nil : key
  }

  /// Returns the number of the stream that is decoded, of the line "  Stream #0:0 -> #0:0 (hevc (native) -> …".
  private static func shownStream(_ lines: [Substring]) -> Int? {
    for line in lines {
      guard line.hasPrefix("  Stream #0:"), let arrow = line.range(of: " -> #0:0") else { continue }
      return Int(line[..<arrow.lowerBound].dropFirst("  Stream #0:".count))
    }
    return nil
  }

  /// Reads "  Stream #0:1[0x2](und): Audio: aac (LC) …"; `nil` for other lines.
  private static func stream(_ line: Substring) -> ClipFacts.Stream? {
    guard let rest = line.drop(while: { $0 == " " }).dropPrefix("Stream #0:") else { return nil }
    let number = rest.prefix { $0.isNumber }
    guard let number = Int(number) else { return nil }
    for kind in ["Video", "Audio", "Subtitle", "Data", "Attachment"] {
      guard let place = rest.range(of: ": \(kind): ") else { continue }
      let words = rest[place.upperBound...], codec = words.prefix { $0 != " " && $0 != "," }
      var stream = ClipFacts.Stream(number: number, kind: kind.lowercased(), codec: String(codec))
      stream.isCover = words.contains("(attached pic)")
      // "(tmcd / 0x64636D74)": the number has the letters from the last one on.
      if let slash = words.range(of: " / 0x"), let code = UInt32(words[slash.upperBound...].prefix(8), radix: 16) {
        stream.tag = "\(FourCC(rawValue: code.byteSwapped))"
      }
      return stream
    }
    return nil
  }

  private mutating func readShown(_ line: Substring, _ stream: ClipFacts.Stream) {
    facts.codec = stream.codec
    // "yuv420p10le(tv, bt2020nc/bt2020/smpte2084, progressive, left)": the frame says all but the last word in 5.1.
    for word in line.split(whereSeparator: { $0 == "," || $0 == "(" || $0 == ")" }) {
      if let siting = ChromaSiting(named: word.trimmed) { facts.siting = siting }
    }
  }

  private mutating func readFrame(_ line: Substring) {
    let words = line.split(separator: " ")
    func word(_ name: String) -> String? {
      words.first { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)) }
    }
    if words.first?.hasPrefix("n:") == true {
      guard !hasFrame, let format = word("fmt"), let size = word("s") else { return }
      hasFrame = true
      facts.pixelFormat = format
      let sides = size.split(separator: "x").compactMap { Int($0) }
      if sides.count == 2 { (facts.width, facts.height) = (sides[0], sides[1]) }
      let aspect = (word("sar") ?? "").split(separator: "/").compactMap { Int($0) }
      if aspect.count == 2 {
        let found = SampleAspect(aspect[0], aspect[1])
        facts.sampleAspect = found.isPossible ? found : nil
      }
      if let siting = word("cl").flatMap({ ChromaSiting(named: $0) }) { facts.siting = siting }
      facts.isInterlaced = word("i").map { $0 != "P" } ?? false
    } else if let space = word("color_space"), facts.transfer == nil, facts.matrix == nil {
      facts.fullRange = word("color_range").flatMap { ["tv": false, "pc": true][$0] }
      facts.matrix = ColorNames.code(space, ColorNames.matrices)
      facts.primaries = ColorNames.code(word("color_primaries"), ColorNames.primaries)
      facts.transfer = ColorNames.code(word("color_trc"), ColorNames.transfers)
    } else if line.contains("side data - HDR10+ ") || line.contains("side data - HDR Dynamic Metadata SMPTE2094-40") {
      facts.decodesHDR10Plus = true
    } else if line.contains("vdr_rpu_profile="), facts.rpuProfile == nil {
      func field(_ name: String) -> Int? { Self.number(behind: " \(name)=", in: line).map { Int($0) } }
      facts.rpuProfile = DolbyProfile(
        syntaxProfile: field("vdr_rpu_profile") ?? 1, isFullRange: field("bl_video_full_range_flag") == 1,
        hasResidual: field("el_spatial_resampling_filter_flag") == 1 && field("disable_residual_flag") == 0,
        signalDepth: field("vdr_bit_depth") ?? 12)
    } else if line.contains("max_luminance="), frameLight.mdcv == nil {
      frameLight.mdcv = Self.display(line)
    } else if line.contains("MaxCLL="), frameLight.clli == nil, let most = Self.number(behind: "MaxCLL=", in: line),
      let mean = Self.number(behind: "MaxFALL=", in: line), most > 0
    {
      frameLight.clli = ContentLightLevel(maxCLL: most, maxFALL: mean)
    }
  }

  /// Reads "r(0.7080,0.2920) g(0.1700,0.7970) b(0.1310 0.0460) wp(0.3127, 0.3290) min_luminance=0.0001, max_luminance=1000".
  private static func display(_ line: Substring) -> MasteringDisplay? {
    guard let most = number(behind: "max_luminance=", in: line), let least = number(behind: "min_luminance=", in: line)
    else { return nil }
    let points = [" r(", " g(", " b(", " wp("].compactMap { name -> Chromaticity? in
      guard let place = line.range(of: name) else { return nil }
      let words = line[place.upperBound...].prefix { $0 != ")" }.split { $0 == "," || $0 == " " }
      let sides = words.compactMap { Double($0) }
      return sides.count == 2 ? Chromaticity(sides[0], sides[1]) : nil
    }
    return MasteringDisplay(
      primaries: points.count == 4 && points.allSatisfy(\.isPossible) ? points : nil, maxLuminance: most,
      minLuminance: least)
  }

  /// Returns a number of at most nine digits before the point.
  private static func number(behind word: String, in line: Substring) -> Double? {
    guard let place = line.range(of: word) else { return nil }
    let text = line[place.upperBound...].prefix { $0.isNumber || $0 == "." || $0 == "-" }
    return Double(text).flatMap { abs($0) < 1e9 ? $0 : nil }
  }
}

extension Substring {
  fileprivate var trimmed: String { String(drop { $0 == " " }.prefix { $0 != " " }) }

  fileprivate func dropPrefix(_ text: String) -> Substring? { hasPrefix(text) ? dropFirst(text.count) : nil }

  /// Finds a text.
  fileprivate func range(of text: String) -> Range<Index>? { firstRange(of: text) }
}
