import SPIRV
import Shaders

/// What keeps devices' arithmetic the CPU's, as far as it can be looked at without a device.
public enum Precautions {
  /// Words of the kernel library: SPIR-V of all stages and sinks.
  public static var kernelWords: [UInt32] { ShaderLibrary.words }

  /// What in the kernel library breaks the bit-exact contract, an operation without `NoContraction` among them; empty for
  /// a sound one.
  public static func findings() -> [String] {
    do throws(SPIRVError) {
      return try lint(ShaderLibrary.words).map(\.description)
    } catch {
      return ["the kernel library cannot be read: \(error)"]
    }
  }
}
