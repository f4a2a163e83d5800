import HDRCore
import HDRPlan

extension RecipeText {
  /// Checks that all parts of the recipe can be done and have an effect: the only place of these rules.
  ///
  /// - Throws: `UsageError` with the place in the file, or with the option.
  package func check() throws(UsageError) {
    do throws(RecipeFault) {
      try recipe.check()
    } catch {
      throw self.error(error)
    }
    try checkOverrides()
  }
}

extension Recipe {
  /// Checks the recipe without its overrides; throws `RecipeFault`.
  package func check() throws(RecipeFault) {
    if outputs.isEmpty {
      throw RecipeFault(
        .nowhere, "say what to make: \(setting: "to") kind, or outputs in the recipe")
    }
    try Self.checkAlternatives(settings, output: nil)
    for (name, _) in settings.words.sorted(by: { $0.key < $1.key }) {
      guard let setting = Settings.recipe[name], !outputs.contains(where: { concerns(setting, $0.kind) })
      else { continue }
      // It is allowed to state what an SDR file has anyway.
      throw RecipeFault(.setting(name, output: nil), setting.withoutEffect(on: outputs.map(\.kind)))
    }
    try checkSource()
    for (index, output) in outputs.enumerated() {
      try Self.checkAlternatives(output.settings, output: index)
      for name in output.settings.words.keys.sorted() {
        guard let setting = Settings.recipe[name], !setting.outputs.matches(output.kind) else { continue }
        throw RecipeFault(.setting(name, output: index), setting.withoutEffect(on: [output.kind]))
      }
      try check(output, index)
    }
    try checkSteps()
    try checkInputs()
  }

  /// Checks that raw pictures are described completely, as nothing is guessed.
  private func checkSource() throws(RecipeFault) {
    let reading = Settings.reading, common: [any SettingRow] = [reading.from, reading.cicp, reading.chromaSiting]
    for row in common.map(\.setting) + Settings.sequences.rows {
      for (index, output) in outputs.enumerated() where output.settings.words[row.name] != nil {
        throw RecipeFault(
          .setting(row.name, output: index), "\(setting: row.name) is of all inputs: give it to the recipe")
      }
    }
    for (index, output) in outputs.enumerated() where output.settings.has(reading.image) {
      guard settings.takesAllPictures || output.settings.takesAllPictures else { continue }
      throw RecipeFault(
        .setting(reading.image.name, output: index),
        "\(setting: reading.image.name) all is of all outputs: give it to the recipe alone")
    }
    guard ReadingOptions(settings).plain.log.isUsable else {
      let name = reading.logWhite.name
      throw RecipeFault(
        .setting(settings.words[name] == nil ? reading.logBlack.name : name, output: nil),
        "\(setting: name) must be larger than \(setting: reading.logBlack.name)")
    }
    guard let from = settings[Settings.reading.from] else { return }
    do throws(RawDescription.Fault) {
      let reading = ReadingOptions(settings)
      _ = try reading.completed(reading.raw ?? RawDescription()).color(of: from.layout.format)
    } catch {
      throw RecipeFault(.setting("from", output: nil), "\(error.message): \(setting: error.setting)")
    }
  }

  private static func checkAlternatives(_ values: SettingValues, output: Int?) throws(RecipeFault) {
    guard let found = values.conflict({ Settings.recipe[$0] }) else { return }
    throw RecipeFault(
      .setting(found.name, output: output),
      "\(setting: found.earlier) and \(setting: found.name) both say the \(found.label): give one of them")
  }

