import HDRPlan
import SPIRV

extension Pass {
  /// The first constant word of the pass: offsets in its kernel count from here, so that kernels do not depend on the
  /// place of a pass in a plan.
  var constantsBase: Int { stages.reduce(sink.constants) { min($0, $1.constants) } }
  /// The functions that the pass's kernel calls.
  var calls: (stages: [KernelLibrary.Call], sink: KernelLibrary.Call) {
    let base = constantsBase
    return (
      stages.map {
        KernelLibrary.Call($0.kind.rawValue, constants: UInt32($0.constants - base), user: $0.kernel?.module)
      }, KernelLibrary.Call(sink.kind.rawValue, constants: UInt32(sink.constants - base))
    )
  }
  /// The number of words from `constantsBase` to 64 words after the start of the last parameters, which are fewer.
  var constantsSpan: Int { stages.reduce(sink.constants) { max($0, $1.constants) } + 64 - constantsBase }
}
