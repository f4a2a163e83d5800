import CodecService
import HDRCore
import HDRPlan
import HDRRecipe
import ImageFiles

/// A custom kernel in GLSL: docs/kernels.md. It runs on the CPU and on GPUs with the same bits.
///
/// ```swift
/// let curve = try HDRKernel(contentsOf: "film-curve.glsl")
/// let edited = photo.applying(kernel: curve, ["contrast": 1.5])
/// ```
public struct HDRKernel: Sendable {
  package let kernel: UserKernel

  /// Reads, compiles and checks a kernel's file, in this process.
  ///
  /// - Throws: ``HDRError`` `kernel` with file and line for a rejected kernel.
  public init(contentsOf path: String) throws(HDRError) {
    do throws(FilterInputs.Fault) {
      kernel = try KernelStore.read(FilePath(path), limits: DecodeLimits(), codecs: InProcessCodecs()).kernel
    } catch {
      throw HDRError(code: "kernel", message: error.message)
    }
  }

  /// Reads a kernel from its text.
  ///
  /// - Parameters:
  ///   - source: the text of a kernel's file.
  ///   - name: replaces the path in messages.
  public init(source: String, name: String = "kernel") throws(HDRError) {
    let file: InputFile
    do throws(FileFault) {
      file = try InputFile(bytes: Array(source.utf8), name: FilePath(name))
    } catch {
      throw HDRError(opening: error, limit: KernelHead.maxBytes).about(FilePath(name))
    }
    do throws(FilterInputs.Fault) {
      kernel = try KernelStore.kernel(file, limits: DecodeLimits(), codecs: InProcessCodecs()).kernel
    } catch {
      throw HDRError(code: "kernel", message: error.message)
    }
  }

  /// The name in the kernel's head.
  public var name: String { kernel.head.name }
  public var summary: String { kernel.head.summary }
  public var parameters: [String] { kernel.parameters.map(\.name) }
  /// The SHA-256 of the text.
  public var digest: String { kernel.digest }
}

extension HDRImage {
  /// Returns the picture with a kernel applied.
  ///
  /// - Parameters:
  ///   - kernel: the kernel.
  ///   - parameters: the parameters of the kernel's head, and second pictures by the names of its inputs.
  public func applying(kernel: HDRKernel, _ parameters: [String: HDRValue] = [:]) -> HDRImage {
    var filter = HDRFilter.filter("kernel", parameters)
    filter.inputs[RecipeStep.kernelParameter] = .kernel(kernel.kernel)
    return applying(filter)
  }
}
