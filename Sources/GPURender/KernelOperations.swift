import HDRCore
import HDRPlan
import SPIRV
import Shaders

/// Returns the floating-point operations of a plan's kernels for one pixel of its output (`operationsPerPixel`), all
/// passes together: the number is the same on the CPU, whose loops are the kernels' twins.
///
/// - Throws: `.kernel` for a stage that has no function.
package func operationsPerPixel(_ plan: Plan) throws(GPUError) -> Double {
  guard let last = plan.passes.last, last.width > 0, last.height > 0 else { throw .badPlan("it has no passes") }
  var operations = 0.0
  do throws(SPIRVError) {
    let library = try ShaderLibrary.library()
    for pass in plan.passes {
      let calls = pass.calls
      let words = try library.kernel(stages: calls.stages, sink: calls.sink)
      operations += try operationsPerPixel(words) * Double(pass.width * pass.height)
    }
  } catch {
    throw .kernel(name: "count of operations", reason: "\(error)")
  }
  return operations / Double(last.width * last.height)
}
