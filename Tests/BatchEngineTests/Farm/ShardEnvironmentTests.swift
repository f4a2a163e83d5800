import BatchEngine
import HDRRecipe
import Testing

/// Shards by what schedulers say in the environment (docs/farm.md#shards).
@Suite struct ShardEnvironmentTests {
  func items(_ text: String, _ environment: [String: String], of count: Int) throws -> [Int] {
    let shard = try Shard.parse(text) { environment[$0] }.shard
    return (0..<count).filter { shard.contains($0) }
  }

  /// The last chunk of a layer is short; frames need not be whole chunks.
  @Test func chunksOfOpenCueCoverAll() throws {
    for chunk in [1, 3, 8, 20, 64] {
      let all = try stride(from: 0, to: 20, by: chunk).flatMap {
        try items("auto", ["CUE_IFRAME": "\($0)", "CUE_CHUNK": "\(chunk)"], of: 20)
      }
      #expect(all == Array(0..<20), "\(chunk)")
    }
    #expect(try items("auto", ["CUE_IFRAME": "7"], of: 20) == [7])
  }

  @Test func arraysOfSlurmNeedNotBeginAt0() throws {
    let array = ["SLURM_ARRAY_TASK_MIN": "10", "SLURM_ARRAY_TASK_STEP": "5", "SLURM_ARRAY_TASK_COUNT": "3"]
    let all = try [10, 15, 20].flatMap {
      try items("auto", array.merging(["SLURM_ARRAY_TASK_ID": "\($0)"]) { $1 }, of: 20)
    }
    #expect(all.sorted() == Array(0..<20))
  }

  /// Numbers of another process are not trusted.
  @Test(arguments: [
    ["SLURM_ARRAY_TASK_ID": "9223372036854775807", "SLURM_ARRAY_TASK_MIN": "-9223372036854775808"],
    ["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "3"], ["SLURM_ARRAY_TASK_ID": "-1"],
    ["CUE_IFRAME": "9223372036854775807", "CUE_CHUNK": "9223372036854775807"], ["JOB_COMPLETION_INDEX": "1"], [:],
  ])
  func nonsenseIsAnError(environment: [String: String]) {
    #expect(throws: UsageError.self) { try Shard.parse("auto") { environment[$0] } }
  }

  @Test func aShardSaysWhereItComesFrom() throws {
    #expect(try Shard.parse("auto/4") { ["JOB_COMPLETION_INDEX": "3"][$0] }.source == "JOB_COMPLETION_INDEX=3")
    #expect(try Shard.parse("3/4") { _ in nil }.shard == .strided(index: 3, count: 4))
    for text in ["4/4", "-1/4", "1/0", "1", "a/b", "1/2/3", "auto/0", "auto/-1", "auto/x"] {
      #expect(throws: UsageError.self, "\(text)") { try Shard.parse(text) { ["JOB_COMPLETION_INDEX": "3"][$0] } }
    }
  }
}
