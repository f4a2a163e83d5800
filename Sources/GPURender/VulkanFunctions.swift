import CVulkan
import Glibc

/// The Vulkan loader, opened at run time: where it is absent the program still starts and uses the CPU.
struct VulkanLoader: @unchecked Sendable {
  let getInstanceProcAddr: PFN_vkGetInstanceProcAddr
  let createInstance: PFN_vkCreateInstance
  let enumerateInstanceVersion: PFN_vkEnumerateInstanceVersion
  let enumerateInstanceLayers: PFN_vkEnumerateInstanceLayerProperties
  let enumerateInstanceExtensions: PFN_vkEnumerateInstanceExtensionProperties

  /// The loader of this process. The system's comes first, because it fits the system's drivers; a bundle brings one
  /// along for systems that have drivers but no loader, as containers do (docs/bundle.md).
  private struct Library: @unchecked Sendable {
    var handle: UnsafeMutableRawPointer?
    var reason = ""

    init() {
      handle = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL)
      guard handle == nil else { return }
      reason = dlerror().map { String(cString: $0) } ?? "libvulkan.so.1 does not open"
      // The dynamic linker puts the program's folder for $ORIGIN.
      handle = dlopen("$ORIGIN/../lib/vulkan-fallback/libvulkan.so.1", RTLD_NOW | RTLD_LOCAL)
    }
  }

  private static let library = Library()

  /// - Throws: `.noLoader` with dlopen's message, or if the loader supports Vulkan 1.0 only.
  init() throws(GPUError) {
    guard let handle = Self.library.handle else { throw .noLoader(reason: Self.library.reason) }
    guard let entry = dlsym(handle, "vkGetInstanceProcAddr") else {
      throw .noLoader(reason: "libvulkan.so.1 has no vkGetInstanceProcAddr")
    }
    let get = unsafeBitCast(entry, to: PFN_vkGetInstanceProcAddr.self)
    getInstanceProcAddr = get
    func load<F>(_ name: String, _: F.Type) throws(GPUError) -> F {
      guard let address = get(nil, name) else { throw .noLoader(reason: "the loader lacks \(name)") }
      return unsafeBitCast(address, to: F.self)
    }
    createInstance = try load("vkCreateInstance", PFN_vkCreateInstance.self)
    enumerateInstanceVersion = try load("vkEnumerateInstanceVersion", PFN_vkEnumerateInstanceVersion.self)
    enumerateInstanceLayers = try load(
      "vkEnumerateInstanceLayerProperties", PFN_vkEnumerateInstanceLayerProperties.self)
    enumerateInstanceExtensions = try load(
      "vkEnumerateInstanceExtensionProperties", PFN_vkEnumerateInstanceExtensionProperties.self)
  }
}

/// The functions of an instance.
struct InstanceFunctions: @unchecked Sendable {
  let destroyInstance: PFN_vkDestroyInstance
  let enumeratePhysicalDevices: PFN_vkEnumeratePhysicalDevices
  let getProperties: PFN_vkGetPhysicalDeviceProperties2
  let getFeatures: PFN_vkGetPhysicalDeviceFeatures2
  let getMemoryProperties: PFN_vkGetPhysicalDeviceMemoryProperties
  let getMemoryProperties2: PFN_vkGetPhysicalDeviceMemoryProperties2
  let getQueueFamilies: PFN_vkGetPhysicalDeviceQueueFamilyProperties
  let getFormatProperties: PFN_vkGetPhysicalDeviceFormatProperties
  let getImageFormatProperties: PFN_vkGetPhysicalDeviceImageFormatProperties
  let getExternalBuffers: PFN_vkGetPhysicalDeviceExternalBufferProperties
  let enumerateDeviceExtensions: PFN_vkEnumerateDeviceExtensionProperties
  let createDevice: PFN_vkCreateDevice
  let getDeviceProcAddr: PFN_vkGetDeviceProcAddr
  /// The functions of VK_EXT_debug_utils, where that is enabled.
  let createMessenger: PFN_vkCreateDebugUtilsMessengerEXT?
  let destroyMessenger: PFN_vkDestroyDebugUtilsMessengerEXT?

