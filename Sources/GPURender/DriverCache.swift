import CVulkan
import HDRCore
import Shaders
import Synchronization
import Threads

/// The driver's pipeline cache, kept on disk between runs. A thread of its own writes the file, which takes long where
/// it is large: no worker waits for it.
final class DriverCache: @unchecked Sendable {
  /// The driver's object; `nil` where there is none, and pipelines are made all the same.
  private(set) var handle: VkPipelineCache?
  /// True if a file of an earlier run was found.
  let foundFile: Bool
  private let context: GPUContext
  private let file: PipelineCacheFile?

  private struct State {
    var saved = ContinuousClock.now - .seconds(10)
    /// True if pipelines were made since the file was last written.
    var isDirty = false
    var isWriting = false
    var writer: WorkerThread?
  }
  private let state = Mutex(State())

  /// - Parameter folder: the place of the file; `nil` keeps none.
  init(_ context: GPUContext, folder: String?) {
    self.context = context
    file = folder.map { PipelineCacheFile(folder: $0, device: context.info, kernels: ShaderLibrary.words) }
    let data = file?.read() ?? []
    foundFile = !data.isEmpty
    var info = VkPipelineCacheCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO
    data.withUnsafeBytes { bytes in
      info.initialDataSize = bytes.count
      info.pInitialData = bytes.baseAddress
      _ = context.functions.createPipelineCache(context.device, &info, nil, &handle)
    }
  }

  deinit {
    if let handle { context.functions.destroyPipelineCache(context.device, handle, nil) }
  }

  /// Notes that the driver has made a pipeline. The file is written whole: not after every one of many.
  func noteNewPipeline() {
    let (starts, last) = state.withLock { state -> (Bool, WorkerThread?) in
      state.isDirty = true
      guard !state.isWriting, ContinuousClock.now - state.saved > .seconds(2) else { return (false, nil) }
      state.isWriting = true
      defer { state.writer = nil }
      return (true, state.writer)
    }
    guard starts else { return }
    last?.join()
    let writer = WorkerThread(name: "pipeline cache") { [self] in
      save()
      state.withLock { $0.isWriting = false }
    }
    state.withLock { $0.writer = writer }
  }

  /// Writes what is not written yet; returns when it is on disk. No thread may make pipelines any longer.
  func finish() {
    let writer = state.withLock { state in
      defer { state.writer = nil }
      return state.writer
    }
    writer?.join()
    if state.withLock({ $0.isDirty }) { save() }
  }

  /// Writes the driver's cache to disk. A failure is no fault: the next run compiles again.
  private func save() {
    state.withLock { state in
      state.isDirty = false
      state.saved = .now
    }
    guard let file, let handle else { return }
    var size = 0
    guard context.functions.getPipelineCacheData(context.device, handle, &size, nil) == VK_SUCCESS, size > 0 else {
      return
    }
    var data = [UInt8](repeating: 0, count: size)
    // The cache may have grown since; the driver then gives as many whole pipelines as fit.
    let result = context.functions.getPipelineCacheData(context.device, handle, &size, &data)
    guard result == VK_SUCCESS || result == VK_INCOMPLETE else { return }
    file.write(Array(data.prefix(size)))
  }
}
