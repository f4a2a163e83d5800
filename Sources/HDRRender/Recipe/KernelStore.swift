import CodecService
import HDRCore
import HDRPlan
import ImageFiles
import Synchronization
import UserKernels

/// The users' kernels by the digests of their texts: each text is compiled once in this process.
package enum KernelStore {
  private static let known = Mutex<[Digest: UserKernel]>([:])
  /// The largest number of kept kernels.
  private static let most = 64

  /// Returns true if a path is a kernel's: it ends in `.glsl`.
  package static func isKernel(_ path: FilePath) -> Bool {
    String(decoding: path.name, as: UTF8.self).lowercased().hasSuffix(".glsl")
  }

  /// Reads a kernel; throws `FilterInputs.Fault` that begins with path and line.
  package static func read(
    _ path: FilePath, limits: DecodeLimits, codecs: any CodecBorder
  ) throws(FilterInputs.Fault) -> (kernel: UserKernel, digest: Digest) {
    let file: InputFile
    do throws(FileFault) {
      file = try InputFile(path, maxBytes: limits.maxFileBytes)
    } catch {
      throw FilterInputs.Fault(path, error, limits)
    }
    return try kernel(file, limits: limits, codecs: codecs)
  }

  package static func kernel(
    _ file: InputFile, limits: DecodeLimits, codecs: any CodecBorder
  ) throws(FilterInputs.Fault) -> (kernel: UserKernel, digest: Digest) {
    let digest: Digest, answer: KernelAnswer
    do throws(CodecError) {
      digest = try file.content().digest
      if let kernel = known.withLock({ $0[digest] }) { return (kernel, digest) }
      answer = try codecs.kernel(file, limits: limits).value
    } catch .decode(.memory(_, let allowed)) {
      throw FilterInputs.Fault(
        file.path, "the compiler needs more than \(allowed) bytes of memory for it: macros may grow")
    } catch {
      throw FilterInputs.Fault(file.path, HDRError(error, reading: file).message)
    }
    let compiled: CompiledKernel
    switch answer {
    case .refused(let fault): throw FilterInputs.Fault(file.path, fault)
    case .compiled(let kernel): compiled = kernel
    }
    do throws(KernelTextFault) {
      let kernel = try UserKernel(compiled, digest: digest.hex)
      known.withLock { known in
        if known.count >= most { known = [:] }
        known[digest] = kernel
      }
      return (kernel, digest)
    } catch {
      throw FilterInputs.Fault(file.path, error)
    }
  }
}
