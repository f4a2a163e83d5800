import Glibc
import HDRCore
import HDRRecipe
import HDRRender

extension OutputNaming {
  /// The items of a manifest that a shard takes.
  ///
  /// - Parameters:
  ///   - out: the output folder.
  ///   - outputs: what the manifest's recipe makes, by variant; their names are those of the manifest.
  /// - Throws: `UsageError` for variants that the recipe lacks, outputs that are inputs, links that lead out of the
  ///   output folder, and outputs that are there when `onExisting` is `.fail`.
  package static func make(
    _ manifest: Manifest, _ shard: Shard, out: FilePath, outputs: [NameRule], onExisting: OnExisting
  ) throws(UsageError) -> [BatchItem] {
    var items: [BatchItem] = []
    var number = -1
    let input = manifest.inputs(), count = manifest.isSequence ? manifest.rows.count { $0.variant == 0 } : nil
    for row in manifest.rows {
      if row.variant == 0 { number += 1 }
      guard shard.contains(row, input: number, frames: count) else { continue }
      guard outputs.indices.contains(row.variant) else {
        throw UsageError("item \(row.index) is output \(row.variant + 1) of a recipe that has \(outputs.count)")
      }
      let output = out.appending(row.output.bytes)
      items.append(
        BatchItem(
          index: row.index, inputNumber: number, variant: row.variant,
          input: input(row), relativeOutput: row.output, output: output,
          sidecar: outputs[row.variant].traits.hasSidecar ? FilePath(bytes: output.bytes + Array(".json".utf8)) : nil,
          partner: nil, isSkipped: false, plannedBytes: row.size))
    }
    if case .frames = shard, items.isEmpty { throw UsageError("--frames: the manifest has none of them") }
    if case .items(let range) = shard, !range.fits(manifest.rows.count) {
      throw UsageError("--items: the manifest has \(manifest.rows.count) items, numbered from 0")
    }
    try check(items, onExisting: onExisting)
    return items
  }

  /// Checks what must hold before any item runs.
  private static func check(_ items: [BatchItem], onExisting: OnExisting) throws(UsageError) {
    var sources: [FileIdentity: FilePath] = [:]
    for item in items { if let identity = FileIdentity(item.input.path) { sources[identity] = item.input.path } }
    var existing: [FilePath] = []
    var owners: [String: Int] = [:]
    for item in items {
      try refuseLinks(above: item.output, relative: item.relativeOutput)
      for path in [item.output, item.sidecar].compactMap(\.self) {
        if let other = owners.updateValue(item.index, forKey: path.folded) {
          throw UsageError("items \(other) and \(item.index) would both write \(path.display)")
        }
        if let identity = FileIdentity(path), let source = sources[identity] {
          throw UsageError("item \(item.index): \(path.display) would be written over the input \(source.display)")
        }
      }
      if somethingExists(at: item.output) { existing.append(item.output) }
    }
    if onExisting == .fail, let first = existing.first {
      let more = existing.count > 1 ? " and \(existing.count - 1) more exist" : " exists"
      throw UsageError(
        "\(first.display)\(more) already; nothing was done. --resume does what journals do not call done, --force does "
          + "all again")
    }
  }
}

extension Shard {
  /// Returns true if an item is taken: shards by number take whole inputs, so that each is decoded once, and of a
  /// sequence a range of frames.
  ///
  /// - Parameter frames: how many inputs there are, where all are frames.
  func contains(_ row: Manifest.Row, input: Int, frames: Int?) -> Bool {
    switch self {
    case .items, .chunk: return contains(row.index)
    case .frames: return row.frame.map { contains($0.number) } ?? false
    case .strided(let index, let count):
      guard let frames else { return contains(input) }
      return frames * index / count <= input && input < frames * (index + 1) / count
    case .all: return true
    }
  }
}
