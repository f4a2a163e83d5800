import CVulkan
import Glibc
import Synchronization

/// A queue of a device.
struct DeviceQueue: @unchecked Sendable {
  let handle: VkQueue
  let family: UInt32
  fileprivate let turn: DriverTurn

  func submit(_ functions: DeviceFunctions, _ info: VkSubmitInfo) -> VkResult {
    turn.submit {
      var info = info
      return functions.queueSubmit(handle, 1, &info, nil)
    }
  }
}

extension SharedLayout {
  static func type(_ binding: Int) -> VkDescriptorType {
    switch binding {
    case ..<uniformBuffers: VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER
    case image..<count: VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
    default: VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
    }
  }
}

/// The limits of a device that decide how work is cut.
struct DeviceLimits: Sendable {
  var storageRange: Int
  var storageAlignment: Int
  var imageSide: Int
  var groups: (x: Int, y: Int)
  var timestampNanoseconds: Double
  /// The bits of a timestamp that count; the others are undefined. 0: the compute queue has no clock.
  var timestampBits: Int
  /// The most bytes of one allocation.
  var allocation: Int
}

/// An open device with its queues and the layout that all kernels share.
final class GPUContext: @unchecked Sendable {
  let instance: GPUInstance
  let info: GPUDeviceInfo
  let physical: VkPhysicalDevice
  /// The names of the extensions that the device has.
  let extensions: Set<String>
  let device: VkDevice
  let functions: DeviceFunctions
  let limits: DeviceLimits
  /// True if host memory is device memory: nothing is staged.
  let isUnified: Bool
  /// True if copies may read and write pages of the host (`HostImport`): what they hold is not staged.
  let importsPages: Bool
  let compute: DeviceQueue
  let upload: DeviceQueue
  let readback: DeviceQueue
  /// Families that share buffers and images; one entry when all queues are of one family.
  let families: [UInt32]
  let hasTimestamps: Bool
  /// True if the readback queue may copy part of an image.
  let readsBackImages: Bool
  let setLayout: VkDescriptorSetLayout
  let pipelineLayout: VkPipelineLayout
  /// True if kernels may be made without bounds checks (`GPUOptions.leavesOutChecks`).
  let leavesOutChecks: Bool
  let memory: [(flags: UInt32, heap: Int)]
  let blocks = MemoryBlocks()
  let turn: DriverTurn
  let workload: Workload
  private let isLost = Atomic<Bool>(false)
  private let isHung = Atomic<Bool>(false)

