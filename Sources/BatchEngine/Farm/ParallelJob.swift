import HDRRecipe

/// A script that runs shards with GNU parallel, on this machine or over ssh (parallel(1)).
package struct ParallelJob: Sendable {
  package var job: FarmJob
  package var shards: Int
  /// Shards at a time on each machine.
  package var atOnce: Int

  package init(_ job: FarmJob, shards: Int? = nil, atOnce: Int = 1) {
    self.job = job
    self.shards = shards ?? job.size.shards(cpus: job.cpus)
    self.atOnce = atOnce
  }

  /// The script, for bash.
  ///
  /// - Throws: `UsageError` for paths that it cannot hold.
  package func text() throws(UsageError) -> String {
    let words = try job.words(own: ["jobs": "\(job.cpus)", "threads": "\(job.cpus)", "progress": "none"])
    var status = [job.program, "status", "--manifest", job.manifest]
    if let folder = job.folder { status += ["--folder", folder] }
    if let out = job.out { status += ["--out", out] }
    var lines = ["#!/bin/bash"]
    let submit = "bash THIS_FILE [OPTIONS OF parallel], again for what failed"
    lines += job.remarks("parallel", "\(shards) shards", submit: submit).map { "# " + $0 }
    lines += [
      "set -uo pipefail",
      "log=\(job.name).joblog",
      "again=()",
      "if [ -s \"$log\" ]; then again=(--resume-failed); fi",
      "# The command stands in a function, where parallel replaces nothing.",
      "shard() { exec \(JobText.shell(words)) --shard \"$1/\(shards)\"; }",
      "export -f shard",
      "export PARALLEL_SHELL=/bin/bash",
      "# Whatever the code, a shard is tried up to three times: it resumes, so 64 and 65 only fail again, soon. Told to stop, hdrbatch",
      "# needs up to 3 s; parallel's own patience is 0.2.",
      "seq 0 \(shards - 1) | parallel --env shard --jobs \(atOnce) --joblog \"$log\" \"${again[@]}\" --retries 3 \\",
      "  --termseq TERM,4000,KILL,25 --tag --line-buffer \"$@\" shard",
      "code=$?",
      "\(JobText.shell(status))",
      "# How many shards failed; 101 is more than 100.",
      "exit \"$code\"",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}
