import CVulkan
import HDRCore
import HDRPlan
import Kernels
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
  /// With the wait for other threads' pipelines, where a driver makes one at a time.
  package var pipelineSeconds = 0.0
  /// True if a pipeline cache of an earlier run was found on disk.
  package var foundCacheFile = false
}

/// Pipelines by kernel key, made on first use. No thread waits for a kernel that it does not need.
final class KernelCache: @unchecked Sendable {
  private struct Key: Hashable {
    var stages: [KernelLibrary.Call]
    var sink: KernelLibrary.Call
    var halfSources: UInt32

    /// Stages whose tables come from files.
    private static let followsFiles: Set<String> = Set(
      [StageKind.lut1D, .lut3D, .lut3DTrilinear, .gainTableMap, .placeTable, .hueSatMap, .loadCFA].map(\.rawValue))
    /// True if every place that the kernel reads or writes is computed from what the program itself made.
    var isOwn: Bool { stages.allSatisfy { $0.user == nil && !Self.followsFiles.contains($0.function) } }
  }

  private let context: GPUContext
  private let library: KernelLibrary
  private let driverCache: DriverCache
  private struct State {
    var kernels: [Key: Promise<KernelPipeline>] = [:]
    var statistics = KernelStatistics()
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
    driverCache = DriverCache(context, folder: folder)
    state.withLock { $0.statistics.foundCacheFile = driverCache.foundFile }
  }

  deinit {
    driverCache.finish()
    for kernel in state.withLock({ $0.kernels.values.compactMap(\.value) }) {
      context.functions.destroyPipeline(context.device, kernel.pipeline, nil)
    }
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

  /// Returns the kernel of a function that reads and writes memory by itself.
  func kernel(named function: String) throws(GPUError) -> KernelPipeline {
    try kernel(stages: [], sink: KernelLibrary.Call(function, constants: 0))
  }

  /// Returns the kernel of named functions. The first thread that needs it makes it, and others wait for that one.
  func kernel(
    stages: [KernelLibrary.Call], sink: KernelLibrary.Call, halfSources: UInt32 = 0
  ) throws(GPUError) -> KernelPipeline {
    let key = Key(stages: stages, sink: sink, halfSources: halfSources)
    let (promise, isOwn) = state.withLock { state -> (Promise<KernelPipeline>, Bool) in
      if let known = state.kernels[key] { return (known, false) }
      let promise = Promise<KernelPipeline>()
      state.kernels[key] = promise
      return (promise, true)
    }
    guard isOwn else { return try promise.get() }
    do throws(GPUError) {
      let kernel = try make(key)
      promise.keep(.success(kernel))
      driverCache.noteNewPipeline()
      return kernel
    } catch {
      // The next picture tries again.
      state.withLock { $0.kernels[key] = nil }
      promise.keep(.failure(error))
      throw error
    }
  }

  private func make(_ key: Key) throws(GPUError) -> KernelPipeline {
    let start = ContinuousClock.now
    let words = try compose(key)
    let composed = ContinuousClock.now
    let kernel = KernelPipeline(pipeline: try makePipeline(words, isOwn: key.isOwn, name: key.sink.function))
    state.withLock { state in
      state.statistics.kernels += 1
      state.statistics.composeSeconds += (composed - start).seconds
      state.statistics.pipelineSeconds += (ContinuousClock.now - composed).seconds
    }
    return kernel
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

  private func makePipeline(_ words: [UInt32], isOwn: Bool, name: String) throws(GPUError) -> VkPipeline {
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
    info.flags = VK_PIPELINE_CREATE_DISPATCH_BASE_BIT.rawValue
    if isOwn && context.leavesOutChecks {
      var choice = VkPipelineRobustnessCreateInfoEXT()
      choice.sType = VK_STRUCTURE_TYPE_PIPELINE_ROBUSTNESS_CREATE_INFO_EXT
      choice.storageBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT
      choice.uniformBuffers = VK_PIPELINE_ROBUSTNESS_BUFFER_BEHAVIOR_DISABLED_EXT
      info.pNext = UnsafeRawPointer(arena.place(choice))
    }
    info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO
    info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT
    info.stage.module = module
    info.stage.pName = arena.place("main")
    info.layout = context.pipelineLayout
    var pipeline: VkPipeline?
    let result = context.turn.makePipeline {
      f.createComputePipelines(context.device, driverCache.handle, 1, &info, nil, &pipeline)
    }
    try context.check(result, "vkCreateComputePipelines")
    guard let pipeline else { throw .kernel(name: name, reason: "the driver made no pipeline") }
    return pipeline
  }
}

extension Duration {
  var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