  init(_ loader: VulkanLoader, _ instance: VkInstance) throws(GPUError) {
    func load<F>(_ name: String, _: F.Type) throws(GPUError) -> F {
      guard let address = loader.getInstanceProcAddr(instance, name) else {
        throw .noLoader(reason: "the loader lacks \(name)")
      }
      return unsafeBitCast(address, to: F.self)
    }
    destroyInstance = try load("vkDestroyInstance", PFN_vkDestroyInstance.self)
    enumeratePhysicalDevices = try load("vkEnumeratePhysicalDevices", PFN_vkEnumeratePhysicalDevices.self)
    getProperties = try load("vkGetPhysicalDeviceProperties2", PFN_vkGetPhysicalDeviceProperties2.self)
    getFeatures = try load("vkGetPhysicalDeviceFeatures2", PFN_vkGetPhysicalDeviceFeatures2.self)
    getMemoryProperties = try load(
      "vkGetPhysicalDeviceMemoryProperties", PFN_vkGetPhysicalDeviceMemoryProperties.self)
    getMemoryProperties2 = try load(
      "vkGetPhysicalDeviceMemoryProperties2", PFN_vkGetPhysicalDeviceMemoryProperties2.self)
    getQueueFamilies = try load(
      "vkGetPhysicalDeviceQueueFamilyProperties", PFN_vkGetPhysicalDeviceQueueFamilyProperties.self)
    getFormatProperties = try load(
      "vkGetPhysicalDeviceFormatProperties", PFN_vkGetPhysicalDeviceFormatProperties.self)
    getImageFormatProperties = try load(
      "vkGetPhysicalDeviceImageFormatProperties", PFN_vkGetPhysicalDeviceImageFormatProperties.self)
    getExternalBuffers = try load(
      "vkGetPhysicalDeviceExternalBufferProperties", PFN_vkGetPhysicalDeviceExternalBufferProperties.self)
    enumerateDeviceExtensions = try load(
      "vkEnumerateDeviceExtensionProperties", PFN_vkEnumerateDeviceExtensionProperties.self)
    createDevice = try load("vkCreateDevice", PFN_vkCreateDevice.self)
    getDeviceProcAddr = try load("vkGetDeviceProcAddr", PFN_vkGetDeviceProcAddr.self)
    createMessenger = try? load("vkCreateDebugUtilsMessengerEXT", PFN_vkCreateDebugUtilsMessengerEXT.self)
    destroyMessenger = try? load("vkDestroyDebugUtilsMessengerEXT", PFN_vkDestroyDebugUtilsMessengerEXT.self)
  }
}

