import FileParts
import HDRCore
import VideoStreams

/// Reads what ffmpeg says of a clip while it decodes the first frame: the lines of the input, of its streams, and of the
/// filter `showinfo`. Versions 5.1 to 9.0 agree in all that is read.
struct ProbeText {
  private(set) var facts = ClipFacts()
  /// True if a frame was seen.
  private(set) var hasFrame = false

  init(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    let shown = Self.shownStream(lines)
    for line in lines {
      if line.hasPrefix("Input #0, ") {
        // "Input #0, mov,mp4,m4a,3gp,3g2,mj2, from '/dev/fd/3':"
        facts.container = String(line.dropFirst("Input #0, ".count).prefix { $0 != "," })
      } else if line.hasPrefix("Output #0") {
        break
      } else if let stream = Self.stream(line) {
        if stream.number == shown {
          readShown(line, stream)
        } else {
          facts.others.append(stream)
        }
      } else if line.contains("displaymatrix: rotation of ") {
        facts.rotation = Self.number(behind: "rotation of ", in: line) ?? 0
      } else if line.contains("DOVI configuration record: "), facts.dolbyNumbers.isEmpty,
        let profile = Self.number(behind: " profile: ", in: line),
        let base = Self.number(behind: "compatibility id: ", in: line)
      {
        facts.dolbyNumbers = [Int(profile), Int(base)]
      }
    }
    for line in lines where line.hasPrefix("[Parsed_showinfo_") {
      guard let start = line.firstIndex(of: "]") else { continue }
      readFrame(line[line.index(after: start)...])
    }
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
      let codec = rest[place.upperBound...].prefix { $0 != " " && $0 != "," }
      return ClipFacts.Stream(number: number, kind: kind.lowercased(), codec: String(codec))
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
      facts.hasHDR10Plus = true
    } else if line.contains("max_luminance="), facts.masteringPeak == nil {
      facts.masteringPeak = Self.number(behind: "max_luminance=", in: line)
      facts.masteringBlack = Self.number(behind: "min_luminance=", in: line)
    } else if line.contains("MaxCLL="), facts.maxCLL == nil {
      facts.maxCLL = Self.number(behind: "MaxCLL=", in: line).map { Int($0) }
      facts.maxFALL = Self.number(behind: "MaxFALL=", in: line).map { Int($0) }
    }
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
