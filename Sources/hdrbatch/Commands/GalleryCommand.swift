import BatchEngine
import Gallery
import HDRRecipe
import HDRRender
import PlainData

/// `hdrbatch gallery`: makes a page that shows a batch.
enum GalleryCommand {
  struct Options: SettingGroup {
    var title: String { "Page" }

    let out = SettingKey(
      "out", short: "o", .text("folder"), assumed: "gallery in the batch's folder", "Where the page goes.")
    let heading = SettingKey("title", .text("words"), assumed: "the folder's name", "Heading of the page.")
    let size = SettingKey("size", .integer(256...4096, "pixels"), standard: 1600, "Longer side of the pictures.")
    let outputsOnly = SettingKey(flag: "outputs-only", "Leaves the sources out, which take as much room again.")
    let against = SettingKey(
      "against", .text("run"),
      "A second run, whose outputs are shown beside those of the same path: its output folder, or its journals.")
    let journal = SettingKey(
      "journal", .text("folder"), assumed: ".hdrbatch/journal in the batch's folder", "Folder of the journals.")
  }
  static let options = Options()

  static let command = Command(
    name: "gallery", summary: "Makes a page to look at a batch, in SDR and HDR, with its warnings and failures.",
    discussion: """
      The page opens from the disk in a browser, without a server: gallery.html. It has a thumbnail of every output, \
      pictures with sliders for headroom and exposure, gain maps, histograms, sources, metadata, and what failed with the \
      command that shows why. render, run and pair make it afterwards with --gallery.
      """,
    examples: ["gallery OUT", "gallery OUT -o PAGE --title \"Summer\"", "gallery NEW --against OLD"],
    arguments: [Command.Argument(name: "batch", count: .one, help: "The output folder of a batch.")],
    options: [options, Settings.machine, Settings.decoders, Settings.safety]
  ) { invocation in
    var gallery = Gallery(
      of: FilePath(invocation.arguments[0]), in: invocation[options.out].map { FilePath($0) },
      title: invocation[options.heading])
    gallery.size = invocation[options.size]
    gallery.showsSources = !invocation[options.outputsOnly]
    gallery.journals = invocation[options.journal].map { FilePath($0).absolute }
    gallery.against = invocation[options.against].map { FilePath($0) }
    let batch = BatchSettings(invocation)
    var machine = BatchOptions(outputs: [])
    try invocation.values.checkDecoders()
    batch.apply(to: &machine)
    if let status = try make(gallery, machine) { throw ExitCode(status.code) }
  }

  /// Makes a gallery and prints its place.
  ///
  /// - Returns: the exit status if the work was stopped, else `nil`.
  static func make(_ gallery: Gallery, _ options: BatchOptions) throws -> ExitStatus? {
    let made = try gallery.make(options) { runner in
      SignalWatcher.watch(runner.stop) { runner.abandon() }
    }
    note(made.unseen)
    Terminal.error.line("hdrbatch: \(made.items) items in \(made.page.display)")
    return made.summary?.stopped?.exitStatus
  }

  /// Prints what a page cannot show.
  static func note(_ unseen: [(file: String, reason: String)]) {
    for (file, reason) in unseen.prefix(3) { Terminal.note("no picture of \(file): \(printable(reason))") }
    if unseen.count > 3 { Terminal.note("no picture of \(unseen.count - 3) more") }
  }
}
