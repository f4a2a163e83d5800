import CVulkan
import Glibc
import HDRCore
import HDRPlan
import SPIRV
import Shaders
import Synchronization

/// A compute pipeline. Lives as long as the cache that made it.
struct KernelPipeline: @unchecked Sendable {
  var pipeline: VkPipeline
}

/// The cost of composing and compiling kernels, in seconds.
package struct KernelStatistics: Sendable, Hashable {
  package var kernels = 0
  package var composeSeconds = 0.0
  package var pipelineSeconds = 0.0
  /// True if a pipeline cache of an earlier run was found on disk.
  package var foundCacheFile = false
}

/// Pipelines by kernel key, made on first use, with the driver's cache kept on disk between runs.
final class KernelCache: @unchecked Sendable {
  private struct Key: Hashable {
    var stages: [KernelLibrary.Call]
    var sink: KernelLibrary.Call
    var halfSources: UInt32
  }

  private let context: GPUContext
  private let library: KernelLibrary
  private let file: PipelineCacheFile?
  private var cache: VkPipelineCache?
  private struct State {
    var kernels: [Key: KernelPipeline] = [:]
    var statistics = KernelStatistics()
    /// The time when the driver's cache was last saved; `isDirty` is true if kernels were made since.
    var saved = ContinuousClock.now - .seconds(10)
    var isDirty = false
  }
  private let state = Mutex(State())

  /// - Parameter folder: the place of the pipeline cache; `nil` keeps none.
  init(_ context: GPUContext, folder: String?) throws(GPUError) {
    self.context = context
    do throws(SPIRVError) {
      library = try ShaderLibrary.library()
    } catch {
      throw .kernel(name: "library", reason: "\(error)")
    }
    file = folder.map { PipelineCacheFile(folder: $0, device: context.info, kernels: ShaderLibrary.words) }
    let data = file?.read() ?? []
    state.withLock { $0.statistics.foundCacheFile = !data.isEmpty }
    var info = VkPipelineCacheCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO
    // Without a cache pipelines are created all the same: the result is ignored.
    data.withUnsafeBytes { bytes in
      info.initialDataSize = bytes.count
      info.pInitialData = bytes.baseAddress
      _ = context.functions.createPipelineCache(context.device, &info, nil, &cache)
    }
  }

  deinit {
    if state.withLock({ $0.isDirty }) { save() }
    state.withLock { state in
      for kernel in state.kernels.values { context.functions.destroyPipeline(context.device, kernel.pipeline, nil) }
    }
    if let cache { context.functions.destroyPipelineCache(context.device, cache, nil) }
  }

  var statistics: KernelStatistics { state.withLock { $0.statistics } }
  var localSize: (x: Int, y: Int) { library.localSize }

  /// Returns the kernel of a pass.
  ///
  /// - Parameter halfSources: bit s: source s is a picture of halves.
  func kernel(for pass: Pass, halfSources: UInt32) throws(GPUError) -> KernelPipeline {
    let calls = pass.calls
    return try kernel(stages: calls.stages, sink: calls.sink, halfSources: halfSources)
  }

  /// Returns the kernel of named functions; it is made once.
  func kernel(
    stages: [KernelLibrary.Call], sink: KernelLibrary.Call, halfSources: UInt32 = 0
  ) throws(GPUError) -> KernelPipeline {
    let key = Key(stages: stages, sink: sink, halfSources: halfSources)
    // The lock is held while a pipeline is made: a second item thread that needs the same kernel waits for it.
    let result: Result<KernelPipeline, GPUError> = state.withLock { state in
      if let known = state.kernels[key] { return .success(known) }
      do throws(GPUError) {
        let start = ContinuousClock.now
        let words = try compose(key)
        let composed = ContinuousClock.now
        let kernel = KernelPipeline(pipeline: try makePipeline(words, name: key.sink.function))
        state.kernels[key] = kernel
        state.statistics.kernels += 1
        state.statistics.composeSeconds += (composed - start).seconds
        state.statistics.pipelineSeconds += (ContinuousClock.now - composed).seconds
        // The file is written whole: not after every one of many kernels.
        if ContinuousClock.now - state.saved > .seconds(2) {
          save()
          state.saved = .now
          state.isDirty = false
        } else {
          state.isDirty = true
        }
        return .success(kernel)
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  private func compose(_ key: Key) throws(GPUError) -> [UInt32] {
    let words: [UInt32], count: Int
    do throws(SPIRVError) {
      let whole = try library.kernel(stages: key.stages, sink: key.sink, halfSources: key.halfSources)
      words = try removing(context.info.floatControls.missing, from: whole)
      count = try inlinedWords(words)
    } catch {
      throw .kernel(name: key.sink.function, reason: "\(error)")
    }
    guard count <= maxInlinedWords else {
      throw .kernel(
        name: key.sink.function,
        reason: "\(key.stages.count) stages are \(count) words of code, more than the limit of \(maxInlinedWords)")
    }
    return words
  }

  private func makePipeline(_ words: [UInt32], name: String) throws(GPUError) -> VkPipeline {
    let f = context.functions
    var moduleInfo = VkShaderModuleCreateInfo()
    moduleInfo.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO
    moduleInfo.codeSize = words.count * 4
    var module: VkShaderModule?
    let made = words.withUnsafeBufferPointer { words in
      moduleInfo.pCode = words.baseAddress
      return f.createShaderModule(context.device, &moduleInfo, nil, &module)
    }
    try context.check(made, "vkCreateShaderModule", bytes: words.count * 4)
    defer { f.destroyShaderModule(context.device, module, nil) }
    var arena = Arena()
    var info = VkComputePipelineCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT
    info.stage.module = module
    info.stage.pName = arena.place("main")
    info.layout = context.pipelineLayout
    var pipeline: VkPipeline?
    try context.check(
      f.createComputePipelines(context.device, cache, 1, &info, nil, &pipeline), "vkCreateComputePipelines")
    guard let pipeline else { throw .kernel(name: name, reason: "the driver made no pipeline") }
    return pipeline
  }

  /// Writes the driver's cache to disk. A failure is no fault: the next run compiles again.
  private func save() {
    guard let file, let cache else { return }
    var size = 0
    guard context.functions.getPipelineCacheData(context.device, cache, &size, nil) == VK_SUCCESS, size > 0 else {
      return
    }
    var data = [UInt8](repeating: 0, count: size)
    guard context.functions.getPipelineCacheData(context.device, cache, &size, &data) == VK_SUCCESS else { return }
    file.write(Array(data.prefix(size)))
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
