import CVulkan
import HDRPlan

/// A dispatch of a kernel that reads one whole buffer and writes another, without bands or ring.
struct BufferDispatch {
  private let context: GPUContext
  private let kernel: KernelPipeline
  private let groups: (x: UInt32, y: UInt32)
  private let frame: GPUBuffer
  private let sets: DescriptorSets
  private let set: VkDescriptorSet

  /// - Parameters:
  ///   - columns: the invocations across, the frame's width.
  ///   - rows: those down, the frame's number of rows.
  ///   - height: the frame's height.
  init(
    _ context: GPUContext, _ kernel: KernelPipeline, localSize: (x: Int, y: Int), columns: Int, rows: Int, height: Int,
    from source: GPUBuffer, to output: GPUBuffer
  ) throws(GPUError) {
    (self.context, self.kernel) = (context, kernel)
    groups = (UInt32((columns + localSize.x - 1) / localSize.x), UInt32((rows + localSize.y - 1) / localSize.y))
    let frame = try GPUBuffer(context, .staging, bytes: SharedLayout.constantBytes, what: "the frame of a dispatch")
    var words = [UInt32](repeating: 0, count: FrameLayout.words)
    words[FrameLayout.width] = UInt32(columns)
    words[FrameLayout.rowCount] = UInt32(rows)
    words[FrameLayout.height] = UInt32(height)
    words.withUnsafeBytes { frame.mapped?.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    var bindings: [Int: Bound] = [:]
    for number in [0, 1, 2, 4, 5, 6] {
      let bytes = number == 0 ? SharedLayout.frameBytes : SharedLayout.constantBytes
      bindings[number] = .buffer(frame.handle, offset: 0, bytes: bytes)
    }
    bindings[3] = .buffer(source.handle, offset: 0, bytes: source.bytes)
    bindings[7] = .buffer(output.handle, offset: 0, bytes: output.bytes)
    let sets = try DescriptorSets(context, capacity: 1)
    set = try sets.make(bindings)
    (self.frame, self.sets) = (frame, sets)
  }

  func record(_ commands: VkCommandBuffer) {
    let f = context.functions
    var set: VkDescriptorSet? = set
    f.cmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline)
    f.cmdBindSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, context.pipelineLayout, 0, 1, &set, 0, nil)
    f.cmdDispatch(commands, groups.x, groups.y, 1)
  }
}
