import ArgumentParser
import BatchEngine
import CodecService
import HDRCore
import ImageFiles

/// `hdrbatch pair`: an SDR and an HDR rendition of one picture become one Adaptive HDR file.
struct Pair: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Joins SDR and HDR renditions into Adaptive HDR files.",
    discussion: """
      One pair: hdrbatch pair SDR HDR --out FILE.jpg (or .heic, .avif). Many: --list PAIRS with one "SDR<TAB>HDR" a \
      line, or SDR files and folders with --hdr-name, a template for the name of the HDR file beside each; then --out \
      is a folder and --to says what to make. Both pictures must have the same size. An SDR JPEG that goes into \
      a JPEG is kept bit for bit, unless --quality is given. With --gain-map and --metadata-from the second picture is \
      a map that was edited elsewhere.
      """)

  @Argument(help: ArgumentHelp("SDR and HDR, or SDR files and folders with --hdr-name.", valueName: "input"))
  var inputs: [String] = []

  @Option(help: ArgumentHelp("File (one pair) or folder (many).", valueName: "path"))
  var out: String

  @Option(help: ArgumentHelp("Pairs, one a line: SDR, a tab, HDR.", valueName: "file"))
  var list: String?

  @Option(
    help: ArgumentHelp("Name of the HDR file beside each SDR file, e.g. {stem}_hdr.png.", valueName: "template"))
  var hdrName: String?

  @Option(help: ArgumentHelp("An edited gain map in place of the HDR picture.", valueName: "file"))
  var gainMap: String?

  @Option(help: ArgumentHelp("The file that the edited map came from; its metadata is used.", valueName: "file"))
  var metadataFrom: String?

  @OptionGroup(title: "Rendition")
  var rendition: RenditionArguments

  @OptionGroup(title: "Adaptive HDR")
  var adaptive: AdaptiveArguments

  @OptionGroup(title: "Outputs")
  var outputs: OutputArguments

  @OptionGroup(title: "Batch")
  var batch: BatchArguments

  private var isMany: Bool { list != nil || hdrName != nil }

  func validate() throws {
    if list != nil && (hdrName != nil || !inputs.isEmpty) {
      throw ValidationError("--list names all pairs: leave out inputs and --hdr-name")
    }
    if (gainMap == nil) != (metadataFrom == nil) {
      throw ValidationError("--gain-map and --metadata-from belong together")
    }
    if !isMany && inputs.count != (gainMap == nil ? 2 : 1) {
      throw ValidationError(
        gainMap == nil ? "a pair is two files: SDR HDR" : "--gain-map replaces the HDR file: give SDR only")
    }
    if isMany && gainMap != nil { throw ValidationError("--gain-map is for one pair") }
    if hdrName != nil && inputs.isEmpty { throw ValidationError("--hdr-name needs SDR files or folders") }
    if isMany && rendition.to == nil { throw ValidationError("many pairs need --to adaptive-jpeg, -heic or -avif") }
    if case .rendition(let kind) = rendition.to {
      throw ValidationError("pairs become adaptive-jpeg, adaptive-heic or adaptive-avif, not \(kind.rawValue)")
    }
  }

  func run() throws {
    let target = try target()
    let (sdr, hdr) = try pairs()
    var options = BatchOptions(rendition: try rendition.options(inputs: hdr, limits: batch.limits))
    options.isStrict = adaptive.strict
    guard case .adaptive(var product) = try adaptive.product(target, rendition) else { return }
    if let metadataFrom {
      let path = FilePath(metadataFrom)
      let found: FileInspection
      do throws(DecodeError) {
        found = try FileInspection(path)
      } catch {
        throw UsageError("--metadata-from \(path.display): \(FilePath.printable("\(error)"))")
      }
      guard let map = found.source.gainMap else {
        throw UsageError("--metadata-from \(path.display): the file has no gain map")
      }
      product.editedMap = map.metadata
    }
    options.product = .adaptive(product)
    let file = FilePath(out)
    let items = try OutputPlan.make(
      sdr, partners: hdr, out: isMany ? file : file.parent, form: target.form,
      template: try isMany ? outputs.template : NameTemplate(literal: file.name),
      onExisting: outputs.onExisting)
    options.onExisting = outputs.onExisting
    let digest = SettingFiles.recipeDigest(of: try CommandWords(HDRBatch.arguments.dropFirst()).recipe)
    options.journal = batch.journalOptions(out: isMany ? file : file.parent, recipeDigest: digest)
    try batch.run(items, options)
  }

  private func target() throws(UsageError) -> TargetArgument {
    if let to = rendition.to { return to }
    let suffix = out.split(separator: ".").last.map { $0.lowercased() }
    switch suffix {
    case "jpg", "jpeg": return .adaptive(.jpeg)
    case "heic", "heif", "hif": return .adaptive(.heic)
    case "avif": return .adaptive(.avif)
    default: throw UsageError("\(out): the name must end in .jpg, .heic or .avif, or say --to")
    }
  }

  private func pairs() throws(UsageError) -> (sdr: [InputItem], hdr: [InputItem]) {
    func item(_ text: String) -> InputItem {
      let path = FilePath(text)
      return InputItem(path: path, relative: FilePath(bytes: path.name))
    }
    if let list {
      let path = FilePath(list)
      let bytes: [UInt8]
      do {
        bytes = try readFile(path, maxBytes: 1 << 30)
      } catch {
        throw UsageError("--list \(path.display): \(FilePath.printable("\(error)"))")
      }
      var sdr: [InputItem] = [], hdr: [InputItem] = []
      for (number, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
        let parts = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
          throw UsageError("--list \(path.display): line \(number + 1) is not SDR, a tab, HDR")
        }
        for (part, isHDR) in zip(parts, [false, true]) {
          let path = FilePath(bytes: Array(part))
          let item = InputItem(path: path, relative: FilePath(bytes: path.name))
          if isHDR { hdr.append(item) } else { sdr.append(item) }
        }
      }
      guard !sdr.isEmpty else { throw UsageError("--list \(path.display): no pairs in it") }
      return (sdr, hdr)
    }
    guard let hdrName else {
      return ([item(inputs[0])], [item(gainMap ?? inputs[1])])
    }
    let template = try NameTemplate(hdrName)
    var sdr: [InputItem] = [], hdr: [InputItem] = []
    let found = try InputCollector.collect(inputs, excluding: FilePath(out))
    for input in found {
      let name = try template.name(for: input)
      let partner = input.path.parent.appending(name)
      // A folder's HDR files are among its inputs.
      guard somethingExists(at: partner), partner != input.path else { continue }
      sdr.append(input)
      hdr.append(InputItem(path: partner, relative: FilePath(bytes: name)))
    }
    guard !sdr.isEmpty else { throw UsageError("no input has a partner named \(hdrName) beside it") }
    return (sdr, hdr)
  }
}
