import ArgumentParser
import BatchEngine

/// `hdrbatch farm kubernetes`.
struct FarmKubernetes: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kubernetes", abstract: "An Indexed Job of Kubernetes, one index for each share.")

  @OptionGroup
  var farm: FarmArguments

  @Option(help: "Container image that has hdrbatch.")
  var image: String

  @Option(
    help: ArgumentHelp("Mounts a PersistentVolumeClaim; may be repeated.", valueName: "claim:/path"))
  var claim: [KubernetesJob.Claim] = []

  @Option(help: FarmArguments.sharesHelp)
  var shards: Int?

  @Option(help: ArgumentHelp("Shares at a time. Default: all.", valueName: "n"))
  var parallelism: Int?

  @Option(help: FarmArguments.cpusHelp)
  var cpus = 4

  @Option(help: FarmArguments.timeHelp)
  var time: Int?

  func validate() throws {
    try FarmArguments.check(shards, "--shards", most: 100_000)
    try FarmArguments.check(parallelism, "--parallelism", most: 100_000)
  }

  func run() throws {
    // The image has a PATH of its own.
    let job = KubernetesJob(
      try farm.job(cpus: cpus, minutes: time, program: "hdrbatch").0, image: image, claims: claim, shares: shards,
      parallelism: parallelism)
    try farm.write(try job.text(), "\(job.job.size.items) items in \(job.shares) shares")
    if claim.isEmpty {
      Terminal.error.line("hdrbatch: notice: no --claim: inputs and outputs must be reachable from the image itself")
    }
  }
}

extension KubernetesJob.Claim: ExpressibleByArgument {
  public init?(argument: String) { self.init(argument) }
}
