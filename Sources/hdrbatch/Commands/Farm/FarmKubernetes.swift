import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender

/// `hdrbatch farm kubernetes`: writes a job file for Kubernetes.
enum FarmKubernetes {
  struct Options: SettingGroup {
    var title: String { "Job" }

    let image = SettingKey("image", .text("image"), "Container image that has hdrbatch.")
    let claim = SettingKey(
      "claim", listOf: .claim, "Mounts a PersistentVolumeClaim; may be repeated.")
    let parallelism = SettingKey("parallelism", .integer(1...100_000), assumed: "all", "Shards at a time.")
  }
  static let options = Options()

  static let command = Farm.command(
    "kubernetes", "An Indexed Job of Kubernetes, one index for each shard.", [Farm.shards, Farm.process, options]
  ) { invocation in
    // The image has its own PATH.
    let image = try invocation.need(options.image), claims = invocation[options.claim]
    let (plain, manifest) = try Farm.job(invocation, program: "hdrbatch")
    let job = KubernetesJob(
      plain, image: image, claims: claims, shards: invocation[Farm.shards.shards],
      parallelism: invocation[options.parallelism])
    let text = try job.text()
    if !invocation.has(Farm.options.remoteManifest) { try checkPlaces(job, manifest) }
    try Farm.write(invocation, text, "\(job.job.size.items) items in \(job.shards) shards")
    if claims.isEmpty {
      Terminal.error.line("hdrbatch: notice: no --claim: inputs and outputs must be reachable from the image itself")
    }
  }
}

extension FarmKubernetes {
  /// Throws `UsageError` for a file or folder of the job that the containers would not have.
  private static func checkPlaces(_ job: KubernetesJob, _ manifest: Manifest) throws(UsageError) {
    let folder = job.job.folder.map { FilePath($0) } ?? manifest.folder
    func place(_ path: FilePath) -> FilePath { path.isAbsolute ? path : folder.appending(path.bytes) }
    let places =
      [
        ("manifest", FilePath(job.job.manifest)),
        ("output folder", place(job.job.out.map { FilePath($0) } ?? manifest.out)),
      ]
      + manifest.roots.map { ("input", place($0)) }
      + manifest.recipe.paths.map { ("file of the recipe", place(FilePath($0))) }
    for (what, path) in places where !job.claims.contains(where: { $0.holds(path) }) {
      let mounted =
        job.claims.isEmpty ? "nothing is mounted" : job.claims.map(\.path).joined(separator: ", ") + " alone is mounted"
      throw UsageError(
        "the containers do not see the \(what) \(path.display): \(mounted). Mount its folder with --claim, or give the "
          + "path of the manifest in the containers with --remote-manifest if all is there")
    }
  }
}

extension SettingType where Value == KubernetesJob.Claim {
  fileprivate static var claim: SettingType {
    SettingType("claim:/path") { text throws(SettingFault) in
      guard let claim = KubernetesJob.Claim(text) else { throw SettingFault("is CLAIM:/PATH, not \(text)") }
      return claim
    } text: {
      "\($0.name):\($0.path)"
    }
  }
}
