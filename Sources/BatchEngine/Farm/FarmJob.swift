import HDRRecipe

/// A manifest to be run by an engine that spreads work over machines: what its job files have in common (docs/farm.md).
package struct FarmJob: Sendable {
  /// The program as the machines call it: a name in their PATH, or an absolute path.
  package var program = "hdrbatch"
  /// The absolute path of the manifest.
  package var manifest: String
  /// The folder where the manifest's relative paths begin on the machines; `nil` for the one where it was planned.
  package var folder: String?
  /// Output folder instead of the manifest's.
  package var out: String?
  /// Further words for `hdrbatch run`.
  package var options: [String] = []
  /// Names of the settings that `options` give.
  package var given: Set<String> = []
  /// Processors of one process.
  package var cpus: Int
  package var gpus = 0
  /// MiB of one process; `nil` leaves it to the engine.
  package var memory: Int?
  /// Minutes of one process; `nil` without a limit.
  package var minutes: Int?
  package var size: BatchSize
  /// Numbers of the manifest's frames, rising, where all its inputs are frames; else `nil`.
  package var frames: [Int]?
  /// The first digits of the manifest's digest, which name the job.
  package var digest: String

  package init(_ manifest: Manifest, path: String, cpus: Int) {
    self.manifest = path
    self.cpus = cpus
    size = BatchSize(manifest)
    if manifest.isSequence { frames = manifest.frames }
    digest = String(manifest.digest.hex.prefix(8))
  }

  /// The unit that engines count: frames of a sequence, else items.
  var unit: (name: String, option: String, count: Int) {
    frames.map { ("Frame", "--frames", $0.count) } ?? ("Item", "--items", size.items)
  }

  /// Returns the range of all units in the engine's notation, with its mark for steps.
  func range(step mark: String) -> String {
    if let frames { return ItemRange.text(of: frames, step: mark) }
    return size.items > 1 ? "0-\(size.items - 1)" : "0"
  }

  /// Units of a shard that takes some minutes.
  var chunk: Int {
    let count = size.shards(cpus: cpus)
    return max(1, (unit.count + count - 1) / count)
  }

  var name: String { "hdrbatch-\(digest)" }

  /// The words of the command, up to the choice of a shard. A run may always be a second attempt: it resumes.
  ///
  /// - Parameter own: settings of the job, unless `options` give them.
  /// - Throws: `UsageError` for a word that has no place in a job file.
  func words(out: String? = nil, own: KeyValuePairs<String, String> = [:]) throws(UsageError) -> [String] {
    var words = [program, "run", "--manifest", manifest]
    if let folder { words += ["--folder", folder] }
    if let out = out ?? self.out { words += ["--out", out] }
    words += ["--resume"] + own.filter { !given.contains($0.key) }.flatMap { ["--" + $0.key, $0.value] } + options
    for word in words { try JobText.check(word) }
    return words
  }

  /// Description in a job file, without comment marks.
  func remarks(_ engine: String, _ division: String, submit: String) -> [String] {
    ["hdrbatch farm \(engine): \(size.text), \(division).", size.assumption(cpus: cpus), "Submit: \(submit)"]
  }
}
