import HDRRecipe
import HDRRender

/// An Indexed Job of Kubernetes, one index a shard (batch/v1; podFailurePolicy needs 1.31, backoffLimitPerIndex 1.33).
package struct KubernetesJob: Sendable {
  /// A volume claim, and its path in the containers.
  package struct Claim: Sendable, Hashable {
    package var name: String
    package var path: String

    /// Parses `CLAIM:/PATH`.
    package init?(_ text: String) {
      guard let colon = text.firstIndex(of: ":") else { return nil }
      name = String(text[..<colon])
      path = String(text[text.index(after: colon)...])
      guard path.hasPrefix("/"), !name.isEmpty, name.utf8.count <= 63,
        name.utf8.allSatisfy({
          (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || "-.".utf8.contains($0)
        })
      else { return nil }
    }

    /// Returns true if a file or folder lies at the claim's path or below it.
    package func holds(_ place: FilePath) -> Bool {
      var root = Array(path.utf8)
      while root.last == UInt8(ascii: "/") { root.removeLast() }
      return place.bytes.starts(with: root)
        && (place.bytes.count == root.count || place.bytes[root.count] == UInt8(ascii: "/"))
    }
  }

  package var job: FarmJob
  package var shards: Int
  /// Shards at a time.
  package var parallelism: Int
  package var image: String
  package var claims: [Claim]

  /// Attempts of an index after its first.
  static let retries = 3

  package init(_ job: FarmJob, image: String, claims: [Claim], shards: Int? = nil, parallelism: Int? = nil) {
    self.job = job
    self.image = image
    self.claims = claims
    self.shards = shards ?? job.size.shards(cpus: job.cpus, most: 10_000)
    self.parallelism = parallelism ?? self.shards
  }

  /// The Job, as YAML.
  ///
  /// - Throws: `UsageError` for paths that it cannot hold.
  package func text() throws(UsageError) -> String {
    try JobText.check(image)
    for claim in claims { try JobText.check(claim.path) }
    // Kubernetes replaces $(NAME) in commands; $$ stands for $ there.
    let command = try job.words().map { word in Self.withoutReferences(word) }
    var resources = ["cpu: \"\(job.cpus)\""]
    if let memory = job.memory { resources.append("memory: \(memory)Mi") }
    if job.gpus > 0 { resources.append("nvidia.com/gpu: \"\(job.gpus)\"") }
    let amounts = "{\(resources.joined(separator: ", "))}"
    var lines = job.remarks("kubernetes", "\(shards) shards", submit: "kubectl create -f THIS_FILE").map { "# " + $0 }
    lines += [
      "apiVersion: batch/v1",
      "kind: Job",
      "metadata:",
      "  name: \(job.name)",
      "spec:",
      "  completionMode: Indexed",
      "  completions: \(shards)",
      "  parallelism: \(parallelism)",
      "  backoffLimitPerIndex: \(Self.retries)",
      "  podFailurePolicy:",
      "    rules:",
      "      # Evictions and lost nodes count as no attempt.",
      "      - action: Ignore",
      "        onPodConditions: [{type: DisruptionTarget}]",
      "      # 64, bad usage, and 65, bad inputs: again would be the same. 69, 74 and 75 are tried again.",
      "      - action: FailIndex",
      "        onExitCodes: {containerName: hdrbatch, operator: In, values: [64, 65]}",
      "  template:",
      "    spec:",
      "      restartPolicy: Never",
    ]
    if let minutes = job.minutes { lines.append("      activeDeadlineSeconds: \(minutes * 60)") }
    lines += [
      "      containers:",
      "        - name: hdrbatch",
      "          image: \(JobText.yaml(image))",
      "          command: \(JobText.yaml(command + ["--shard", "auto/\(shards)"]))",
      "          resources: {requests: \(amounts), limits: \(amounts)}",
    ]
    if job.gpus > 0 {
      // By default the runtime mounts compute libraries only, so no Vulkan (NVIDIA Container Toolkit).
      lines.append("          env: [{name: NVIDIA_DRIVER_CAPABILITIES, value: \"compute,graphics,utility\"}]")
    }
    if !claims.isEmpty {
      lines.append("          volumeMounts:")
      for (index, claim) in claims.enumerated() {
        lines.append("            - {name: data\(index), mountPath: \(JobText.yaml(claim.path))}")
      }
      lines.append("      volumes:")
      for (index, claim) in claims.enumerated() {
        let name = JobText.yaml(claim.name)
        lines.append("        - {name: data\(index), persistentVolumeClaim: {claimName: \(name)}}")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func withoutReferences(_ word: String) -> String {
    var result = ""
    for scalar in word.unicodeScalars {
      if scalar == "$" { result += "$" }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