  /// Checks the settings of an output together.
  private func check(_ output: Output, _ index: Int) throws(RecipeFault) {
    let values = settings(of: output), kind = output.kind
    func fault(_ name: String, _ message: Message) -> RecipeFault {
      RecipeFault(.setting(name, output: output.settings.words[name] != nil ? index : nil), message)
    }
    if KindNames.isSDR(kind) {
      let factor =
        values[Settings.light.headroom]?.factor ?? values[Settings.light.display]?.potentialHeadroom.factor ?? 1
      let range = values[Settings.light.dynamicRange] ?? .standard
      // A headroom for several outputs applies to those that have one.
      let isAlone = outputs.count == 1
      for name in ["headroom", "display", "dynamic-range"]
      where (isAlone || output.settings.words[name] != nil) && values.words[name] != nil
        && (factor > 1 || range != .standard)
      {
        throw fault(
          name,
          "\(kind) has a headroom of 1: leave out \(setting: "headroom"), \(setting: "display") and "
            + "\(setting: "dynamic-range"), or choose a pq-, hlg-, exr or rgba16f output")
      }
    }
    if case .space(let space)? = values[Settings.color.primaries],
      OutputKind(rawValue: kind).map({ $0.curve != .linear }) ?? KindNames.isAdaptive(kind)
    {
      throw fault(
        "primaries",
        "\(kind) is not linear and has no \(space.name): take bt2020, p3 or srgb, or exr, linear-* or rgba16f")
    }
    if values[Settings.light.display]?.isReference == true, case .named(let name, _) = values[Settings.light.toneMap] {
      throw fault(
        "tone-map",
        "a reference display shows light as it is: leave out \(setting: "tone-map") \(name), or give the display as "
          + "peak:white")
    }
    if values[Settings.light.display]?.isReference == true, values[Settings.light.hlg] == .scene {
      throw fault("hlg", "a reference display shows HLG as light of a display: leave out \(setting: "hlg") scene")
    }
    if KindNames.isAdaptive(kind), values[Settings.light.contentHeadroom]?.measure != nil {
      throw fault(
        "content-headroom",
        "adaptive-* files measure their headroom by \(setting: "map-headroom"): leave out \(setting: "content-headroom")"
      )
    }
    // An output that nobody judges must not pass among those that are.
    let accept = Settings.acceptance.accept.setting
    if settings.words[accept.name] != nil, !accept.outputs.matches(kind) {
      throw fault(
        accept.name,
        "\(kind) is not judged\(accept.reason.map { "; " + $0 } ?? ""): give \(setting: accept.name) to the other outputs"
      )
    }
    if let condition = values[Settings.acceptance.accept]?.conditionOfMaps, !KindNames.isAdaptive(kind) {
      throw fault(
        accept.name,
        "\(condition.subject) is of gain maps, and \(kind) has none: give \(setting: accept.name) to adaptive-* alone")
    }
    try checkLUTs(values, fault)
    try Self.checkViews(values, kind, fault)
    try Self.checkSpaces(values, fault)
    try Self.checkLooks(values, fault)
    if values[Settings.adaptive.appleMap], values[Settings.adaptive.base] == .hdr {
      throw fault("apple-map", "Apple's gain map needs an SDR base: leave out \(setting: "base") hdr")
    }
    if let depth = values[Settings.files.depth], let own = OutputKind(rawValue: kind)?.bitDepths,
      !own.contains(depth)
    {
      throw fault("depth", "\(kind) has \(own.map { "\($0)" }.joined(separator: " or ")) bits")
    }
    if KindNames.isAdaptive(kind), let plain = values[Settings.adaptive.ifSDR].kind,
      plain.format.rawValue != kind.dropFirst(9)
    {
      throw fault("if-sdr", "files of \(kind) have another name than those of \(plain.rawValue)")
    }
    if let format = ["adaptive-jpeg": "JPEG", "adaptive-png": "PNG"][kind], values[Settings.adaptive.base] == .hdr {
      throw fault(
        "base", "\(setting: "base") hdr needs adaptive-heic or adaptive-avif: \(format) readers expect SDR")
    }
    try Self.checkDepths(values, kind, fault)
    let steps = steps(of: output)
    if kind == KindNames.recompressed {
      if !steps.isEmpty {
        throw RecipeFault(.output(index), "\(kind) keeps the picture as it is: leave out filters")
      }
      for group in [Settings.light.rows, Settings.color.rows, Settings.edits.rows] {
        if let row = group.first(where: {
          output.settings.words[$0.name] != nil || outputs.count == 1 && values.words[$0.name] != nil
        }) {
          throw fault(row.name, "\(kind) keeps the picture as it is: leave out \(setting: row.name)")
        }
      }
    }
    if KindNames.isPart(kind) && !(steps.isEmpty) {
      throw RecipeFault(.output(index), "\(setting: "extract") takes parts out as they are: leave out filters")
    }
    let strategy = values[Settings.edits.editStrategy]
    if steps.isEmpty, values.has(Settings.edits.editStrategy) || values.has(Settings.edits.allowSDRFilter) {
      let name = values.has(Settings.edits.editStrategy) ? "edit-strategy" : "allow-sdr-filter"
      throw fault(name, "\(setting: "edit-strategy") and \(setting: "allow-sdr-filter") need filters")
    }
    if values[Settings.edits.decodeScale].most > 1, !steps.common.contains(where: { Filters.canScale($0.filter) }) {
      throw fault(
        "decode-scale",
        "\(setting: "decode-scale") needs \(setting: "resize") or another filter that makes pictures smaller")
    }
    if strategy == .sdrAndGain {
      for step in steps.common {
        guard let filter = Filters.named(step.filter), !filter.isGeometric else { continue }
        throw fault(
          "edit-strategy",
          "\(setting: "edit-strategy") sdr+gain: \(step.filter) \(filter.effect), and base and map are edited alike; "
            + "say hdr or sdr+hdr")
      }
    }
  }

