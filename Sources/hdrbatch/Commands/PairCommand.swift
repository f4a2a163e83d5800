import BatchEngine
import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData

/// `hdrbatch pair`: makes an Adaptive HDR file from an SDR and an HDR rendition of one picture.
enum PairCommand {
  struct Options: SettingGroup {
    var title: String { "What to make" }

    let out = SettingKey("out", short: "o", .text("path"), "File (one pair) or folder (many).")
    let to = SettingKey(
      "to", .one(of: KindNames.adaptive, "kind"), assumed: "by the ending of --out", "What to make.")
    let name = SettingKey(
      "name", .text("template"), assumed: Recipe.standardName, "Name of an output, as for render.")
    let list = SettingKey("list", .text("file"), like: "pairs", "Pairs, one a line: SDR, a tab, HDR.")
    let hdrName = SettingKey(
      "hdr-name", .text("template"), like: "pairs",
      "Name of the HDR file beside each SDR file, e.g. {stem}_hdr.png.")
    let gainMap = SettingKey("gain-map", .text("file"), "An edited gain map in place of the HDR picture.")
    let metadataFrom = SettingKey(
      "metadata-from", .text("file"), "The file that the edited map came from; its metadata is used.")
  }
  static let options = Options()

  static let command = Command(
    name: "pair", summary: "Joins SDR and HDR renditions into Adaptive HDR files.",
    discussion: """
      One pair: hdrbatch pair SDR HDR --out FILE.jpg (or .heic, .avif, .jxl, .png). Many: --list PAIRS with one "SDR<TAB>HDR" a \
      line, or SDR files and folders with --hdr-name, a template for the name of the HDR file beside each; then --out \
      is a folder and --to says what to make. Both pictures must have the same size. An SDR JPEG that goes into \
      a JPEG is kept bit for bit, unless --quality is given. With --gain-map and --metadata-from the second picture is \
      a map that was edited elsewhere.
      """,
    examples: [
      "pair sdr.jpg hdr.png -o both.jpg", "pair PHOTOS --hdr-name '{stem}_hdr.png' --to adaptive-jpeg -o OUT",
    ],
    arguments: [
      Command.Argument(name: "input", count: .any, help: "SDR and HDR, or SDR files and folders with --hdr-name.")
    ],
    options: [options, ListOptions.all]
      + Settings.recipeGroups.filter { !($0 is EditSettings) && !($0 is ViewSettings) }
      + [Settings.outputs, Settings.rejections] + Settings.runGroups
  ) { invocation in
    let batch = BatchSettings(invocation)
    try batch.check()
    try check(invocation)
    let out = try invocation.need(options.out), isMany = isMany(invocation)
    let kind = try invocation[options.to] ?? kind(of: out)
    var text = RecipeText()
    try text.set(invocation.values)
    text.recipe.outputs = [Recipe.Output(kind, name: isMany ? invocation[options.name] : nil)]
    try text.check()
    let (sdr, hdr) = try pairs(invocation, out: out)
    var prepared = try PreparedRecipe(text, inputs: hdr, limits: batch.limits, isolation: batch.isolation)
    guard case .adaptive(var product) = prepared.options.product else { return }
    if let path = invocation[options.metadataFrom] {
      product.editedMap = try metadata(of: FilePath(path), batch.isolation)
    }
    prepared.options.product = .adaptive(product)
    let file = FilePath(out)
    let existing = invocation[Settings.outputs.onExisting]
    let template = isMany ? prepared.nameRules[0].template : NameTemplate(literal: file.name)
    let items = try OutputNaming.make(
      sdr, partners: hdr, out: isMany ? file : file.parent, traits: prepared.nameRules[0].traits, template: template,
      onExisting: existing)
    prepared.options.onExisting = existing
    prepared.options.keepsRejected = try RenderCommand.keepsRejected(invocation, text.recipe)
    var hasher = Digest.Hasher()
    for words in [prepared.digest.hex, invocation[options.gainMap] ?? "", invocation[options.metadataFrom] ?? ""] {
      hasher.add(words)
    }
    prepared.options.journal = batch.journalOptions(
      out: isMany ? file : file.parent, text.recipe, hasher.finish())
    try batch.run(items, prepared.options)
  }

  private static func isMany(_ invocation: Invocation) -> Bool {
    invocation.has(options.list) || invocation.has(options.hdrName)
  }

