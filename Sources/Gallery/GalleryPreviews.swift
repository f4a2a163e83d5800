import BatchEngine
import HDRCore
import HDRRecipe
import HDRRender

/// Renders the small pictures of a gallery: a view and a thumbnail of each output, a view of each source.
struct GalleryPreviews {
  /// The two outputs, in their order.
  private static let view = 0, thumbnail = 1

  private var items: [BatchItem] = []
  private var inputs = 0
  private let options: BatchOptions

  /// - Parameters:
  ///   - size: pixels of a view's longer side.
  ///   - quality: that of views as JPEG.
  ///   - reading: settings of reading and of camera raw.
  ///   - options: of machine and limits.
  init(
    size: Int, quality: Int = 88, reading: SettingValues = SettingValues(), _ options: BatchOptions
  ) throws(UsageError) {
    func output(_ size: Int, _ quality: Int) throws(UsageError) -> Recipe.Output {
      var output = Recipe.Output("adaptive-jpeg", name: "{stem}-\(size).{ext}")
      do throws(SettingFault) {
        try output.settings.set(Settings.files.quality.setting, ["\(quality)"])
        try output.settings.set(Settings.adaptive.mapQuality.setting, ["\(quality)"])
        try output.settings.set(Settings.adaptive.ifSDR.setting, [WithoutHDR.sdrJPEG.rawValue])
        try output.settings.set(Settings.files.metadata.setting, [MetadataChoice.none.rawValue])
        try output.settings.set(Settings.edits.resize.setting, ["\(size)"])
      } catch {
        throw UsageError("\(error.message)")
      }
      return output
    }
    var recipe = Recipe()
    recipe.settings = reading
    recipe.outputs = [try output(size, quality), try output(320, 80)]
    var prepared = try PreparedRecipe(
      RecipeText(recipe), inputs: [], limits: options.limits, isolation: options.isolation)
    let outputs = prepared.options.outputs
    prepared.options = options
    prepared.options.outputs = outputs
    prepared.options.onExisting = .replace
    prepared.options.durability = .none
    (prepared.options.journal, prepared.options.record, prepared.options.maxFailures) = (nil, nil, nil)
    prepared.options.explains = false
    self.options = prepared.options
  }

  /// - Parameters:
  ///   - view: the file of its view.
  ///   - thumbnail: the file of its thumbnail; `nil`: none is made.
  mutating func add(_ picture: FilePath, view: FilePath, thumbnail: FilePath?) {
    for (variant, target) in [(Self.view, view), (Self.thumbnail, thumbnail)] {
      guard let target else { continue }
      items.append(
        BatchItem(
          index: items.count, inputNumber: inputs, variant: variant, input: InputReference(picture),
          relativeOutput: FilePath(bytes: target.name), output: target, isSkipped: false))
    }
    inputs += 1
  }

  /// Renders all pictures.
  ///
  /// - Parameters:
  ///   - watch: called with the runner before it begins.
  ///   - failed: called with the outputs that could not be made, and the reasons.
  func run(_ watch: (BatchRunner) -> Void, failed: @escaping @Sendable (FilePath, String) -> Void) throws
    -> BatchSummary?
  {
    if items.isEmpty { return nil }
    let runner = try BatchRunner(items, options) { event in
      guard case .itemFinished(let record) = event, record.status == .failed || record.status == .skipped else {
        return
      }
      failed(record.item.output, record.message ?? "")
    }
    watch(runner)
    return runner.run()
  }
}
