import CVulkan
import Glibc
import PlainData
import Synchronization

/// Messages of the validation layers, collected from any thread.
package final class ValidationLog: Sendable {
  private let messages = Mutex<[String]>([])

  /// All messages so far.
  package var all: [String] { messages.withLock { $0 } }

  func add(_ text: String) { messages.withLock { $0.append(text) } }
}

/// A Vulkan instance, which lists the devices of a machine.
final class GPUInstance: @unchecked Sendable {
  let loader: VulkanLoader
  let handle: VkInstance
  let functions: InstanceFunctions
  /// Set when validation layers run.
  let log: ValidationLog?
  private var messenger: VkDebugUtilsMessengerEXT?

  /// - Parameter validation: run the Khronos validation layer with synchronisation validation, where it is installed.
  /// - Throws: `.noLoader` or `.noDevice`.
  init(validation: Bool) throws(GPUError) {
    loader = try VulkanLoader()
    var version: UInt32 = 0
    guard loader.enumerateInstanceVersion(&version) == VK_SUCCESS, version >= apiVersion12 else {
      throw .noLoader(reason: "the loader knows Vulkan \(versionText(version)), 1.2 is needed")
    }
    let validates = validation && Self.hasValidationLayer(loader)
    var arena = Arena()
    var application = VkApplicationInfo()
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO
    application.pApplicationName = arena.place("hdrbatch")
    application.apiVersion = apiVersion12
    var info = VkInstanceCreateInfo()
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO
    info.pApplicationInfo = UnsafePointer(arena.place(application))
    if validates {
      var features = VkValidationFeaturesEXT()
      features.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT
      let enabled = [VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT]
      features.enabledValidationFeatureCount = 1
      features.pEnabledValidationFeatures = UnsafePointer(arena.place(enabled))
      info.pNext = UnsafeRawPointer(arena.place(features))
      info.enabledLayerCount = 1
      info.ppEnabledLayerNames = UnsafePointer(arena.place([validationLayer]))
      info.enabledExtensionCount = 2
      info.ppEnabledExtensionNames = UnsafePointer(
        arena.place([VK_EXT_DEBUG_UTILS_EXTENSION_NAME, VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME]))
    }
    var instance: VkInstance?
    let result = loader.createInstance(&info, nil, &instance)
    guard result == VK_SUCCESS, let instance else {
      throw .noDevice(
        reason: result == VK_ERROR_INCOMPATIBLE_DRIVER
          ? "the Vulkan loader found no driver (VK_ERROR_INCOMPATIBLE_DRIVER)"
          : "vkCreateInstance failed with \(resultName(result.rawValue))")
    }
    handle = instance
    functions = try InstanceFunctions(loader, instance)
    log = validates ? ValidationLog() : nil
    messenger = log.flatMap { makeMessenger($0) }
  }

  deinit {
    if let messenger { functions.destroyMessenger?(handle, messenger, nil) }
    functions.destroyInstance(handle, nil)
  }

  /// Returns true if the Khronos layer is installed.
  static func hasValidationLayer(_ loader: VulkanLoader) -> Bool {
    var count: UInt32 = 0
    _ = loader.enumerateInstanceLayers(&count, nil)
    var layers = [VkLayerProperties](repeating: VkLayerProperties(), count: Int(count))
    _ = loader.enumerateInstanceLayers(&count, &layers)
    return layers.contains { string($0.layerName) == validationLayer }
  }

  private func makeMessenger(_ log: ValidationLog) -> VkDebugUtilsMessengerEXT? {
    var info = VkDebugUtilsMessengerCreateInfoEXT()
    info.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT
    info.messageSeverity =
      VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT.rawValue | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT.rawValue
    info.messageType =
      VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT.rawValue | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT.rawValue
    info.pfnUserCallback = { _, _, data, user in
      if let user, let text = data?.pointee.pMessage {
        Unmanaged<ValidationLog>.fromOpaque(user).takeUnretainedValue().add(String(cString: text))
      }
      return 0
    }
    // The log outlives the messenger: the instance owns both and destroys the messenger first.
    info.pUserData = Unmanaged.passUnretained(log).toOpaque()
    var messenger: VkDebugUtilsMessengerEXT?
    _ = functions.createMessenger?(handle, &info, nil, &messenger)
    return messenger
  }

