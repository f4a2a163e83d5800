import BatchEngine
import HDRComparison
import HDRCore
import HDRRecipe
import HDRRender
import ImageFiles
import PlainData

/// The pairs of files that `compare` is asked for.
struct CompareInputs {
  /// The files were named in one of these ways.
  enum Way { case files, folders, sequences, list, runs }

  let way: Way
  let pairs: [FilePair]
  /// The runs whose outputs are compared.
  let runs: (a: RunOutputs, b: RunOutputs)?

  /// True if the pairs get a line each, and a last line counts them.
  var areMany: Bool { way != .files }

  /// Finds the pairs.
  ///
  /// - Parameter written: folders that the command writes to, whose files are not taken.
  /// - Throws: `UsageError` for arguments that are not there or do not belong together.
  init(_ invocation: Invocation, written: [FilePath]) throws(UsageError) {
    let options = CompareCommand.options, paths = invocation.arguments.map { FilePath($0) }
    if let list = invocation[options.list] {
      try invocation.refuse(
        !paths.isEmpty || invocation[options.baseline], "--list names the files: leave A, B and --baseline out")
      (way, runs) = (.list, nil)
      pairs = try PairList(FilePath(list)).pairs
      return
    }
    guard paths.count == 2 else {
      throw UsageError("compare needs A and B: two files, folders or sequences, or --list with many pairs")
    }
    if invocation[options.baseline] {
      let runs = (a: try RunOutputs(of: paths[0]), b: try RunOutputs(of: paths[1]))
      (way, self.runs) = (.runs, runs)
      pairs = Self.pairs(runs.a, runs.b)
      return
    }
    var sequences: [String] = []
    for word in invocation.arguments where fileStatus(FilePath(word)) == nil {
      if try FramePattern(word) != nil { sequences.append(word) }
    }
    if !sequences.isEmpty {
      try invocation.refuse(sequences.count == 1, "\(printable(sequences[0])) is a sequence, so the other is one too")
      (way, runs) = (.sequences, nil)
      pairs = Self.pairs(try InputCollector.collect([sequences[0]]), try InputCollector.collect([sequences[1]]))
      return
    }
    let areFolders = try paths.map { (path) throws(UsageError) in
      guard let status = fileStatus(path) else { throw UsageError("\(path.display): no such file or folder") }
      return status.isFolder
    }
    try invocation.refuse(
      areFolders[0] != areFolders[1], "compare takes two files or two folders, not one of each")
    (way, runs) = (areFolders[0] ? .folders : .files, nil)
    pairs =
      areFolders[0]
      ? try Self.pairs(invocation, paths, excluding: written)
      : [FilePair(InputReference(paths[0]), InputReference(paths[1]))]
  }

  /// Returns the pairs of a shard, which any machine finds alike; all without one. A shard without pairs is a notice.
  func pairs(of shard: String?) throws(UsageError) -> [FilePair] {
    guard let shard else { return pairs }
    let (own, source) = try Shard.parse(shard)
    let found = pairs.enumerated().filter { own.contains($0.offset) }.map(\.element)
    if found.isEmpty { Terminal.error.line("hdrbatch: notice: no pair is in this shard (\(source))") }
    return found
  }

  // MARK: Folders

  private static func pairs(
    _ invocation: Invocation, _ paths: [FilePath], excluding written: [FilePath]
  ) throws(UsageError) -> [FilePair] {
    let files = try paths.map { (path) throws(UsageError) in
      try InputCollector.pictures(below: path, excluding: written, note: Terminal.note)
    }
    try invocation.refuse(
      files.allSatisfy(\.isEmpty), "nothing to do: no pictures in \(paths[0].display) and \(paths[1].display)")
    let word = invocation[CompareCommand.options.pairBy]
    do throws(FilePairing.Fault) {
      if let rule = FilePairing.Rule(rawValue: word) { return try FilePairing(files[0], files[1], by: rule).pairs }
    } catch {
      throw UsageError(printable(error.message))
    }
    guard word.contains(where: { "{}".contains($0) }) else {
      let names = FilePairing.Rule.allCases.map(\.rawValue)
      throw UsageError("--pair-by \(printable(SettingFault.notOne(of: names, word).message)), or is a template")
    }
    let names = PartnerNames(try NameTemplate(word, option: "pair-by"), of: files[1])
    do throws(FilePairing.Fault) {
      return try FilePairing(files[0], files[1]) { (file) throws(FilePairing.Fault) in
        do throws(UsageError) {
          return try names.names(for: file)
        } catch {
          throw FilePairing.Fault(message: error.message)
        }
      }.pairs
    } catch {
      throw UsageError(printable(error.message))
    }
  }

