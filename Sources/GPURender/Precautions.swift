import SPIRV
import Shaders

/// Checks, without a device, of the rules that keep devices' arithmetic equal to the CPU's.
package enum Precautions {
  /// The words of the kernel library: SPIR-V of all stages and sinks.
  package static var kernelWords: [UInt32] { ShaderLibrary.words }

  /// Returns faults of the kernel library against the bit-exact contract, such as an operation without `NoContraction`;
  /// empty for a sound one.
  package static func findings() -> [String] {
    do throws(SPIRVError) {
      return try lint(ShaderLibrary.words).map(\.description)
    } catch {
      return ["the kernel library cannot be read: \(error)"]
    }
  }
}