  /// Opens the device that `selection` means.
  ///
  /// - Throws: `.noLoader`, `.noDevice`, `.noMatch`, `.unsuitable`, or the error of device creation.
  init(
    _ selection: GPUSelection, validation: Bool, alwaysStages: Bool, leavesOutChecks: Bool, importsPages: Bool
  ) throws(GPUError) {
    instance = try GPUInstance(validation: validation)
    let present = try instance.devices()
    let chosen = try GPUDevice.choose(selection, from: present.map(\.info))
    guard let physical = present.first(where: { $0.info.index == chosen.index })?.handle else {
      throw .noDevice(reason: "the device has gone")
    }
    self.physical = physical
    info = chosen
    turn = DriverTurn(chosen)
    workload = Workload(isSoftware: chosen.type == .cpu)
    let plan = QueuePlan(instance.functions, physical)
    guard let computeFamily = plan.computeFamily else {
      throw .unsuitable(device: chosen.name, reason: "it has no compute queue")
    }

    var arena = Arena()
    var features = VkPhysicalDeviceVulkan12Features()
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES
    features.timelineSemaphore = 1
    var create = VkDeviceCreateInfo()
    create.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO
    let robustness = VK_EXT_PIPELINE_ROBUSTNESS_EXTENSION_NAME
    extensions = instance.extensions(of: physical)
    self.leavesOutChecks = leavesOutChecks && extensions.contains(robustness)
    let canImport = importsPages && extensions.contains(HostImport.name) && instance.importsPages(physical)
    let enabled = (self.leavesOutChecks ? [robustness] : []) + (canImport ? [HostImport.name] : [])
    create.enabledExtensionCount = UInt32(enabled.count)
    create.ppEnabledExtensionNames = UnsafePointer(arena.place(enabled))
    if self.leavesOutChecks {
      var choice = VkPhysicalDevicePipelineRobustnessFeaturesEXT()
      choice.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_ROBUSTNESS_FEATURES_EXT
      choice.pipelineRobustness = 1
      features.pNext = UnsafeMutableRawPointer(arena.place(choice))
    }
    create.pNext = UnsafeRawPointer(arena.place(features))
    // A kernel that reads or writes outside a buffer, by a fault of ours, touches no other picture (Vulkan,
    // "Robust Buffer Access"). Writes outside of images are dropped without.
    var supported = VkPhysicalDeviceFeatures2()
    supported.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2
    instance.functions.getFeatures(physical, &supported)
    var chosenFeatures = VkPhysicalDeviceFeatures()
    // A validation layer sees accesses outside where kernels have no checks of their own: then nothing checks.
    chosenFeatures.robustBufferAccess = validation && leavesOutChecks ? 0 : supported.features.robustBufferAccess
    create.pEnabledFeatures = UnsafePointer(arena.place(chosenFeatures))
    var queueInfos: [VkDeviceQueueCreateInfo] = []
    for (family, count) in plan.queueCounts {
      var queue = VkDeviceQueueCreateInfo()
      queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO
      queue.queueFamilyIndex = family
      queue.queueCount = UInt32(count)
      queue.pQueuePriorities = UnsafePointer(arena.place([Float](repeating: 1, count: count)))
      queueInfos.append(queue)
    }
    create.queueCreateInfoCount = UInt32(queueInfos.count)
    create.pQueueCreateInfos = UnsafePointer(arena.place(queueInfos))
    var device: VkDevice?
    let result = instance.functions.createDevice(physical, &create, nil, &device)
    guard result == VK_SUCCESS, let device else { throw .vulkan(call: "vkCreateDevice", result: result.rawValue) }
    self.device = device
    functions = try DeviceFunctions(instance.functions, device)

    var maintenance = VkPhysicalDeviceMaintenance3Properties()
    maintenance.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES
    var properties = VkPhysicalDeviceProperties2()
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2
    let sizes = arena.place(maintenance)
    properties.pNext = UnsafeMutableRawPointer(sizes)
    instance.functions.getProperties(physical, &properties)
    let l = properties.properties.limits
    limits = DeviceLimits(
      storageRange: Int(l.maxStorageBufferRange),
      storageAlignment: max(
        256, Int(l.minStorageBufferOffsetAlignment), Int(l.minUniformBufferOffsetAlignment)),
      imageSide: Int(l.maxImageDimension2D),
      groups: (Int(l.maxComputeWorkGroupCount.0), Int(l.maxComputeWorkGroupCount.1)),
      timestampNanoseconds: Double(l.timestampPeriod), timestampBits: plan.computeTimestampBits,
      allocation: Int(clamping: sizes.pointee.maxMemoryAllocationSize))

    let f = functions, turn = turn
    func queue(_ place: QueuePlan.Place) throws(GPUError) -> DeviceQueue {
      var handle: VkQueue?
      f.getQueue(device, place.family, UInt32(place.index), &handle)
      guard let handle else { throw .vulkan(call: "vkGetDeviceQueue", result: VK_ERROR_UNKNOWN.rawValue) }
      return DeviceQueue(handle: handle, family: place.family, turn: turn)
    }
    compute = try queue(QueuePlan.Place(family: computeFamily, index: 0))
    upload = try queue(plan.upload)
    readback = try queue(plan.readback)
    families = Array(Set([compute.family, upload.family, readback.family])).sorted()
    hasTimestamps = plan.computeTimestampBits > 0
    readsBackImages = plan.readbackCopiesPartsOfImages

    var heaps = VkPhysicalDeviceMemoryProperties()
    instance.functions.getMemoryProperties(physical, &heaps)
    let typeCount = Int(heaps.memoryTypeCount)
    memory = withUnsafeBytes(of: heaps.memoryTypes) { bytes in
      bytes.bindMemory(to: VkMemoryType.self).prefix(typeCount).map { ($0.propertyFlags, Int($0.heapIndex)) }
    }
    let wanted = MemoryKind.unified.flags
    isUnified =
      !alwaysStages && (chosen.type == .cpu || chosen.type == .integrated)
      && memory.contains { $0.flags & wanted == wanted }
    self.importsPages = canImport && !isUnified && functions.hostPointerProperties != nil

    (setLayout, pipelineLayout) = try Self.makeLayouts(functions, device)
  }

  deinit {
    // A device that hangs is never idle. It stays open to the end of the process.
    if hangs { return }
    _ = functions.waitIdle(device)
    functions.destroyPipelineLayout(device, pipelineLayout, nil)
    functions.destroySetLayout(device, setLayout, nil)
    functions.destroyDevice(device, nil)
  }

  /// The layout of glsl/shared/prelude.glsl, the same for every kernel.
  private static func makeLayouts(
    _ functions: DeviceFunctions, _ device: VkDevice
  ) throws(GPUError) -> (VkDescriptorSetLayout, VkPipelineLayout) {
    var arena = Arena()
    let bindings = (0..<SharedLayout.count).map { index in
      var binding = VkDescriptorSetLayoutBinding()
      binding.binding = UInt32(index)
      binding.descriptorType = SharedLayout.type(index)
      binding.descriptorCount = 1
      binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT.rawValue
      return binding
    }
    var setInfo = VkDescriptorSetLayoutCreateInfo()
    setInfo.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO
    setInfo.bindingCount = UInt32(bindings.count)
    setInfo.pBindings = UnsafePointer(arena.place(bindings))
    var set: VkDescriptorSetLayout?
    var result = functions.createSetLayout(device, &setInfo, nil, &set)
    guard result == VK_SUCCESS, let set else {
      throw .vulkan(call: "vkCreateDescriptorSetLayout", result: result.rawValue)
    }
    var layoutInfo = VkPipelineLayoutCreateInfo()
    layoutInfo.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO
    layoutInfo.setLayoutCount = 1
    layoutInfo.pSetLayouts = UnsafePointer(arena.place(Optional(set)))
    var layout: VkPipelineLayout?
    result = functions.createPipelineLayout(device, &layoutInfo, nil, &layout)
    guard result == VK_SUCCESS, let layout else {
      throw .vulkan(call: "vkCreatePipelineLayout", result: result.rawValue)
    }
    return (set, layout)
  }