/// The functions of a device, fetched from the driver without the loader's dispatch in between.
struct DeviceFunctions: @unchecked Sendable {
  let destroyDevice: PFN_vkDestroyDevice
  let getQueue: PFN_vkGetDeviceQueue
  let waitIdle: PFN_vkDeviceWaitIdle
  let queueSubmit: PFN_vkQueueSubmit
  let allocateMemory: PFN_vkAllocateMemory
  let freeMemory: PFN_vkFreeMemory
  let mapMemory: PFN_vkMapMemory
  let createBuffer: PFN_vkCreateBuffer
  let destroyBuffer: PFN_vkDestroyBuffer
  let bufferRequirements: PFN_vkGetBufferMemoryRequirements
  let bindBuffer: PFN_vkBindBufferMemory
  let createImage: PFN_vkCreateImage
  let destroyImage: PFN_vkDestroyImage
  let imageRequirements: PFN_vkGetImageMemoryRequirements
  let bindImage: PFN_vkBindImageMemory
  let createImageView: PFN_vkCreateImageView
  let destroyImageView: PFN_vkDestroyImageView
  let createShaderModule: PFN_vkCreateShaderModule
  let destroyShaderModule: PFN_vkDestroyShaderModule
  let createPipelineCache: PFN_vkCreatePipelineCache
  let destroyPipelineCache: PFN_vkDestroyPipelineCache
  let getPipelineCacheData: PFN_vkGetPipelineCacheData
  let createComputePipelines: PFN_vkCreateComputePipelines
  let destroyPipeline: PFN_vkDestroyPipeline
  let createPipelineLayout: PFN_vkCreatePipelineLayout
  let destroyPipelineLayout: PFN_vkDestroyPipelineLayout
  let createSetLayout: PFN_vkCreateDescriptorSetLayout
  let destroySetLayout: PFN_vkDestroyDescriptorSetLayout
  let createDescriptorPool: PFN_vkCreateDescriptorPool
  let destroyDescriptorPool: PFN_vkDestroyDescriptorPool
  let resetDescriptorPool: PFN_vkResetDescriptorPool
  let allocateDescriptorSets: PFN_vkAllocateDescriptorSets
  let updateDescriptorSets: PFN_vkUpdateDescriptorSets
  let createCommandPool: PFN_vkCreateCommandPool
  let destroyCommandPool: PFN_vkDestroyCommandPool
  let resetCommandPool: PFN_vkResetCommandPool
  let allocateCommandBuffers: PFN_vkAllocateCommandBuffers
  let beginCommands: PFN_vkBeginCommandBuffer
  let endCommands: PFN_vkEndCommandBuffer
  let cmdBindPipeline: PFN_vkCmdBindPipeline
  let cmdBindSets: PFN_vkCmdBindDescriptorSets
  let cmdDispatch: PFN_vkCmdDispatch
  let cmdDispatchBase: PFN_vkCmdDispatchBase
  let cmdBarrier: PFN_vkCmdPipelineBarrier
  let cmdCopyBuffer: PFN_vkCmdCopyBuffer
  let cmdCopyImageToBuffer: PFN_vkCmdCopyImageToBuffer
  let cmdResetQueries: PFN_vkCmdResetQueryPool
  let cmdWriteTimestamp: PFN_vkCmdWriteTimestamp
  let createQueryPool: PFN_vkCreateQueryPool
  let destroyQueryPool: PFN_vkDestroyQueryPool
  let getQueryResults: PFN_vkGetQueryPoolResults
  let createSemaphore: PFN_vkCreateSemaphore
  let destroySemaphore: PFN_vkDestroySemaphore
  let waitSemaphores: PFN_vkWaitSemaphores
  /// The function of VK_EXT_external_memory_host, where that is enabled.
  let hostPointerProperties: PFN_vkGetMemoryHostPointerPropertiesEXT?

