import CodecService
import HDRRecipe
import HDRRender

/// Clips to be converted by an engine that spreads work over machines, in stages of which each waits for the one before:
/// their light is measured, their segments are made, and each clip is joined (docs/farm.md#clips).
package struct ClipFarm: Sendable {
  /// A stage: so many tasks, of which each takes a shard.
  struct Stage: Sendable, Hashable {
    var name: String
    var words: [String]
    var tasks: Int
  }

  /// The program as the machines call it: a name in their PATH, or an absolute path.
  package var program: String
  /// The folder in which the program is called; paths begin there.
  package var folder: String
  /// The words of `hdrbatch video`.
  package var words: [String]
  package var clips: Int
  /// Shards of the first stages; the last one has a task a clip.
  package var shards: Int
  /// Processors and GPUs of one process.
  package var cpus: Int
  package var gpus = 0
  /// MiB of one process; `nil` leaves it to the engine.
  package var memory: Int?
  /// Minutes of one process; `nil` without a limit.
  package var minutes: Int?

  package init(program: String, folder: String, words: [String], clips: Int, shards: Int, cpus: Int) {
    (self.program, self.folder, self.words) = (program, folder, words)
    (self.clips, self.shards, self.cpus) = (clips, shards, cpus)
  }

  /// The stages, in their order. Each task may be a second attempt: it resumes.
  var stages: [Stage] {
    get throws(UsageError) {
      for word in [program, folder] + words { try JobText.check(word) }
      func stage(_ name: String, _ own: [String], _ tasks: Int) -> Stage {
        Stage(name: name, words: [program, "video"] + words + own, tasks: tasks)
      }
      return [
        stage("measure", ["--segments", "--measure-only"], shards),
        stage("segments", ["--segments", "--resume"], shards),
        stage("join", ["--segments", "--resume", "--join-only"], min(clips, 1001)),
      ]
    }
  }

  var name: String {
    let words = JobText.shell([folder] + words)
    return "hdrbatch-\(Digest(of: Array(words.utf8)).hex.prefix(8))"
  }

  private func remarks(_ engine: String, submit: String) -> [String] {
    [
      "# hdrbatch farm \(engine): \(clips) clips; measured and made in \(shards) shards of segments, then joined.",
      "# Submit: \(submit)",
    ]
  }

  // MARK: Engines

  /// The script that submits three job arrays of Slurm.
  ///
  /// - Throws: `UsageError` for paths that it cannot hold.
  package func slurm() throws(UsageError) -> String {
    var options = ["--parsable", "--ntasks=1", "--cpus-per-task=\(cpus)", "--open-mode=append", "--requeue"]
    if let memory { options.append("--mem=\(memory)M") }
    if gpus > 0 { options.append("--gres=gpu:\(gpus)") }
    if let minutes { options += ["--time=\(minutes)", "--signal=B:USR1@\(SlurmJob.warning)"] }
    var lines = ["#!/bin/bash"] + remarks("slurm", submit: "bash THIS_FILE")
    lines += [
      "# Each stage begins when all tasks of the one before have ended. 74 and 75 are run again, if slurm.conf has RequeueExit=74,75;",
      "# the join of a clip whose segments are missing ends with 75, of one whose segments failed with 65.",
      "set -euo pipefail",
      "cd \(JobText.shell(folder))",
      "stage() { # name, tasks, the job before, words",
      "  local name=$1 tasks=$2 before=$3",
      "  shift 3",
      "  {",
      "    printf '#!/bin/bash\\nexec'",
      "    printf ' %q' \"$@\"",
      "    printf ' --shard \"$SLURM_ARRAY_TASK_ID/%s\"\\n' \"$tasks\"",
      "  } | sbatch \(options.joined(separator: " ")) --job-name=\"\(name)-$name\" --array=\"0-$((tasks - 1))\" \\",
      "    --output=\"\(name)-$name-%A_%a.txt\" ${before:+--dependency=afterany:$before}",
      "}",
      "job=",
    ]
    for stage in try stages {
      lines += [
        "job=$(stage \(stage.name) \(stage.tasks) \"$job\" \(JobText.shell(stage.words)))",
        "echo \"\(stage.name) $job\"",
      ]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The script that runs the stages with GNU parallel.
  ///
  /// - Parameter atOnce: tasks at a time on each machine.
  /// - Throws: `UsageError` for paths that it cannot hold.
  package func parallel(atOnce: Int) throws(UsageError) -> String {
    var lines =
      ["#!/bin/bash"] + remarks("parallel", submit: "bash THIS_FILE [OPTIONS OF parallel], again for what failed")
    lines += [
      "set -uo pipefail",
      "code=0",
      "export PARALLEL_SHELL=/bin/bash",
      "# The commands stand in functions, where parallel replaces nothing.",
      "run() { # stage, tasks, options of parallel",
      "  local stage=$1 tasks=$2 log=\(name)-$1.joblog again=()",
      "  shift 2",
      "  if [ -s \"$log\" ]; then again=(--resume-failed); fi",
      "  seq 0 $((tasks - 1)) | parallel --env \"$stage\" --jobs \(atOnce) --joblog \"$log\" \"${again[@]}\" --retries 3 \\",
      "    --termseq TERM,4000,KILL,25 --tag --line-buffer \"$@\" \"$stage\" || code=$?",
      "}",
    ]
    for stage in try stages {
      let command = "cd \(JobText.shell(folder)) && exec \(JobText.shell(stage.words))"
      lines += [
        "\(stage.name)_task() { \(command) --shard \"$1/\(stage.tasks)\"; }", "export -f \(stage.name)_task",
        "run \(stage.name)_task \(stage.tasks) \"$@\"",
      ]
    }
    return (lines + ["# How many tasks of a stage failed; 101 is more than 100.", "exit \"$code\""])
      .joined(separator: "\n") + "\n"
  }

  /// The template of Open Job Description with a step a stage (revision 2023-09).
  ///
  /// - Throws: `UsageError` for paths that it cannot hold.
  package func openJD() throws(UsageError) -> String {
    let all = try stages
    for word in [program, folder] + words where word.contains("{{") {
      throw UsageError("\"\(word)\" holds {{, which Open Job Description would replace")
    }
    var amounts = ["{name: amount.worker.vcpu, min: \(cpus)}"]
    if let memory { amounts.append("{name: amount.worker.memory, min: \(memory)}") }
    if gpus > 0 { amounts.append("{name: amount.worker.gpu, min: \(gpus)}") }
    var lines = remarks("openjd", submit: "openjd run THIS_FILE")
    lines += ["specificationVersion: jobtemplate-2023-09", "name: \(name)", "steps:"]
    for (index, stage) in all.enumerated() {
      lines.append("  - name: \(stage.name)")
      if index > 0 { lines.append("    dependencies: [{dependsOn: \(all[index - 1].name)}]") }
      let words = ["-C", folder] + stage.words + ["--shard", "{{Task.Param.Shard}}/\(stage.tasks)"]
      lines += [
        "    parameterSpace:",
        "      taskParameterDefinitions:",
        "        - {name: Shard, type: INT, range: \"0-\(stage.tasks - 1)\"}",
        "    hostRequirements:",
        "      amounts: [\(amounts.joined(separator: ", "))]",
        "    script:",
        "      actions:",
        "        onRun:",
        "          command: env",
        "          args: \(JobText.yaml(words))",
      ]
      if let minutes { lines.append("          timeout: \(minutes * 60)") }
      lines.append(
        "          cancelation: {mode: NOTIFY_THEN_TERMINATE, notifyPeriodInSeconds: \(OpenJDJob.noticeSeconds)}")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
