/// Runs a kernel over strips; for one thread.
open class KernelRunner {
  public init() {}

  /// Makes the strip's pixels new. The words of the kernel's parameters lie behind `UserStage.Words`.
  open func run(_ s: Strip, _ c: StageContext) {}
}

/// A kernel ready to run on the CPU.
public protocol KernelProgram: AnyObject, Sendable {
  func makeRunner() -> KernelRunner
}
