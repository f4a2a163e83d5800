import CodecService
import Glibc
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender
import Synchronization
import Threads

/// The facts about an input that names of outputs may have, beside its own name.
package struct NameFacts: Sendable, Hashable {
  /// The size of the picture, as it is shown; `nil` for a file that cannot be read.
  var size: PictureSize?
  var date: String?
  var camera: String?
  var digest: Digest?
}

/// Reads what names of outputs say of their inputs: heads of files, and all bytes where `{digest}` is wanted.
package enum NameFactsReader {
  /// Files that are read at a time.
  private static let threads = 4

  /// Gives the rules the facts that their templates ask for.
  ///
  /// - Throws: `UsageError` for `{width}` where a filter makes sizes that its values alone do not say.
  package static func add(
    to prepared: inout PreparedRecipe, _ recipe: Recipe, for inputs: [InputReference], limits: DecodeLimits,
    isolation: IsolationOptions
  ) throws(UsageError) {
    let fields = Set(prepared.nameRules.flatMap { $0.template.factFields })
    if fields.isEmpty { return }
    let sizes: Set<NameTemplate.Field> = [.width, .height]
    let steps = [recipe.steps] + recipe.outputs.map(\.steps)
    if !fields.isDisjoint(with: sizes), !recipe.overrides.isEmpty || steps.contains(where: \.hasExpressions) {
      throw UsageError("{width} and {height}: sizes that expressions make are not known before; leave them out")
    }
    let reads = !fields.isDisjoint(with: [.width, .height, .date, .camera]), hashes = fields.contains(.digest)
    let codecs = CodecsAtUse(isolation, limits: limits)
    defer { _ = codecs.close() }
    let found = Mutex((next: 0, facts: [InputReference: NameFacts]()))
    let reading = prepared.options.outputs.first?.reading
    let workers = (0..<min(threads, Allotment.threads, inputs.count)).map { index in
      WorkerThread(name: "names \(index)") {
        while let input = found.withLock({ state in
          defer { state.next += 1 }
          return state.next < inputs.count ? inputs[state.next] : nil
        }) {
          guard let file = try? InputFile(input, maxBytes: limits.maxFileBytes) else { continue }
          var facts = NameFacts()
          if hashes { facts.digest = digest(of: file) }
          if reads {
            var limits = limits
            if let reading { limits.reading = reading }
            if let picture = input.picture { limits.reading.number = picture.number }
            if let source = try? codecs.decode(file, request: .metadata, limits: limits).value {
              let photo = PhotoFacts(source), geometry = source.geometry
              facts.size = PictureSize(geometry.outputWidth, geometry.outputHeight)
              (facts.date, facts.camera) = (photo.date.map { String($0.prefix(10)) }, photo.model)
            }
          }
          found.withLock { $0.facts[input] = facts }
        }
      }
    }
    for worker in workers { worker.join() }
    let facts = found.withLock { $0.facts }
    for index in prepared.nameRules.indices {
      let choice = prepared.options.outputs[index]
      prepared.nameRules[index].facts = facts
      prepared.nameRules[index].settings = choice.digest
      if prepared.nameRules[index].template.factFields.isDisjoint(with: sizes) { continue }
      for (input, own) in facts {
        guard let size = own.size else { continue }
        prepared.nameRules[index].facts[input]?.size = try outputSize(size, choice.rendition.recipe.edits)
      }
    }
  }

  /// Returns the size that filters make of a picture's.
  private static func outputSize(_ size: PictureSize, _ edits: [FilterStep]) throws(UsageError) -> PictureSize {
    var size = size
    for step in edits {
      guard let filter = step.filter else { continue }
      let next = filter.scaled(size, step.values) ?? filter.move(size, step.values)?.size
      guard let next = next ?? filled(size, step) else {
        throw UsageError("{width} and {height}: the size is not known before \(step.name) has made it; leave them out")
      }
      size = next
    }
    return size
  }

  /// Returns the size of what fills a box: all of it, or its shape where the picture is smaller and stays so.
  private static func filled(_ size: PictureSize, _ step: FilterStep) -> PictureSize? {
    let values = step.values.values
    guard case .number(let width)? = values["width"], case .number(let height)? = values["height"],
      let scaled = step.filter?.resampled(size, step.values)
    else { return nil }
    let most = max(width / Double(size.width), height / Double(size.height))
    let room = values["enlarge"] == .flag(true) ? 1 : min(1, 1 / most)
    func pixels(_ length: Double, _ most: Int) -> Int { min(most, max(1, Int((length * room).rounded()))) }
    return PictureSize(pixels(width, scaled.width), pixels(height, scaled.height))
  }

  /// Returns the digest of a file's bytes; `nil` if they cannot be read.
  private static func digest(of file: InputFile) -> Digest? {
    var hasher = Digest.Hasher(), part = [UInt8](repeating: 0, count: 1 << 20), position = 0
    while position < file.byteCount {
      let count = part.withUnsafeMutableBytes { pread(file.descriptor, $0.baseAddress, $0.count, off_t(position)) }
      if count < 0 && errno == EINTR { continue }
      if count <= 0 { return nil }
      part.withUnsafeBytes { hasher.add(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
      position += count
    }
    return hasher.finish()
  }
}