  /// Returns all devices with their properties, in the loader's order.
  func devices() throws(GPUError) -> [(handle: VkPhysicalDevice, info: GPUDeviceInfo)] {
    var count: UInt32 = 0
    var result = functions.enumeratePhysicalDevices(handle, &count, nil)
    guard result == VK_SUCCESS else {
      throw .noDevice(reason: "vkEnumeratePhysicalDevices failed with \(resultName(result.rawValue))")
    }
    var handles = [VkPhysicalDevice?](repeating: nil, count: Int(count))
    result = functions.enumeratePhysicalDevices(handle, &count, &handles)
    guard result == VK_SUCCESS || result == VK_INCOMPLETE else {
      throw .noDevice(reason: "vkEnumeratePhysicalDevices failed with \(resultName(result.rawValue))")
    }
    return handles.prefix(Int(count)).compactMap { $0 }.enumerated().map { ($1, describe($1, index: $0)) }
  }

  /// Returns the names of a device's extensions.
  func extensions(of device: VkPhysicalDevice) -> Set<String> {
    var count: UInt32 = 0
    _ = functions.enumerateDeviceExtensions(device, nil, &count, nil)
    var list = [VkExtensionProperties](repeating: VkExtensionProperties(), count: Int(count))
    _ = functions.enumerateDeviceExtensions(device, nil, &count, &list)
    return Set(list.prefix(Int(count)).map { string($0.extensionName) })
  }

