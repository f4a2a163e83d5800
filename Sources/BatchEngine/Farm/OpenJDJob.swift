import HDRRecipe
import HDRRender
import PlainData

/// A template of Open Job Description whose tasks are chunks of items (revision 2023-09, extension TASK_CHUNKING).
package struct OpenJDJob: Sendable {
  package var job: FarmJob
  /// Items, or frames, of a chunk before the farm has measured their time.
  package var chunk: Int
  /// The output folder: a parameter of the job, so that farms may map its path.
  package var out: String

  /// Seconds that a farm aims at for a chunk, and seconds that a chunk gets to end.
  static let chunkSeconds = 60 * BatchSize.shardMinutes, noticeSeconds = 30

  package init(_ job: FarmJob, out: String, chunk: Int? = nil) {
    self.job = job
    self.out = out
    self.chunk = chunk ?? job.chunk
  }

  private static let references = [
    "{{Param.Manifest}}", "{{Param.OutDir}}", "{{Task.Param.Item}}", "{{Task.Param.Frame}}",
  ]

  /// Options with the job's parameters on this farm, for the command that submits it.
  var parameters: [String] { ["-p", "Manifest=\(job.manifest)", "-p", "OutDir=\(out)"] }

  /// The template, as YAML.
  ///
  /// - Throws: `UsageError` for paths that it cannot hold.
  package func text() throws(UsageError) -> String {
    try JobText.check(job.manifest)
    try JobText.check(out)
    // Manifest and folder are parameters of the job. The default of a path would have to be relative to the template.
    var plain = job
    (plain.manifest, plain.out) = ("{{Param.Manifest}}", nil)
    let unit = job.unit
    let arguments =
      try plain.words(
        out: "{{Param.OutDir}}",
        own: ["jobs": "\(job.cpus)", "threads": "\(job.cpus)", "progress": "openjd"]
      ).dropFirst() + [unit.option, "{{Task.Param.\(unit.name)}}"]
    for word in arguments + [job.program] where word.contains("{{") && !Self.references.contains(word) {
      throw UsageError("\"\(printable(word))\" holds {{, which Open Job Description would replace")
    }
    var amounts = ["{name: amount.worker.vcpu, min: \(job.cpus)}"]
    if let memory = job.memory { amounts.append("{name: amount.worker.memory, min: \(memory)}") }
    if job.gpus > 0 { amounts.append("{name: amount.worker.gpu, min: \(job.gpus)}") }
    var lines = job.remarks(
      "openjd", "chunks of \(chunk) at first", submit: "openjd run THIS_FILE --step Render \(JobText.shell(parameters))"
    ).map { "# " + $0 }
    lines += [
      "specificationVersion: jobtemplate-2023-09",
      "extensions: [TASK_CHUNKING]",
      "name: \(job.name)",
      "parameterDefinitions:",
      "  - {name: Manifest, type: PATH, objectType: FILE, dataFlow: IN}",
      "  - {name: OutDir, type: PATH, objectType: DIRECTORY, dataFlow: OUT}",
      "  - {name: \(unit.name)s, type: STRING, default: \"\(job.range(step: ":"))\"}",
      "steps:",
      "  - name: Render",
      "    parameterSpace:",
      "      taskParameterDefinitions:",
      "        - name: \(unit.name)",
      "          type: CHUNK[INT]",
      "          range: \"{{Param.\(unit.name)s}}\"",
      "          chunks:",
      "            defaultTaskCount: \(chunk)",
      "            targetRuntimeSeconds: \(Self.chunkSeconds)",
      "            rangeConstraint: NONCONTIGUOUS",
      "    hostRequirements:",
      "      amounts: [\(amounts.joined(separator: ", "))]",
      "    script:",
      "      actions:",
      "        # A chunk is finished before its bad inputs fail it with 65: they stop no other item of it.",
      "        onRun:",
      "          command: \(JobText.yaml(job.program))",
      "          args: \(JobText.yaml(Array(arguments)))",
    ]
    if let minutes = job.minutes { lines.append("          timeout: \(minutes * 60)") }
    lines += [
      "          cancelation: {mode: NOTIFY_THEN_TERMINATE, notifyPeriodInSeconds: \(Self.noticeSeconds)}"
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}