  /// Turns a failed call into an error; a lost device stays lost.
  func check(_ result: VkResult, _ call: String, bytes: Int = 0) throws(GPUError) {
    switch result {
    case VK_SUCCESS: return
    // A device that does not answer in time is treated as lost, and its work is not waited for.
    case VK_ERROR_DEVICE_LOST, VK_TIMEOUT:
      if result == VK_TIMEOUT {
        isHung.store(true, ordering: .sequentiallyConsistent)
        HungDevice.note()
      }
      isLost.store(true, ordering: .sequentiallyConsistent)
      throw .deviceLost(device: info.name)
    case VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_ERROR_OUT_OF_HOST_MEMORY: throw .outOfMemory(what: call, bytes: bytes)
    default: throw .vulkan(call: call, result: result.rawValue)
    }
  }

  /// True if the device did not answer in time.
  var hangs: Bool { isHung.load(ordering: .sequentiallyConsistent) }

  /// - Throws: `.deviceLost` once any call has returned it.
  func checkAlive() throws(GPUError) {
    if isLost.load(ordering: .sequentiallyConsistent) { throw .deviceLost(device: info.name) }
  }
}

/// The queues of a device that are used: compute apart from graphics where possible, copies on copy engines.
struct QueuePlan {
  struct Place: Hashable {
    var family: UInt32
    var index: Int
  }

  var computeFamily: UInt32?
  var upload = Place(family: 0, index: 0)
  var readback = Place(family: 0, index: 0)
  var computeTimestampBits = 0
  var readbackCopiesPartsOfImages = true
  /// All families of the device, with their uses.
  private(set) var families: [GPUQueueFamily] = []

  init(_ functions: InstanceFunctions, _ device: VkPhysicalDevice) {
    var count: UInt32 = 0
    functions.getQueueFamilies(device, &count, nil)
    var families = [VkQueueFamilyProperties](repeating: VkQueueFamilyProperties(), count: Int(count))
    functions.getQueueFamilies(device, &count, &families)
    defer { describe(families) }
    func has(_ index: Int, _ bit: VkQueueFlagBits) -> Bool { families[index].queueFlags & bit.rawValue != 0 }
    let computing = families.indices.filter { has($0, VK_QUEUE_COMPUTE_BIT) }
    guard let compute = computing.first(where: { !has($0, VK_QUEUE_GRAPHICS_BIT) }) ?? computing.first else { return }
    computeFamily = UInt32(compute)
    computeTimestampBits = Int(families[compute].timestampValidBits)

    // A family that only copies is the copy engine. It may name video work too, never compute or graphics.
    let copying = families.indices.first {
      has($0, VK_QUEUE_TRANSFER_BIT) && !has($0, VK_QUEUE_COMPUTE_BIT) && !has($0, VK_QUEUE_GRAPHICS_BIT)
    }
    if let copying {
      let queues = Int(families[copying].queueCount), grain = families[copying].minImageTransferGranularity
      upload = Place(family: UInt32(copying), index: 0)
      readback = Place(family: UInt32(copying), index: queues > 1 ? 1 : 0)
      readbackCopiesPartsOfImages = grain.width == 1 && grain.height == 1
    } else {
      let queues = Int(families[compute].queueCount)
      upload = Place(family: UInt32(compute), index: queues > 1 ? 1 : 0)
      readback = Place(family: UInt32(compute), index: queues > 2 ? 2 : 0)
    }
  }

  private mutating func describe(_ all: [VkQueueFamilyProperties]) {
    families = all.enumerated().map { index, family in
      func has(_ bit: VkQueueFlagBits) -> Bool { family.queueFlags & bit.rawValue != 0 }
      let isUsed = computeFamily != nil
      return GPUQueueFamily(
        count: Int(family.queueCount), graphics: has(VK_QUEUE_GRAPHICS_BIT), compute: has(VK_QUEUE_COMPUTE_BIT),
        transfer: has(VK_QUEUE_TRANSFER_BIT),
        uses: (computeFamily == UInt32(index) ? ["compute"] : [])
          + (isUsed && upload.family == UInt32(index) ? ["upload"] : [])
          + (isUsed && readback.family == UInt32(index) ? ["readback"] : []))
    }
  }

  /// The number of queues to create, by family.
  var queueCounts: [(family: UInt32, count: Int)] {
    var counts: [UInt32: Int] = [:]
    for place in [Place(family: computeFamily ?? 0, index: 0), upload, readback] {
      counts[place.family] = max(counts[place.family] ?? 0, place.index + 1)
    }
    return counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}
