import HDRCore
import HDRRecipe
import HDRRender
import PlainData

/// The shard of a manifest's items that a run takes (docs/farm.md#shards).
package enum Shard: Sendable, Hashable {
  case all
  /// Items whose number modulo `count` is `index`, so that sizes mix.
  case strided(index: Int, count: Int)
  case items(ItemRange)
  /// Frames of a sequence by their numbers.
  case frames(ItemRange)
  /// The given number of items from the first on, or fewer: the last chunk of a farm may be short.
  case chunk(first: Int, count: Int)

  /// Parses `I/N`, or `auto`: from the variables of Slurm, Kubernetes or OpenCue.
  ///
  /// - Parameter count: number of shards if the scheduler does not set it (Kubernetes), from `auto/N`.
  /// - Throws: `UsageError`.
  package static func parse(
    _ text: String, environment: (String) -> String? = Environment.value
  ) throws(UsageError) -> (shard: Shard, source: String) {
    if text == "auto" || text.hasPrefix("auto/") {
      return try automatic(String(text.dropFirst(5)), environment)
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]), count >= 1, (0..<count) ~= index
    else {
      throw UsageError("--shard takes I/N with 0 <= I < N, or auto, not \"\(printable(text))\"")
    }
    return (.strided(index: index, count: count), "--shard \(text)")
  }

  private static func automatic(
    _ count: String, _ environment: (String) -> String?
  ) throws(UsageError) -> (shard: Shard, source: String) {
    func number(_ name: String) -> Int? {
      environment(name).flatMap { Int($0) }.flatMap { (0...ItemRange.limit).contains($0) ? $0 : nil }
    }
    if let id = number("SLURM_ARRAY_TASK_ID") {
      let first = number("SLURM_ARRAY_TASK_MIN") ?? 0, step = max(1, number("SLURM_ARRAY_TASK_STEP") ?? 1)
      guard let tasks = Int(count) ?? number("SLURM_ARRAY_TASK_COUNT"), tasks >= 1 else {
        throw UsageError("--shard auto: SLURM_ARRAY_TASK_ID is set without SLURM_ARRAY_TASK_COUNT; say --shard auto/N")
      }
      let index = (id - first) / step
      guard (0..<tasks) ~= index, (id - first) % step == 0 else {
        throw UsageError("--shard auto: task \(id) is not one of \(tasks) tasks from \(first) by \(step)")
      }
      return (.strided(index: index, count: tasks), "SLURM_ARRAY_TASK_ID=\(id)")
    }
    if let index = number("JOB_COMPLETION_INDEX") {
      guard let tasks = Int(count), tasks >= 1, (0..<tasks) ~= index else {
        throw UsageError("--shard auto: Kubernetes does not say how many indexes there are; say --shard auto/N")
      }
      return (.strided(index: index, count: tasks), "JOB_COMPLETION_INDEX=\(index)")
    }
    if let frame = number("CUE_IFRAME") {
      let chunk = max(1, number("CUE_CHUNK") ?? 1)
      return (.chunk(first: frame, count: chunk), "CUE_IFRAME=\(frame)")
    }
    throw UsageError(
      "--shard auto: none of SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX and CUE_IFRAME is set; say --shard I/N")
  }

  package func contains(_ index: Int) -> Bool {
    switch self {
    case .all: true
    case .strided(let own, let count): index % count == own
    case .items(let range), .frames(let range): range.contains(index)
    case .chunk(let first, let count): index >= first && index - first < count
    }
  }

  /// A word for file names of journals.
  package var label: String {
    switch self {
    case .all: "all"
    case .strided(let index, let count): "\(index)of\(count)"
    case .items, .chunk: "items"
    case .frames: "frames"
    }
  }
}