  private func describe(_ device: VkPhysicalDevice, index: Int) -> GPUDeviceInfo {
    var plain = VkPhysicalDeviceProperties2()
    plain.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2
    functions.getProperties(device, &plain)
    let isNew = plain.properties.apiVersion >= apiVersion12

    // Structs of Vulkan 1.2 may only be passed to a device that supports it.
    var arena = Arena()
    var properties = VkPhysicalDeviceProperties2()
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2
    var eleven = VkPhysicalDeviceVulkan11Properties()
    eleven.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES
    var twelve = VkPhysicalDeviceVulkan12Properties()
    twelve.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES
    var pci = VkPhysicalDevicePCIBusInfoPropertiesEXT()
    pci.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PCI_BUS_INFO_PROPERTIES_EXT
    var features = VkPhysicalDeviceFeatures2()
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2
    var features12 = VkPhysicalDeviceVulkan12Features()
    features12.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES
    var hasPCI = false
    if isNew {
      hasPCI = extensions(of: device).contains(VK_EXT_PCI_BUS_INFO_EXTENSION_NAME)
      let pciPlace = arena.place(pci)
      twelve.pNext = hasPCI ? UnsafeMutableRawPointer(pciPlace) : nil
      let twelvePlace = arena.place(twelve)
      eleven.pNext = UnsafeMutableRawPointer(twelvePlace)
      let elevenPlace = arena.place(eleven)
      properties.pNext = UnsafeMutableRawPointer(elevenPlace)
      functions.getProperties(device, &properties)
      (eleven, twelve, pci) = (elevenPlace.pointee, twelvePlace.pointee, pciPlace.pointee)
      let featuresPlace = arena.place(features12)
      features.pNext = UnsafeMutableRawPointer(featuresPlace)
      functions.getFeatures(device, &features)
      features12 = featuresPlace.pointee
    }

    var memory = VkPhysicalDeviceMemoryProperties()
    functions.getMemoryProperties(device, &memory)
    let heapCount = Int(memory.memoryHeapCount)
    let heaps = withUnsafeBytes(of: memory.memoryHeaps) { bytes in
      bytes.bindMemory(to: VkMemoryHeap.self).prefix(heapCount).map {
        GPUHeap(
          bytes: Int(truncatingIfNeeded: $0.size),
          deviceLocal: $0.flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT.rawValue != 0)
      }
    }

    let limits = plain.properties.limits
    let controls = GPUFloatControls(
      roundToNearestEven: twelve.shaderRoundingModeRTEFloat32 != 0,
      signedZeroInfNanPreserve: twelve.shaderSignedZeroInfNanPreserveFloat32 != 0,
      denormPreserve: twelve.shaderDenormPreserveFloat32 != 0,
      denormFlushToZero: twelve.shaderDenormFlushToZeroFloat32 != 0)
    let refusal = GPURequirement.refusal(
      GPURequirement.Facts(
        apiVersion: plain.properties.apiVersion, hasTimelineSemaphores: features12.timelineSemaphore != 0,
        storageBuffers: Int(limits.maxPerStageDescriptorStorageBuffers),
        storageImages: Int(limits.maxPerStageDescriptorStorageImages),
        workGroupInvocations: Int(limits.maxComputeWorkGroupInvocations), storesHalves: { self.storesHalves(device) }))

    var info = GPUDeviceInfo(
      index: index, name: string(plain.properties.deviceName), type: type(plain.properties.deviceType),
      vendorID: Int(plain.properties.vendorID), deviceID: Int(plain.properties.deviceID),
      driverName: string(twelve.driverName), driverInfo: string(twelve.driverInfo),
      driverVersion: plain.properties.driverVersion, apiVersion: versionText(plain.properties.apiVersion),
      uuid: uuidText(eleven.deviceUUID),
      pciAddress: hasPCI
        ? hex(pci.pciDomain, digits: 4) + ":" + hex(pci.pciBus, digits: 2) + ":" + hex(pci.pciDevice, digits: 2) + "."
          + hex(pci.pciFunction, digits: 1) : nil,
      heaps: heaps, floatControls: controls, refusal: refusal)
    info.queueFamilies = QueuePlan(functions, device).families
    info.storageRange = Int(limits.maxStorageBufferRange)
    info.pipelineCacheUUID = withUnsafeBytes(of: plain.properties.pipelineCacheUUID) { Array($0) }
    return info
  }

  /// Returns true if both formats of the working image may be storage images.
  private func storesHalves(_ device: VkPhysicalDevice) -> Bool {
    var image = VkImageFormatProperties()
    let flags = VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT.rawValue
    let usage = VK_IMAGE_USAGE_STORAGE_BIT.rawValue | VK_IMAGE_USAGE_TRANSFER_SRC_BIT.rawValue
    return [VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R16G16B16A16_UINT].allSatisfy {
      functions.getImageFormatProperties(
        device, $0, VK_IMAGE_TYPE_2D, VK_IMAGE_TILING_OPTIMAL, usage, flags, &image) == VK_SUCCESS
    }
  }

  private func type(_ type: VkPhysicalDeviceType) -> GPUDeviceType {
    switch type {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: .discrete
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: .integrated
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: .virtual
    case VK_PHYSICAL_DEVICE_TYPE_CPU: .cpu
    default: .other
    }
  }
}

/// VK_API_VERSION_1_2; the header's macro does not reach Swift.
let apiVersion12: UInt32 = 1 << 22 | 2 << 12
let validationLayer = "VK_LAYER_KHRONOS_validation"

/// Returns a version as text, as in "1.3.230" (Vulkan, "Version Numbers").
func versionText(_ version: UInt32) -> String {
  "\((version >> 22) & 0x7f).\((version >> 12) & 0x3ff).\(version & 0xfff)"
}

private func uuidText<T>(_ bytes: T) -> String {
  withUnsafeBytes(of: bytes) { bytes in
    bytes.enumerated().map { ([4, 6, 8, 10].contains($0) ? "-" : "") + hex($1, digits: 2) }.joined()
  }
}