  /// Checks that a container has the depths of base and map.
  private static func checkDepths(
    _ values: SettingValues, _ kind: String, _ fault: (String, Message) -> RecipeFault
  ) throws(RecipeFault) {
    for key in [Settings.adaptive.baseDepth, Settings.adaptive.mapDepth] {
      guard let bits = values[key], bits > 8 else { continue }
      switch (kind, bits) {
      case ("adaptive-jpeg", 10):
        throw fault(key.name, "\(setting: key.name) 10 needs adaptive-heic or adaptive-avif: JPEG has 8 bits")
      case ("adaptive-jpeg", _):
        throw fault(key.name, "\(setting: key.name) 16 needs adaptive-png or adaptive-jxl: JPEG has 8 bits")
      case ("adaptive-heic", 16), ("adaptive-avif", 16):
        throw fault(key.name, "\(kind) has 8 or 10 bits: say \(setting: key.name) 10")
      case ("adaptive-png", 10): throw fault(key.name, "\(kind) has 8 or 16 bits: say \(setting: key.name) 16")
      default: break
      }
    }
  }

  private func checkLUTs(
    _ values: SettingValues, _ fault: (String, Message) -> RecipeFault
  ) throws(RecipeFault) {
    let luts = values[Settings.color.lut], spaces = values[Settings.color.lutSpace]
    if luts.isEmpty {
      for name in ["lut-space", "lut-range", "lut-interpolation"] where values.words[name] != nil {
        throw fault(name, "\(setting: name) needs \(setting: "lut")")
      }
    }
    if spaces.count > 1 && spaces.count != luts.count {
      throw fault(
        "lut-space",
        "\(luts.count) \(setting: "lut") with \(spaces.count) \(setting: "lut-space"): give one for all or one for each"
      )
    }
  }
}

extension Setting {
  fileprivate func withoutEffect(on kinds: [String]) -> Message {
    let list = kinds.count == 1 ? kinds[0] : "any of " + kinds.joined(separator: ", ")
    return
      "\(setting: name) has no effect on \(list), only on \(outputs.text)\(reason.map { "; " + $0 } ?? "")"
  }
}