  // MARK: Sequences

  /// Joins frames by their numbers. One that is named and not there has no partner; of two, the pair fails.
  private static func pairs(_ a: [InputReference], _ b: [InputReference]) -> [FilePair] {
    func numbered(_ files: [InputReference]) -> [Int: InputReference] {
      Dictionary(files.compactMap { file in file.frame.map { ($0.number, file) } }) { first, _ in first }
    }
    let left = numbered(a), right = numbered(b)
    return Set(left.keys).union(right.keys).sorted().map { number in
      let named = (left[number], right[number])
      func there(_ file: InputReference?) -> InputReference? { file.flatMap { fileStatus($0.path) == nil ? nil : $0 } }
      let found = (there(named.0), there(named.1))
      return found.0 == nil && found.1 == nil ? FilePair(named.0, named.1) : FilePair(found.0, found.1)
    }
  }

  // MARK: Runs

  /// Joins the outputs of two runs by their paths below the output folders.
  private static func pairs(_ a: RunOutputs, _ b: RunOutputs) -> [FilePair] {
    var lost = 0
    let pairs = Set(a.outputs.keys).union(b.outputs.keys).sorted().compactMap { name -> FilePair? in
      let left = a.outputs[name], right = b.outputs[name]
      func file(_ output: RunOutputs.Output?) -> InputReference? {
        output.flatMap { $0.isWritten ? InputReference(path: $0.file, relative: name) : nil }
      }
      var pair = FilePair(file(left), file(right))
      switch (pair.a, pair.b) {
      case (nil, nil):
        lost += 1
        return nil
      case (_?, _?):
        if let p = left?.standingDigest, let q = right?.standingDigest { pair.digests = (p, q) }
      default:
        guard let failed = pair.a == nil ? left : right else { break }
        pair.missing = "\(pair.a == nil ? "A" : "B") \(failed.status.rawValue): \(failed.message ?? failed.code ?? "")"
      }
      return pair
    }
    if lost > 0 { Terminal.note("\(lost) output\(lost == 1 ? "" : "s") that neither run wrote") }
    for run in [a, b] where run.unread != Journal.UnreadRows() {
      Terminal.note("\(run.unread.rows) rows and \(run.unread.tornBytes) bytes of journals cannot be read")
    }
    return pairs
  }
}

/// The names that the partner of a file may have by a template: `{ext}` and `{target}` stand for all that B's folder has.
private struct PartnerNames {
  private let template: NameTemplate
  private let extensions: [String]
  private let targets: [String]

  init(_ template: NameTemplate, of files: [InputReference]) {
    self.template = template
    extensions =
      template.has(.ext)
      ? Set(files.compactMap { $0.relative.name.split(separator: UInt8(ascii: ".")).last })
        .map { String(decoding: $0, as: UTF8.self) }.sorted() : [""]
    let kinds =
      OutputKind.allCases.map { NameTraits($0).target } + AdaptiveContainer.allCases.map { NameTraits($0).target }
    targets = template.has(.target) ? kinds : [""]
  }

  func names(for file: InputReference) throws(UsageError) -> [FilePath] {
    var result: [FilePath] = []
    for target in targets {
      for ext in extensions { result.append(try template.path(for: file, ext: ext, target: target)) }
    }
    return result
  }
}
