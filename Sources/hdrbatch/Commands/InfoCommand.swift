import BatchEngine
import Glibc
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import PlainData

/// `hdrbatch info`: prints the statements of a file about itself.
enum InfoCommand {
  struct Options: SettingGroup {
    var title: String { "Report" }

    let json = SettingKey(flag: "json", "JSON Lines on standard output.")
    let csv = SettingKey(flag: "csv", "Comma-separated values with a head, one line a file.")
    let check = SettingKey(
      "check", .choice(StandardCheck.Standard.self, "standard"),
      "Holds files against a standard, field by field, or looks for places (no-location) or for the parts of Ultra HDR; "
        + "files that fail it make the exit code 65.")
    let kernel = SettingKey(
      "kernel", listOf: .text("file"), "Checks and describes a kernel of your own, beside files or alone.")
    let ocio = Settings.config.ocio
    let context = Settings.config.context.common
    let isolation = SettingKey(
      "isolation", .choice(Isolation.self, "mode"), standard: .sandbox,
      "Where files are read, as for render.")
  }
  static let options = Options()

  private static let files = Command.Argument(
    name: "file", count: .any,
    help: "Files, folders (all pictures below them), @list.txt, or - for a file on standard input.")

  static let command = Command(
    name: "info",
    summary: "Shows size, colour, headroom, gain map and light metadata of files, without decoding pixels.",
    discussion: """
      With --json one object a file and line, with the keys format, width, height, orientation, bitDepth, chroma, \
      decoder, cicp, icc, hdrKind, isHDR, contentHeadroom (factor of reference white; 1 SDR, 0 unknown), gainMap, sensor (of \
      camera raw), exr (of OpenEXR: space, chromaticities of red, green, blue and white, dataWindow and displayWindow as x, \
      y, width, height, compression, channels, part, layer, pixelAspectRatio, parts, attributes), header (what headers of Radiance, PFM and DPX files say, by name), \
      ocio (with --ocio or $OCIO: config, space, interopID, rule, ruleSpace, \
      isByRule), clli, mdcv, cclv, amve, reve, ndwt, lightPlaces (box, message or profile), sceneReferred, \
      toneMetadata, pictures and picture (of files with several), motion (the video of a motion photo: bytes, start, \
      mime, finder, moment in microseconds), c2pa (present, bytes, where), auxiliaries (depth, mattes, previews: type, urn, \
      width, height, item, isPreview), trailers (kind, bytes, names), \
      livePhoto (the identifier of a Live Photo), camera, date, hasLocation, metadata (Exif, XMP, IPTC), warnings, error (else \
      null). Sizes are those of the stored picture; headrooms and gains inside gainMap are in stops; decoder is the library that would decode it. \
      --csv has a column for each key.
      """,
    examples: ["info photo.heic", "info PHOTOS --json", "info PHOTOS --csv > photos.csv", "info --kernel look.glsl"],
    arguments: [files],
    options: [options, ListOptions.all, Settings.reading, Settings.decoders]
  ) { invocation in
    if invocation.arguments.isEmpty && invocation[options.kernel].isEmpty {
      throw UsageError("\(invocation.path) needs FILE: \(files.help)")
    }
    try invocation.refuse(
      invocation[options.json] && invocation[options.csv], "--json and --csv are two forms: give one of them")
    try invocation.refuse(
      invocation[options.csv] && !invocation[options.kernel].isEmpty,
      "--csv is of pictures: leave out --kernel, or say --json")
    try invocation.values.checkDecoders()
    let limits = invocation.values.decodeLimits
    let codecs = CodecsAtUse(IsolationOptions(invocation[options.isolation]), limits: limits)
    defer { _ = codecs.close() }
    var hasFailures = false
    for path in invocation[options.kernel].map({ FilePath($0) }) {
      do throws(FilterInputs.Fault) {
        let kernel = try KernelInspection(path, limits: limits, codecs: codecs)
        for line in invocation[options.json] ? [kernel.json.line] : kernel.lines { Terminal.output.line(line) }
      } catch {
        hasFailures = true
        Terminal.error.line("hdrbatch: error: \(Terminal.text(error.message)) [kernel]")
      }
    }
    let piped = invocation.arguments.contains("-")
    try invocation.refuse(piped && invocation.arguments.count > 1, "- is the only FILE where it is one")
    try invocation.refuse(piped && invocation.values.takesAllPictures, "--image all is of files: - is one")
    let files =
      invocation.arguments.isEmpty || piped
      ? (piped ? [InputReference(FilePath("-"))] : [])
      : try InputCollector.collect(
        invocation.arguments, zeroEnds: try invocation.listsEndInZero(), note: Terminal.note)
    let items =
      invocation.values.takesAllPictures ? try PictureCollector.expand(files, limits: limits, codecs: codecs) : files
    if invocation[options.csv] { Terminal.output.line(CSV.line(FileInspection.columns)) }
    let report = try config(invocation, items.map(\.path))
    for item in items {
      do throws(HDRError) {
        var limits = limits
        limits.reading.number = item.picture?.number
        var inspection =
          piped
          ? try FileInspection(
            FrameReader.wholeFile(STDIN_FILENO, name: "-", limits), limits: limits, codecs: codecs)
          : try FileInspection(item.path, limits: limits, codecs: codecs)
        if let report { try inspection.ask(report) }
        inspection.standard = invocation[options.check]
        hasFailures = hasFailures || inspection.check?.passes == false
        if invocation[options.json] {
          Terminal.output.line(inspection.json.line)
        } else if invocation[options.csv] {
          Terminal.output.line(CSV.line(inspection.cells))
        } else {
          for line in inspection.lines { Terminal.output.line(line) }
        }
      } catch {
        hasFailures = true
        let message = Terminal.text(error.message)
        Terminal.error.line("hdrbatch: error: \(item.path.display): \(message) [\(error.code)]")
        if error.kind == .unavailable { throw ExitCode(ExitStatus.unavailable.code) }
        if invocation[options.json] { Terminal.output.line(FileInspection.json(item.path, error).line) }
        if invocation[options.csv] { Terminal.output.line(CSV.line(FileInspection.cells(item.path, error))) }
      }
    }
    if hasFailures { throw ExitCode(ExitStatus.failedItems.code) }
  }
  /// Reads the config that is given, or that $OCIO names; `nil` without both.
  static func config(_ invocation: Invocation, _ paths: [FilePath]) throws(UsageError) -> ConfigReport? {
    let space = invocation[Settings.reading.fromSpace]
    let place = invocation[options.ocio] ?? Environment.value("OCIO").flatMap { $0.isEmpty ? nil : $0 }
    if let place {
      return try ConfigReport(place, variables: invocation[options.context], space: space, paths: paths)
    }
    guard let space, space.known == nil else { return nil }
    throw UsageError("--from-space \(printable(SettingFault.unknownSpace(space.text).message))")
  }
}
