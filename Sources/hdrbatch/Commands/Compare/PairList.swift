import BatchEngine
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender

/// A list of pairs of files: a line each with A, a tab and B. Lines may end with CR LF; empty ones, those that begin with
/// `#`, and a first line `A`, tab, `B` are passed over, as are further columns.
struct PairList {
  private(set) var pairs: [FilePair] = []

  /// A list with more bytes is no list.
  private static let maxBytes = 256 << 20
  private static let tab = UInt8(ascii: "\t"), newline = UInt8(ascii: "\n"), back = UInt8(ascii: "\r")

  /// - Throws: `UsageError` for a list that cannot be read, has no pair, or has a line without two paths.
  init(_ path: FilePath) throws(UsageError) {
    let bytes: [UInt8]
    do throws(FileFault) {
      bytes = try readWholeFile(path, maxBytes: Self.maxBytes)
    } catch {
      throw UsageError("list \(path.display): \(errorText(error.number))")
    }
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes[mark.count...] : bytes[...]
    var wrong: [Int] = []
    for (index, whole) in text.split(separator: Self.newline, omittingEmptySubsequences: false).enumerated() {
      let line = whole.last == Self.back ? whole.dropLast() : whole
      if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
      let cells = line.split(separator: Self.tab, maxSplits: 2, omittingEmptySubsequences: false)
      guard cells.count >= 2, !cells[0].isEmpty, !cells[1].isEmpty, !line.contains(0) else {
        wrong.append(index + 1)
        continue
      }
      if index == 0, Self.isHead(cells) { continue }
      add(FilePath(bytes: Array(cells[0])), FilePath(bytes: Array(cells[1])), line: index + 1)
    }
    if let first = wrong.first {
      let more = wrong.count == 1 ? "" : ", and \(wrong.count - 1) more lines"
      throw UsageError("\(path.display), line \(first)\(more): needs the paths of A and B with a tab between them")
    }
    if pairs.isEmpty { throw UsageError("nothing to do: no pairs in \(path.display)") }
  }

  private static func isHead(_ cells: [ArraySlice<UInt8>]) -> Bool {
    cells[0].elementsEqual("A".utf8) && cells[1].elementsEqual("B".utf8)
  }

  /// Adds a pair. Its pictures in reports begin with the line's number, since names of files may come twice.
  private mutating func add(_ a: FilePath, _ b: FilePath, line: Int) {
    var pair = FilePair(InputReference(a), InputReference(b))
    pair.number = line
    pairs.append(pair)
  }
}
