import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender

/// A second run, whose outputs are shown beside those of a batch.
struct OtherRun {
  /// A partner is the file that the second run has for an output, if it has one.
  enum Partner: Hashable {
    case none
    /// A file with the bytes that the output had.
    case same(FilePath)
    case changed(FilePath)

    /// The word of a row (docs/gallery.md#files).
    var word: String {
      switch self {
      case .none: "none"
      case .same: "same"
      case .changed: "changed"
      }
    }

    var file: FilePath? {
      switch self {
      case .none: nil
      case .same(let file), .changed(let file): file
      }
    }
  }

  private let outputs: [FilePath: RunOutputs.Output]
  /// Outputs by their paths without extension; `nil` for several of one path.
  private let byStem: [FilePath: RunOutputs.Output?]

  /// - Parameter place: an output folder, a folder of journals, or a journal.
  /// - Throws: `UsageError` where there are no journals, or they cannot be read.
  init(_ place: FilePath) throws(UsageError) {
    outputs = try RunOutputs(of: place).outputs.filter(\.value.isWritten)
    byStem = Dictionary(outputs.map { (Self.stem($0.key), $0.value) }) { _, _ in nil }
  }

  /// Returns the output of the same path below the output folders, or else the only one that differs in the extension.
  func partner(of row: GalleryRow, below out: FilePath) -> Partner {
    guard let name = row.output.below(out), let other = outputs[name] ?? byStem[Self.stem(name)] ?? nil
    else { return .none }
    let file = other.file.absolute
    guard fileStatus(file)?.isRegularFile == true else { return .none }
    let digest = other.standingDigest?.hex
    return digest != nil && digest == row.record["outputDigest"]?.string ? .same(file) : .changed(file)
  }

  private static func stem(_ path: FilePath) -> FilePath {
    guard let dot = path.name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return path }
    return FilePath(bytes: path.bytes.dropLast(path.name.count - dot))
  }
}
