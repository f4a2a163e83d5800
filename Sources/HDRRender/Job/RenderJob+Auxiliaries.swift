import FileParts
import HDRCore
import HDRPlan
import ImageFiles

extension RenderJob {
  /// Takes depth and mattes into a file of the same format: as they are, or cut with the picture. Others go only beside a
  /// coded picture that is copied.
  ///
  /// - Parameters:
  ///   - isKept: true if the coded picture is copied.
  ///   - dropped: loses what is taken.
  func takeAuxiliaries(
    _ source: SourceImage, into format: FileFormat, isKept: Bool, _ dropped: inout DroppedExtras
  ) throws(HDRError) -> [AuxiliaryItem] {
    let change = PictureChange(choice.rendition)
    let wanted = source.extras.auxiliaries.filter {
      !$0.isPreview && $0.item > 0 && ($0.isDepth || $0.isMatte || isKept && change == .same)
    }
    guard !wanted.isEmpty, source.format == format, let container = AdaptiveContainer(auxiliariesIn: format),
      let file = openedSource, let coded = try? payloads(file)
    else { return [] }
    let turn = Orientation(turning: choice.rendition.recipe.edits)
    var taken: [AuxiliaryItem] = []
    for var item in coded.auxiliaries {
      guard let picture = wanted.first(where: { $0.item == item.item }) else { continue }
      if change == .cut {
        guard let cut = try cut(item, picture, of: source, container) else { continue }
        item = cut
      } else {
        item.turn = turn
      }
      taken.append(item)
    }
    dropped.extras.auxiliaries.removeAll { picture in taken.contains { $0.item == picture.item } }
    return taken
  }

  /// Decodes an auxiliary picture and moves its pixels as the recipe moves those of the picture.
  ///
  /// - Returns: `nil` if it cannot be decoded, or is larger than the picture.
  private func cut(
    _ item: AuxiliaryItem, _ facts: AuxiliaryPicture, of source: SourceImage, _ container: AdaptiveContainer
  ) throws(HDRError) -> AuxiliaryItem? {
    var limits = tools.limits
    (limits.reading, limits.threads) = (ReadingOptions(), tools.codecThreads)
    guard let bytes = try? item.file(), let file = try? InputFile(bytes: bytes, name: FilePath("auxiliary picture")),
      facts.width * facts.height <= source.image.pixelCount,
      var picture = try? tools.codecs.decode(file, request: .pixels, limits: limits).value,
      picture.image.pixelCount <= source.image.pixelCount
    else { return nil }
    // Codes are data: they pass as they are.
    picture.color = SourceColor(
      matrix: picture.color.matrix, fullRange: picture.color.fullRange,
      encoding: .cicp(primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.sRGB))
    var recipe = choice.rendition.recipe
    recipe.edits = recipe.edits.filter { $0.filter?.movesPixels == true }
    // It keeps its size where the picture is resized in the end.
    while let last = recipe.edits.last, PictureChange.onlyScales(last) { recipe.edits.removeLast() }
    let target = OutputSignal(
      encoding: .linear, sink: container.sink(depth: 8), bitDepth: 8, chroma: .s444)
    let (x, y) = source.image.axes(source.geometry), plan: Plan
    do throws(PlanError) {
      plan = try GainMapPlanner.edited(
        map: picture, recipe, table: nil, base: PictureSize(x.pixels, y.pixels), content: .sdr, target: target)
    } catch {
      return nil
    }
    var result = item
    result.picture = .samples(try render(plan).firstChannel.narrowed(toBits: 8))
    if facts.isDepth {
      result.xmp = item.xmp.flatMap { xmpWithoutCalibration($0) }
      found.warn([
        Warning("aux.calibration", "the \(facts.kind) beside the picture is cut with it, without its calibration")
      ])
    }
    return result
  }
}

extension AdaptiveContainer {
  /// Makes the container of files of a format that hold auxiliary pictures; `nil` for others.
  fileprivate init?(auxiliariesIn format: FileFormat) {
    switch format {
    case .heic: self = .heic
    case .avif: self = .avif
    default: return nil
    }
  }
}
