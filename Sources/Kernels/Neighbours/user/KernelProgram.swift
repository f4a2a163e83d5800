/// Runs a kernel over strips; for one thread.
open class KernelRunner {
  public init() {}

  /// Replaces the strip's pixels. The words of the kernel's parameters come after `UserStage.Parameters`.
  open func run(_ s: Strip, _ c: StageContext) {}
}

/// A kernel ready to run on the CPU.
public protocol KernelProgram: AnyObject, Sendable {
  func makeRunner() -> KernelRunner
}