  init(_ instance: InstanceFunctions, _ device: VkDevice) throws(GPUError) {
    func load<F>(_ name: String, _: F.Type) throws(GPUError) -> F {
      guard let address = instance.getDeviceProcAddr(device, name) else {
        throw .noLoader(reason: "the driver lacks \(name)")
      }
      return unsafeBitCast(address, to: F.self)
    }
    destroyDevice = try load("vkDestroyDevice", PFN_vkDestroyDevice.self)
    getQueue = try load("vkGetDeviceQueue", PFN_vkGetDeviceQueue.self)
    waitIdle = try load("vkDeviceWaitIdle", PFN_vkDeviceWaitIdle.self)
    queueSubmit = try load("vkQueueSubmit", PFN_vkQueueSubmit.self)
    allocateMemory = try load("vkAllocateMemory", PFN_vkAllocateMemory.self)
    freeMemory = try load("vkFreeMemory", PFN_vkFreeMemory.self)
    mapMemory = try load("vkMapMemory", PFN_vkMapMemory.self)
    createBuffer = try load("vkCreateBuffer", PFN_vkCreateBuffer.self)
    destroyBuffer = try load("vkDestroyBuffer", PFN_vkDestroyBuffer.self)
    bufferRequirements = try load("vkGetBufferMemoryRequirements", PFN_vkGetBufferMemoryRequirements.self)
    bindBuffer = try load("vkBindBufferMemory", PFN_vkBindBufferMemory.self)
    createImage = try load("vkCreateImage", PFN_vkCreateImage.self)
    destroyImage = try load("vkDestroyImage", PFN_vkDestroyImage.self)
    imageRequirements = try load("vkGetImageMemoryRequirements", PFN_vkGetImageMemoryRequirements.self)
    bindImage = try load("vkBindImageMemory", PFN_vkBindImageMemory.self)
    createImageView = try load("vkCreateImageView", PFN_vkCreateImageView.self)
    destroyImageView = try load("vkDestroyImageView", PFN_vkDestroyImageView.self)
    createShaderModule = try load("vkCreateShaderModule", PFN_vkCreateShaderModule.self)
    destroyShaderModule = try load("vkDestroyShaderModule", PFN_vkDestroyShaderModule.self)
    createPipelineCache = try load("vkCreatePipelineCache", PFN_vkCreatePipelineCache.self)
    destroyPipelineCache = try load("vkDestroyPipelineCache", PFN_vkDestroyPipelineCache.self)
    getPipelineCacheData = try load("vkGetPipelineCacheData", PFN_vkGetPipelineCacheData.self)
    createComputePipelines = try load("vkCreateComputePipelines", PFN_vkCreateComputePipelines.self)
    destroyPipeline = try load("vkDestroyPipeline", PFN_vkDestroyPipeline.self)
    createPipelineLayout = try load("vkCreatePipelineLayout", PFN_vkCreatePipelineLayout.self)
    destroyPipelineLayout = try load("vkDestroyPipelineLayout", PFN_vkDestroyPipelineLayout.self)
    createSetLayout = try load("vkCreateDescriptorSetLayout", PFN_vkCreateDescriptorSetLayout.self)
    destroySetLayout = try load("vkDestroyDescriptorSetLayout", PFN_vkDestroyDescriptorSetLayout.self)
    createDescriptorPool = try load("vkCreateDescriptorPool", PFN_vkCreateDescriptorPool.self)
    destroyDescriptorPool = try load("vkDestroyDescriptorPool", PFN_vkDestroyDescriptorPool.self)
    resetDescriptorPool = try load("vkResetDescriptorPool", PFN_vkResetDescriptorPool.self)
    allocateDescriptorSets = try load("vkAllocateDescriptorSets", PFN_vkAllocateDescriptorSets.self)
    updateDescriptorSets = try load("vkUpdateDescriptorSets", PFN_vkUpdateDescriptorSets.self)
    createCommandPool = try load("vkCreateCommandPool", PFN_vkCreateCommandPool.self)
    destroyCommandPool = try load("vkDestroyCommandPool", PFN_vkDestroyCommandPool.self)
    resetCommandPool = try load("vkResetCommandPool", PFN_vkResetCommandPool.self)
    allocateCommandBuffers = try load("vkAllocateCommandBuffers", PFN_vkAllocateCommandBuffers.self)
    beginCommands = try load("vkBeginCommandBuffer", PFN_vkBeginCommandBuffer.self)
    endCommands = try load("vkEndCommandBuffer", PFN_vkEndCommandBuffer.self)
    cmdBindPipeline = try load("vkCmdBindPipeline", PFN_vkCmdBindPipeline.self)
    cmdBindSets = try load("vkCmdBindDescriptorSets", PFN_vkCmdBindDescriptorSets.self)
    cmdDispatch = try load("vkCmdDispatch", PFN_vkCmdDispatch.self)
    cmdDispatchBase = try load("vkCmdDispatchBase", PFN_vkCmdDispatchBase.self)
    cmdBarrier = try load("vkCmdPipelineBarrier", PFN_vkCmdPipelineBarrier.self)
    cmdCopyBuffer = try load("vkCmdCopyBuffer", PFN_vkCmdCopyBuffer.self)
    cmdCopyImageToBuffer = try load("vkCmdCopyImageToBuffer", PFN_vkCmdCopyImageToBuffer.self)
    cmdResetQueries = try load("vkCmdResetQueryPool", PFN_vkCmdResetQueryPool.self)
    cmdWriteTimestamp = try load("vkCmdWriteTimestamp", PFN_vkCmdWriteTimestamp.self)
    createQueryPool = try load("vkCreateQueryPool", PFN_vkCreateQueryPool.self)
    destroyQueryPool = try load("vkDestroyQueryPool", PFN_vkDestroyQueryPool.self)
    getQueryResults = try load("vkGetQueryPoolResults", PFN_vkGetQueryPoolResults.self)
    createSemaphore = try load("vkCreateSemaphore", PFN_vkCreateSemaphore.self)
    destroySemaphore = try load("vkDestroySemaphore", PFN_vkDestroySemaphore.self)
    waitSemaphores = try load("vkWaitSemaphores", PFN_vkWaitSemaphores.self)
    hostPointerProperties = try? load(
      "vkGetMemoryHostPointerPropertiesEXT", PFN_vkGetMemoryHostPointerPropertiesEXT.self)
  }
}
