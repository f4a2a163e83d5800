import HDRCore
import HDRPlan
import HDRRecipe
import PlainData

extension RecipeFiles {
  /// Resolves what an output names of a config.
  ///
  /// - Throws: `UsageError` with the place in the recipe: unknown names, and transforms that are not supported.
  mutating func takeConfig(
    _ choice: inout ResolvedOutput, output: Int, _ kind: String, _ sources: [InputReference]
  ) throws(UsageError) {
    let values = choice.settings, steps = text.recipe.steps(of: text.recipe.outputs[output]).configSteps
    guard values.usesConfig || !steps.isEmpty else { return }
    let reader = try config(values, output: output)
    var colors = ConfigColors(reader.facts)
    for step in steps {
      let made = try at("ocio", output) { () throws(HDRError) in try reader.step(step) }
      choice.rendition.recipe.inputs[step.key] = FilterInput(.lut(made.chain))
      colors.facts.use.add(made.use)
    }
    (colors.isAssumed, colors.warnings) = (reader.bridge.isAssumed, reader.warnings)
    if values.usesConfig {
      try refuseIdle(values, reader, hasSteps: !steps.isEmpty, output: output)
      try takeSpaces(&choice, &colors, reader, output: output, sources)
      try takeViews(&choice, &colors.facts, reader, output: output, kind)
    }
    colors.facts.looks = values[Settings.config.look]
    choice.colors = colors
    guard let place = values[Settings.config.ocio], !ConfigName.isBuiltIn(place) else { return }
    // Of all outputs, and whatever the inputs are: shards of a batch have one digest.
    configFacts[place, default: reader.facts].use.add(colors.useOfAllInputs)
    digests[place] = configFacts[place]?.digestOfFiles
  }

  /// Returns the config of an output, read once.
  private mutating func config(_ values: SettingValues, output: Int) throws(UsageError) -> ConfigAtUse {
    let place = values[Settings.config.ocio] ?? "builtin:studio"
    let variables = values[Settings.config.context], key = ConfigKey(place: place, variables: variables)
    if let known = configs[key] { return known }
    let reader = try at("ocio", output) { () throws(HDRError) in
      try ConfigAtUse(place, variables: Dictionary(variables.map { ($0.name, $0.value) }) { _, last in last })
    }
    configs[key] = reader
    return reader
  }

  /// Does some work of an output, and says at which setting it failed.
  private func at<R>(_ name: String, _ output: Int, _ work: () throws(HDRError) -> R) throws(UsageError) -> R {
    do throws(HDRError) {
      return try work()
    } catch {
      throw text.error(text.spot(name, output: output), "\(setting: name): \(error.message) (\(error.code))")
    }
  }

  /// Refuses a config of which no name is used, with what it could show: none of its views is taken unasked.
  private func refuseIdle(
    _ values: SettingValues, _ reader: ConfigAtUse, hasSteps: Bool, output: Int
  ) throws(UsageError) {
    if values.namesAreOfConfig || hasSteps { return }
    throw text.error(
      text.spot("ocio", output: output),
      "\(setting: "ocio") gives names, and none is used: give \(setting: "view"), \(setting: "to-space") or "
        + "\(setting: "from-space"). \(reader.title) has \(reader.viewList.joined(separator: " | "))")
  }

  private func takeSpaces(
    _ choice: inout ResolvedOutput, _ colors: inout ConfigColors, _ reader: ConfigAtUse, output: Int,
    _ sources: [InputReference]
  ) throws(UsageError) {
    let values = choice.settings
    if let name = values[Settings.reading.fromSpace] {
      colors.stated = try at("from-space", output) { () throws(HDRError) in try reader.input(name.text) }
    } else {
      colors.takeRules(reader, sources.map(\.path))
    }
    guard let name = values[Settings.color.toSpace], choice.rendition.kind.curve == .linear else { return }
    choice.rendition.recipe.target.space = try at("to-space", output) { () throws(HDRError) in
      try reader.output(name.text)
    }
  }

  private func takeViews(
    _ choice: inout ResolvedOutput, _ facts: inout ConfigFacts, _ reader: ConfigAtUse, output: Int, _ kind: String
  ) throws(UsageError) {
    let values = choice.settings, views = Settings.views, looks = values[Settings.config.look]
    let display = values[Settings.config.display], isAdaptive = KindNames.isAdaptive(kind)
    guard let name = values[views.view] else {
      if let looks, !looks.isEmpty {
        let made = try at("look", output) { () throws(HDRError) in try reader.looks(looks) }
        choice.rendition.recipe.look = made.chain
        facts.use.add(made.use)
      }
      return
    }
    func fault(_ name: String, _ message: Message) -> UsageError {
      text.error(text.spot(name, output: output), message)
    }
    let encoding = isAdaptive ? .sdr : choice.rendition.kind.curve, exposure = values[views.exposure]
    // Faults of looks are said of looks.
    if let looks, !looks.isEmpty { _ = try at("look", output) { () throws(HDRError) in try reader.looks(looks) } }
    let shown = try at("view", output) { () throws(HDRError) in
      try reader.view(name, display: isAdaptive ? nil : display, looks: looks, for: kind) { $0.fits(encoding) }
    }
    choice.rendition.recipe.view = ViewChoice(shown.view, exposure: exposure)
    choice.rendition.recipe.view?.look = shown.look
    (facts.display, facts.view) = shown.view.names
    facts.use.add(shown.use)
    if encoding == .sdr, !shown.view.isSDR { throw fault("view", Recipe.notSDR(printable(shown.view.name), kind)) }
    guard isAdaptive, let name = values[views.hdrView] else { return }
    let hdr = try at("hdr-view", output) { () throws(HDRError) in
      try reader.view(name, display: display, looks: looks, for: "the HDR rendition of \(kind)") { !$0.isSDR }
    }
    if hdr.view.isSDR { throw fault("hdr-view", Recipe.notHDR(printable(hdr.view.name))) }
    let pair = values[views.pairWhite] ?? .stated(100)
    guard let white = pair.level(sdr: shown.view.aces, hdr: hdr.view.aces) else {
      throw fault(
        "pair-white",
        "\(setting: "pair-white") match is for views of ACES, and nobody says how bright these are: give cd/m²")
    }
    choice.rendition.hdrView = ViewChoice(hdr.view, exposure: exposure, white: white)
    choice.rendition.hdrView?.look = hdr.look
    (facts.hdrDisplay, facts.hdrView) = hdr.view.names
    facts.use.add(hdr.use)
  }
}

extension SceneView {
  /// The display and the name, for records.
  fileprivate var names: (display: String?, view: String?) {
    switch self {
    case .aces(let view): (nil, view.name)
    case .config(let view): (view.display, view.name)
    }
  }
}

extension Recipe.Steps {
  /// The chains that steps ask a config for, each once.
  fileprivate var configSteps: [ConfigStep] {
    var found: [ConfigStep] = []
    for step in common + (sdr ?? []) + (hdr ?? []) {
      if let step = ConfigStep(step.step([:])), !found.contains(step) { found.append(step) }
    }
    return found
  }
}
