import CodecService
import HDRCore
import HDRRender
import Synchronization
import Threads

/// Finds the pictures of files that hold several: `--image all`.
package enum PictureCollector {
  /// Files whose heads are read at a time: each is in the memory of a codec process.
  static let threads = 4

  /// Returns the inputs, and a file with several pictures once for each: in their order, smaller versions of others
  /// left out. Files that cannot be read stay: they are items that fail.
  ///
  /// - Parameter limits: they also say what of a file is read.
  /// - Throws: where there is no codec process.
  package static func expand(
    _ inputs: [InputReference], limits: DecodeLimits, codecs: any CodecBorder
  ) throws(UnavailableError) -> [InputReference] {
    let found = Mutex(Found())
    let workers = (0..<min(threads, Allotment.threads, inputs.count)).map { index in
      WorkerThread(name: "pictures \(index)") {
        while let next = found.withLock({ $0.take(of: inputs.count) }) {
          guard let file = try? InputFile(inputs[next], maxBytes: limits.maxFileBytes) else { continue }
          do throws(CodecError) {
            let pictures = try file.pictures(codecs, limits: limits)
            if pictures.count > 1 { found.withLock { $0.pictures[next] = pictures } }
          } catch {
            // Without any process no later head can be read.
            guard case .lost(let code, let message, isLast: true) = error else { continue }
            let mayPass = code == UnavailableError.startCode
            guard mayPass || code == UnavailableError.missingCode else { continue }
            found.withLock { $0.missing = UnavailableError(message, mayPass: mayPass) }
          }
        }
      }
    }
    for worker in workers { worker.join() }
    let (pictures, missing) = found.withLock { ($0.pictures, $0.missing) }
    if let missing { throw missing }
    return inputs.enumerated().flatMap { index, input in
      pictures[index].map { all in Self.pictures(of: input, all) } ?? [input]
    }
  }

  /// The state that the threads share.
  private struct Found {
    var next = 0
    var pictures: [Int: [FilePicture]] = [:]
    /// The reason why no head can be read.
    var missing: UnavailableError?

    /// The next file's place.
    mutating func take(of count: Int) -> Int? {
      defer { next += 1 }
      return next < count && missing == nil ? next : nil
    }
  }

  private static func pictures(of input: InputReference, _ all: [FilePicture]) -> [InputReference] {
    let numbers = all.numbers
    guard numbers.count > 1 else { return [input] }
    return zip(numbers, texts(of: all, numbers)).map { number, text in
      var item = input
      item.picture = InputPicture(number: number, text: text)
      return item
    }
  }

  /// Returns the texts that stand for pictures in names of outputs: their own names if they have any, else their
  /// numbers, with as many digits as the largest. All get numbers if two texts would be the same.
  package static func texts(of all: [FilePicture], _ numbers: [Int]) -> [String] {
    let digits = "\(all.count)".count
    let plain = numbers.map { number in
      let text = "\(number)"
      return String(repeating: "0", count: digits - text.count) + text
    }
    let texts = zip(numbers, plain).map { number, plain in all[number - 1].name.flatMap(fileName) ?? plain }
    return Set(texts.map { FilePath($0).folded }).count == texts.count ? texts : plain
  }

  /// A picture's name for a file system: letters, digits and `-+.` stay, anything else becomes `_`; `nil` for one that is
  /// too long, or has neither letter nor digit.
  static func fileName(_ name: String) -> String? {
    guard name.utf8.count <= 64, name.contains(where: { $0.isLetter || $0.isNumber }) else { return nil }
    return String(name.map { $0.isLetter || $0.isNumber || "-+.".contains($0) ? $0 : "_" })
  }
}
