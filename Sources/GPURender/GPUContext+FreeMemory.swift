import CVulkan

extension GPUContext {
  /// The bytes of the largest device-local heap that this process could still get, by VK_EXT_memory_budget; `nil` where
  /// the device does not tell. Other programs may take them at any time.
  var freeMemory: Int? {
    guard
      let heap = info.heaps.indices.filter({ info.heaps[$0].deviceLocal }).max(by: {
        info.heaps[$0].bytes < info.heaps[$1].bytes
      }),
      extensions.contains("VK_EXT_memory_budget")
    else { return nil }
    var arena = Arena()
    var budget = VkPhysicalDeviceMemoryBudgetPropertiesEXT()
    budget.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT
    let answer = arena.place(budget)
    var properties = VkPhysicalDeviceMemoryProperties2()
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2
    properties.pNext = UnsafeMutableRawPointer(answer)
    instance.functions.getMemoryProperties2(physical, &properties)
    return withUnsafeBytes(of: answer.pointee) { bytes in
      func bytesOfHeap(_ list: Int) -> Int {
        Int(clamping: bytes.load(fromByteOffset: list + 8 * heap, as: VkDeviceSize.self))
      }
      let (total, used) = (
        MemoryLayout<VkPhysicalDeviceMemoryBudgetPropertiesEXT>.offset(of: \.heapBudget) ?? 0,
        MemoryLayout<VkPhysicalDeviceMemoryBudgetPropertiesEXT>.offset(of: \.heapUsage) ?? 0
      )
      // A budget is never 0 (Vulkan): the structure was not filled in, as by a layer that does not know it.
      return bytesOfHeap(total) > 0 ? max(0, bytesOfHeap(total) - bytesOfHeap(used)) : nil
    }
  }
}
