import BatchEngine
import HDRRecipe
import HDRRender

/// `hdrbatch farm opencue`: writes a job file for OpenCue.
enum FarmOpenCue {
  struct Options: SettingGroup {
    var title: String { "Job" }

    let show = SettingKey("show", .text("show"), standard: "testing", "A show that OpenCue knows.")
    let shot = SettingKey("shot", .text("shot"), standard: "hdrbatch", "Names the job's logs.")
    let user = SettingKey("user", .text("user"), assumed: "$USER", "Whose job it is, never root.")
  }
  static let options = Options()

  static let command = Farm.command(
    "opencue", "A job specification of OpenCue whose frames are items, in chunks.",
    [Farm.chunks, Farm.process, options]
  ) { invocation in
    let cue = OpenCueJob(
      try Farm.job(invocation).0, show: invocation[options.show], shot: invocation[options.shot],
      user: invocation[options.user] ?? Environment.value("USER") ?? "root", chunk: invocation[Farm.chunks.chunk])
    try Farm.write(invocation, try cue.text(), "\(cue.job.size.items) items in chunks of \(cue.chunk)")
  }
}
