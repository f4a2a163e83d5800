import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// Names of a sequence's files: `shot.%04d.exr`, `shot.####.exr`, or with its frames `shot.[1001-1100x2].exr`.
package struct FramePattern: Sendable, Hashable {
  package let folder: FilePath
  /// The parts of the name before and after the number.
  let before: [UInt8]
  let after: [UInt8]
  /// The least number of digits of a number.
  let digits: Int
  /// The frames in brackets; `nil` without brackets.
  package let frames: ItemRange?

  /// - Returns: `nil` for a name without a number's place.
  /// - Throws: `UsageError` for several, and for brackets that are no frames.
  package init?(_ argument: String) throws(UsageError) {
    let path = FilePath(argument)
    guard let name = String(validating: path.name, as: UTF8.self) else { return nil }
    let places = Self.places(name)
    guard let place = places.first else { return nil }
    guard places.count == 1 else {
      throw UsageError("\(printable(argument)): a sequence has one place for its number")
    }
    folder = path.parent
    (before, after) = (Array(name[..<place.range.lowerBound].utf8), Array(name[place.range.upperBound...].utf8))
    digits = place.digits
    frames = try place.frames.map { text throws(UsageError) in try ItemRange(frames: text) }
  }

  /// Finds the places of a number: `%04d`, `####`, `@@@@` (four digits, as many as there are signs), `$F4`, `[1001-1100]`, and
  /// `1001-1100#`, where `#` is four digits.
  private static func places(
    _ name: String
  ) -> [(range: Range<String.Index>, digits: Int, frames: String?)] {
    var found: [(range: Range<String.Index>, digits: Int, frames: String?)] = []
    for match in name.matches(of: #/%(?:0([1-9]))?d|\$F([1-9])?/#) {
      found.append((match.range, (match.output.1 ?? match.output.2).flatMap { Int($0) } ?? 1, nil))
    }
    for match in name.matches(of: #/\[([0-9][0-9,x:-]*)\]/#) {
      // The first number shows how they are written.
      found.append((match.range, match.output.1.prefix { $0.isNumber }.count, String(match.output.1)))
    }
    for match in name.matches(of: #/([0-9]+-[0-9]+(?:x[0-9]+)?)?(#+|@+)/#) {
      let signs = match.output.2, frames = match.output.1.map(String.init)
      found.append((match.range, frames != nil && signs == "#" ? 4 : signs.count, frames))
    }
    return found
  }

  func text(_ frame: Int) -> String {
    let text = "\(frame)"
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }

  package func path(_ frame: Int) -> FilePath {
    let name = before + Array(text(frame).utf8) + after
    return folder == FilePath(".") ? FilePath(bytes: name) : folder.appending(name)
  }

  /// The number in a name; `nil` for names of other files, and for numbers that are written otherwise.
  package func number(of name: [UInt8]) -> Int? {
    guard name.count > before.count + after.count, name.starts(with: before), name.suffix(after.count) == after[...]
    else { return nil }
    let middle = name.dropFirst(before.count).dropLast(after.count)
    guard middle.count <= 9, middle.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int(String(decoding: middle, as: UTF8.self)), text(number).utf8.elementsEqual(middle)
    else { return nil }
    return number
  }
}
