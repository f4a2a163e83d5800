import BatchEngine
import HDRRecipe

/// `hdrbatch farm kubernetes`.
enum FarmKubernetes {
  struct Options: SettingGroup {
    var title: String { "Job" }

    let image = SettingKey("image", .text("image"), "Container image that has hdrbatch.")
    let claim = SettingKey(
      "claim", listOf: .claim, "Mounts a PersistentVolumeClaim; may be repeated.")
    let parallelism = SettingKey("parallelism", .integer(1...100_000), assumed: "all", "Shares at a time.")
  }
  static let options = Options()

  static let command = Farm.command(
    "kubernetes", "An Indexed Job of Kubernetes, one index for each share.", [Farm.shares, Farm.process, options]
  ) { told in
    // The image has a PATH of its own.
    let image = try told.need(options.image), claims = told[options.claim]
    let job = KubernetesJob(
      try Farm.job(told, program: "hdrbatch").0, image: image, claims: claims, shares: told[Farm.shares.shards],
      parallelism: told[options.parallelism])
    try Farm.write(told, try job.text(), "\(job.job.size.items) items in \(job.shares) shares")
    if claims.isEmpty {
      Terminal.error.line("hdrbatch: notice: no --claim: inputs and outputs must be reachable from the image itself")
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
