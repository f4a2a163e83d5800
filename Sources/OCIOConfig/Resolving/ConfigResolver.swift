import HDRCore

/// Follows the transforms of a config and lists the operations that they stand for, in their order.
struct ConfigResolver {
  let config: Config
  let files: FileSearch
  private(set) var operations: [ConfigOperation] = []
  /// The spaces, looks and views whose transforms are being followed, the outermost first.
  private var open: [String] = []
  private var followed = 0

  /// Bounds of how deep transforms name each other, of the operations, and of the transforms that are followed.
  private static let maxDepth = 32, mostOperations = 4096, mostFollowed = 1 << 15

  init(_ config: Config, _ context: ConfigContext) { (self.config, files) = (config, FileSearch(config, context)) }

  /// Returns the operations so far, and forgets them.
  mutating func taken() -> [ConfigOperation] {
    defer { operations = [] }
    return operations
  }

  /// Goes back to an earlier state; what was followed since counts on.
  mutating func goBack(to earlier: ConfigResolver) {
    let all = followed
    self = earlier
    followed = all
  }

  private mutating func count(_ place: ConfigPlace) throws(ConfigError) {
    followed += 1
    guard followed <= Self.mostFollowed, operations.count < Self.mostOperations else {
      throw ConfigError(.depth, place, "there are more than \(Self.mostOperations) operations")
    }
  }

  /// Does something while the transforms of an item are open.
  ///
  /// - Throws: `config.cycle` if they are open already, `config.depth` if too many are.
  mutating func inside(
    _ item: String, _ place: ConfigPlace, _ body: (inout ConfigResolver) throws(ConfigError) -> Void
  ) throws(ConfigError) {
    try check(item, place)
    try count(place)
    guard open.count < Self.maxDepth else {
      throw ConfigError(.depth, place, "transforms name each other more than \(Self.maxDepth) levels deep")
    }
    open.append(item)
    defer { open.removeLast() }
    try body(&self)
  }

  /// Throws `config.cycle` if the transforms of an item are open.
  func check(_ item: String, _ place: ConfigPlace) throws(ConfigError) {
    if open.contains(item) { throw ConfigError(.cycle, place, "the \(item) is defined by itself") }
  }

  /// Follows a transform; inside of an inverse one, everything is the other way round.
  mutating func follow(_ transform: Transform, isInverse: Bool = false) throws(ConfigError) {
    let isInverse = isInverse != transform.isInverse, place = transform.place
    try count(place)
    switch transform.kind {
    case .operation(let kind): try add(kind, isInverse, place)
    case .group(let children):
      for child in isInverse ? children.reversed() : children { try follow(child, isInverse: isInverse) }
    case .builtin(let name): try add(try style(name, place), isInverse, place)
    case .file(let source, var file):
      file.path = try files.path(source, place)
      if let correction = file.correction { file.correction = try files.variables.resolved(correction, place) }
      try add(.file(file), isInverse, place)
    case .space(let from, let to, let bypassesData):
      let source = try resolved(from, place), target = try resolved(to, place)
      try convert(
        isInverse ? target : source, to: isInverse ? source : target, bypassesData: bypassesData, place)
    case .looks(let text, let from, let to, let converts):
      let list = LookList(try resolved(text, place))
      let source = try resolved(from, place), target = try resolved(to, place)
      try apply(
        isInverse ? list.inverse : list, from: isInverse ? target : source, to: isInverse ? source : target,
        converts: converts, place)
    case .view(let display, let view, let from, let bypassesLooks, let bypassesData):
      let request = ViewRequest(
        display: try resolved(display, place), view: try resolved(view, place), source: try resolved(from, place),
        looks: bypassesLooks ? "" : nil, bypassesData: bypassesData, place: place)
      try show(request, isInverse: isInverse)
    case .refused(let code, let reason): throw ConfigError(code, place, reason)
    }
  }

  private func resolved(_ text: String, _ place: ConfigPlace) throws(ConfigError) -> String {
    try files.variables.resolved(text, place)
  }

  private func style(_ name: String, _ place: ConfigPlace) throws(ConfigError) -> ConfigOperation.Kind {
    guard let style = BuiltinStyle.named(name) else {
      throw ConfigError(.style, place, "the built-in transform \"\(name)\" is not known")
    }
    guard style.since <= config.version else {
      throw ConfigError(
        .style, place, "the built-in transform \"\(name)\" needs ocio_profile_version \(style.since)")
    }
    return .builtin(style)
  }

  /// Adds operations.
  mutating func append(_ list: [ConfigOperation]) throws(ConfigError) {
    for operation in list {
      try count(operation.place)
      try add(operation.kind, operation.isInverse, operation.place)
    }
  }

  /// Adds an operation unless it changes nothing.
  private mutating func add(
    _ kind: ConfigOperation.Kind, _ isInverse: Bool, _ place: ConfigPlace
  ) throws(ConfigError) {
    if kind.isIdentity { return }
    if isInverse, !kind.isInvertible { throw ConfigError(.singular, place, "the transform has no inverse") }
    operations.append(ConfigOperation(kind, isInverse: isInverse, place: place))
  }
}

extension ConfigOperation.Kind {
  fileprivate var isIdentity: Bool {
    switch self {
    case .matrix(let matrix, let offset): matrix == .identity && offset.allSatisfy { $0 == 0 }
    case .builtin(let style): style.name == "IDENTITY"
    default: false
    }
  }

  /// True if the operation can be undone, where its numbers alone decide it.
  fileprivate var isInvertible: Bool {
    switch self {
    case .matrix(let matrix, _): return matrix.inverse != nil
    case .cdl(let slope, _, _, let saturation, _): return !slope.contains(0) && saturation > 0
    case .range(let range):
      if let low = range.low, let high = range.high { return low.to < high.to }
      return true
    case .gradingPrimary(let grade):
      return ([grade.contrast, grade.gamma] + (grade.style == .linear ? [] : [grade.gain])).allSatisfy {
        ![$0.red, $0.green, $0.blue, $0.master].contains(0)
      } && grade.saturation != 0
    default: return true
    }
  }
}
