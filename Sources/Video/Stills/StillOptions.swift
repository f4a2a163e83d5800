import HDRCore
import HDRRender
import VideoStreams

/// Still options say which stills are made of each clip; `VideoOptions.choice` says how a still is made.
package struct StillOptions: Sendable {
  package enum Choice: Sendable, Hashable {
    /// A file of every frame.
    case sequence
    case poster(PosterPlace)
    /// Tiles at equal times in one picture.
    case sheet(SheetGrid)
  }

  package var choice: Choice
  /// The number in the name of the first frame's file.
  package var firstNumber = 1
  /// True to keep files that are there.
  package var keepsExisting = false
  /// A tile of a contact sheet is made so, as samples of light; `nil` without a sheet.
  package var tile: ResolvedOutput?

  package init(_ choice: Choice) { self.choice = choice }

  /// The kind of rendition that tiles are: R, G, B and A in halves, 1 is reference white.
  package static let tileKind = "linear-raw:rgbah"
}

/// The tiles of a contact sheet.
package struct SheetGrid: Sendable, Hashable {
  package var columns: Int
  package var rows: Int
  /// The pixels of a tile's longer side.
  package var side = 320

  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }

  package var count: Int { columns * rows }

  /// Reads "5x4"; `nil` for other texts, and for sides beyond 1...100.
  package init?(_ text: String) {
    let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard sides.count == 2, sides.allSatisfy({ (1...100).contains($0) }) else { return nil }
    self.init(columns: sides[0], rows: sides[1])
  }
}

/// The frame that a poster shows.
package enum PosterPlace: Sendable, Hashable {
  /// The one shown when this share of the time from the first frame to the last one is over, 0...1.
  case share(Double)
  /// The one shown so many seconds behind the first frame; the last one, if the clip ends before.
  case seconds(Double)
  /// By its number; 1 is the first.
  case frame(Int)
  /// The one of median light in the longest scene.
  case best

  /// Reads "10%", "scene-best", "frame:12", and a time as "2.5", "2.5s" or "1:02:03.5"; `nil` for other texts.
  package init?(_ text: String) {
    func number(_ text: some StringProtocol) -> Double? {
      guard text.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }) else { return nil }
      return Double(text)
    }
    if text == "scene-best" {
      self = .best
    } else if text.hasSuffix("%") {
      guard let percent = number(text.dropLast()), percent <= 100 else { return nil }
      self = .share(percent / 100)
    } else if text.hasPrefix("frame:") {
      guard let frame = Int(text.dropFirst(6)), frame > 0 else { return nil }
      self = .frame(frame)
    } else {
      let parts = (text.hasSuffix("s") ? text.dropLast() : text[...]).split(
        separator: ":", omittingEmptySubsequences: false)
      let values = parts.compactMap { number($0) }
      guard (1...3).contains(parts.count), values.count == parts.count else { return nil }
      self = .seconds(values.reduce(0) { $0 * 60 + $1 })
    }
  }

  package var text: String {
    switch self {
    case .share(let share): "\(short(share * 100))%"
    case .seconds(let seconds): "\(short(seconds))"
    case .frame(let number): "frame:\(number)"
    case .best: "scene-best"
    }
  }
}
