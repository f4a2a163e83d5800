import CodecService
import Glibc
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles
import PlainData

/// The second pictures of edits, read once for a batch.
package enum FilterInputs {
  /// The reason why a file is rejected; it begins with its path.
  package struct Fault: Error {
    package var message: Message

    init(_ path: FilePath, _ what: Message) { message = "\(path.display): \(what)" }

    /// Makes the fault at a line of a kernel.
    init(_ path: FilePath, _ fault: KernelTextFault) {
      let place = fault.line > 0 ? ":\(fault.line)" : ""
      message = "\(path.display)\(place): \(printable(fault.message))"
    }

    init(_ path: FilePath, _ fault: FileFault, _ limits: DecodeLimits) {
      let failure = HDRError(reading: fault, limit: limits.maxFileBytes)
      self.init(path, fault.number == ENOENT ? "no such file" : failure.message)
    }
  }

  /// Reads an input and the digest of its file.
  package static func read(
    _ path: FilePath, limits: DecodeLimits, codecs: any CodecBorder
  ) throws(Fault) -> (input: FilterInput, digest: Digest) {
    if KernelStore.isKernel(path) {
      let (kernel, digest) = try KernelStore.read(path, limits: limits, codecs: codecs)
      return (FilterInput(.kernel(kernel)), digest)
    }
    if place(path) != nil {
      let (lut, digest) = try readLUT(path, maxBytes: limits.maxFileBytes)
      return (FilterInput(.lut(lut)), digest)
    }
    let file: InputFile, digest: Digest
    do throws(FileFault) {
      file = try InputFile(path, maxBytes: limits.maxFileBytes)
      digest = try file.digest()
    } catch {
      throw Fault(path, error, limits)
    }
    do throws(CodecError) {
      return (FilterInput(.picture(try codecs.decode(file, request: .pixels, limits: limits).value)), digest)
    } catch {
      throw Fault(path, HDRError(error, reading: file).message)
    }
  }

  /// Reads an ICC profile for outputs; the codecs interpret it.
  static func readProfile(
    _ path: FilePath, limits: DecodeLimits, codecs: any CodecBorder
  ) throws(Fault) -> (profile: OutputProfile, digest: Digest) {
    var limits = limits
    limits.maxFileBytes = limits.maxICCBytes
    let file: InputFile
    do throws(FileFault) {
      file = try InputFile(path, maxBytes: limits.maxFileBytes)
    } catch {
      throw Fault(path, error, limits)
    }
    do throws(CodecError) {
      let (bytes, digest) = try file.content()
      return (OutputProfile(bytes: bytes, space: try codecs.deviceSpace(file, limits: limits).value), digest)
    } catch {
      if case .decode(let fault) = error { throw Fault(path, printable("\(fault)")) }
      throw Fault(path, HDRError(error, reading: file).message)
    }
  }

  /// Returns the place of a LUT; `nil` if the name does not end as LUT files do.
  private static func place(_ path: FilePath) -> LUTPlace? { LUTPlace(String(decoding: path.bytes, as: UTF8.self)) }

  /// Reads a LUT file, whose format the name's ending tells; `grade.ccc#ID` is one correction of several.
  static func readLUT(_ path: FilePath, maxBytes: Int) throws(Fault) -> (LUTChain, Digest) {
    guard let place = place(path) else {
      throw Fault(path, "no LUT file by its name (lut.format): those end in \(LUTFormat.endings)")
    }
    return try LUTFileReader(maxBytes: maxBytes).read(place.id == nil ? path : FilePath(place.path), as: place)
  }
}
