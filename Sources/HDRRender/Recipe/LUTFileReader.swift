import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import PlainData

/// A reader of a LUT file and of the files that its `Reference` nodes name: below its own folder, none within itself.
final class LUTFileReader {
  /// The most files that one may lead to.
  static let maxFiles = 16

  /// Returns the bytes of a file.
  typealias Source = (FilePath) throws(FilterInputs.Fault) -> [UInt8]

  private let source: Source
  /// The files that are being read, from the first one.
  private var open: [FilePath] = []
  private var digests: [Digest] = []

  /// Makes a reader of files that lie elsewhere than in folders.
  init(_ source: @escaping Source) { self.source = source }

  convenience init(maxBytes: Int) {
    self.init { (path) throws(FilterInputs.Fault) in
      do throws(FileFault) {
        return try readWholeFile(path, maxBytes: maxBytes)
      } catch {
        throw FilterInputs.Fault(path, error, DecodeLimits(maxFileBytes: maxBytes))
      }
    }
  }

  /// Reads a file whose place a name gives; returns the digest of the file, or of the digests of several.
  func read(_ path: FilePath, as place: LUTPlace) throws(FilterInputs.Fault) -> (LUTChain, Digest) {
    let bytes = try source(path)
    do throws(LUTError) {
      let chain = try parse(bytes, path, place.format, id: place.id)
      return (chain, digests.count == 1 ? digests[0] : Digest(of: digests.flatMap(\.bytes)))
    } catch {
      throw FilterInputs.Fault(path, printable("\(error)"))
    }
  }

  private func parse(
    _ bytes: [UInt8], _ path: FilePath, _ format: LUTFormat, id: String? = nil
  ) throws(LUTError) -> LUTChain {
    digests.append(Digest(of: bytes))
    open.append(path)
    defer { open.removeLast() }
    let refer: LUTChain.Refer = { (name) throws(LUTError) in try self.refer(to: name, from: path) }
    return try LUTChain(parsing: bytes, as: format, id: id, refer: refer)
  }

  private func refer(to name: String, from path: FilePath) throws(LUTError) -> LUTChain {
    func refused(_ reason: String) -> LUTError { LUTError(.reference, reason: reason) }
    let steps = name.split(separator: "/", omittingEmptySubsequences: false)
    guard steps.allSatisfy({ !["", ".", ".."].contains($0) && !$0.contains("\0") }) else {
      throw refused("a reference must be a path below the file's folder")
    }
    guard let format = LUTFormat(name: name) else { throw refused("a reference must be to a LUT file, by its ending") }
    let target = path.parent.appending(name)
    guard !open.contains(target) else { throw refused("a file refers to itself, perhaps through others") }
    guard digests.count < Self.maxFiles else { throw refused("it leads to more than \(Self.maxFiles) files") }
    let bytes: [UInt8]
    do throws(FilterInputs.Fault) {
      bytes = try source(target)
    } catch {
      throw refused("the file of the reference cannot be read")
    }
    return try parse(bytes, target, format)
  }
}
