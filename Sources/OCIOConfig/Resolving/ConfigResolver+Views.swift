/// A request says which view of a space is wanted.
struct ViewRequest {
  var display: String
  var view: String
  var source: String
  /// The looks instead of the view's own; `nil` for those.
  var looks: String?
  var bypassesData = true
  var place: ConfigPlace
}

extension ConfigResolver {
  /// Shows a space on a display, or undoes it.
  mutating func show(_ request: ViewRequest, isInverse: Bool) throws(ConfigError) {
    guard isInverse else {
      _ = try show(request)
      return
    }
    // What is undone is what would be done, the last operation first.
    let before = taken()
    _ = try show(request)
    let undone = taken().reversed().map(\.inverse)
    try append(before)
    try append(undone)
  }

  /// Shows a space on a display, and returns the operations in their two parts, which it adds too.
  mutating func show(_ request: ViewRequest) throws(ConfigError) -> ViewOperations {
    let place = request.place
    guard let display = config.display(request.display) else {
      throw ConfigError(
        .name, place,
        "there is no display \"\(request.display)\"\(hint(request.display, among: config.displays.map(\.name)))"
      )
    }
    guard let view = config.view(request.view, display: display.name) else {
      throw ConfigError(
        .name, place,
        "the display \"\(display.name)\" has no view \"\(request.view)\""
          + hint(request.view, among: display.views.map(\.name)))
    }
    let before = taken()
    var result = ViewOperations(space: view.space)
    try inside("view \"\(view.name)\" of \"\(display.name)\"", place) { resolver throws(ConfigError) in
      result = try resolver.operations(of: view, request)
    }
    try append(before + result.all)
    return result
  }

  private mutating func operations(
    of view: Config.View, _ request: ViewRequest
  ) throws(ConfigError) -> ViewOperations {
    let place = request.place, source = try space(request.source, place), target = try item(view.space, place)
    var result = ViewOperations(space: view.space)
    if case .space(let index) = target {
      result.space = config.spaces[index].name
      if request.bypassesData, source.isData || config.spaces[index].isData { return result }
    } else if request.bypassesData, source.isData {
      return result
    }
    let looks = LookList(try files.variables.resolved(request.looks ?? view.looks, place))
    let current = try space(try apply(looks, from: source.name, place), place)
    switch target {
    case .namedTransform(let index): try follow(config.namedTransforms[index], isInverse: false, place)
    case .space(let index):
      let target = config.spaces[index], isChanged = current.name != target.name || view.viewTransform != nil
      // Data of a look's process space are codes of no light.
      guard isChanged, !request.bypassesData || !current.isData else { break }
      try reference(current, isInverse: false, place)
      if let name = view.viewTransform, let transform = config.viewTransform(name) {
        try cross(current.reference, to: transform.reference, place)
        try follow(transform, isInverse: false, place)
        try cross(.display, to: target.reference, place)
      } else {
        try cross(current.reference, to: target.reference, place)
      }
      (result.hasLight, result.reference) = (true, target.reference)
      result.light = taken()
      try reference(target, isInverse: true, place)
      result.codes = taken()
      return result
    }
    result.light = taken()
    return result
  }
}