  private static func check(_ invocation: Invocation) throws(UsageError) {
    let isMany = isMany(invocation), count = invocation.arguments.count, hasMap = invocation.has(options.gainMap)
    try invocation.refuse(
      invocation.values.takesAllPictures,
      "--image all makes several pictures of a file, and a pair is one: give a number")
    try invocation.refuse(
      invocation.has(options.list) && count > 0, "--list names all pairs: leave out inputs and --hdr-name")
    try invocation.refuse(
      hasMap != invocation.has(options.metadataFrom), "--gain-map and --metadata-from belong together")
    try invocation.refuse(
      !isMany && count != (hasMap ? 1 : 2),
      hasMap ? "--gain-map replaces the HDR file: give SDR only" : "a pair is two files: SDR HDR")
    try invocation.refuse(isMany && hasMap, "--gain-map is for one pair")
    try invocation.refuse(invocation.has(options.hdrName) && count == 0, "--hdr-name needs SDR files or folders")
    try invocation.refuse(
      isMany && !invocation.has(options.to), "many pairs need --to adaptive-jpeg, -heic, -avif, -jxl or -png")
  }

  private static func metadata(of path: FilePath, _ isolation: IsolationOptions) throws(UsageError) -> GainMapMetadata {
    let found: FileInspection
    let codecs = CodecsAtUse(isolation, limits: DecodeLimits())
    defer { _ = codecs.close() }
    do throws(HDRError) {
      found = try FileInspection(path, limits: DecodeLimits(), codecs: codecs)
    } catch {
      throw UsageError("--metadata-from \(path.display): \(printable(error.message))")
    }
    guard let map = found.source.gainMap else {
      throw UsageError("--metadata-from \(path.display): the file has no gain map")
    }
    return map.metadata
  }

  private static func kind(of out: String) throws(UsageError) -> String {
    switch out.split(separator: ".").last.map({ $0.lowercased() }) {
    case "jpg", "jpeg": return "adaptive-jpeg"
    case "heic", "heif", "hif": return "adaptive-heic"
    case "avif": return "adaptive-avif"
    case "jxl": return "adaptive-jxl"
    case "png": return "adaptive-png"
    default: throw UsageError("\(out): the name must end in .jpg, .heic, .avif, .jxl or .png, or say --to")
    }
  }

  private static func pairs(
    _ invocation: Invocation, out: String
  ) throws(UsageError) -> (sdr: [InputReference], hdr: [InputReference]) {
    func item(_ text: String) -> InputReference { InputReference(FilePath(text)) }
    if let list = invocation[options.list] {
      let path = FilePath(list)
      let bytes: [UInt8]
      do {
        bytes = try readFile(path, maxBytes: 1 << 30)
      } catch {
        throw UsageError("--list \(path.display): \(printable("\(error)"))")
      }
      var sdr: [InputReference] = [], hdr: [InputReference] = []
      for (number, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
        let parts = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
          throw UsageError("--list \(path.display): line \(number + 1) is not SDR, a tab, HDR")
        }
        for (part, isHDR) in zip(parts, [false, true]) {
          let item = InputReference(FilePath(bytes: Array(part)))
          if isHDR { hdr.append(item) } else { sdr.append(item) }
        }
      }
      guard !sdr.isEmpty else { throw UsageError("--list \(path.display): no pairs in it") }
      return (sdr, hdr)
    }
    guard let hdrName = invocation[options.hdrName] else {
      return ([item(invocation.arguments[0])], [item(invocation[options.gainMap] ?? invocation.arguments[1])])
    }
    let template = try NameTemplate(hdrName)
    var sdr: [InputReference] = [], hdr: [InputReference] = []
    let found = try InputCollector.collect(
      invocation.arguments, excluding: FilePath(out), zeroEnds: try invocation.listsEndInZero(), note: Terminal.note)
    for input in found {
      let name = try template.name(for: input)
      let partner = input.path.parent.appending(name)
      // The HDR files may be among the inputs; they have no partner.
      guard somethingExists(at: partner), partner != input.path else { continue }
      sdr.append(input)
      let relative = input.relative.parent.appending(name)
      hdr.append(InputReference(path: partner, relative: relative, roots: input.roots))
    }
    guard !sdr.isEmpty else { throw UsageError("no input has a partner named \(hdrName) beside it") }
    return (sdr, hdr)
  }
}
