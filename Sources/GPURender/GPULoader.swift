import Glibc

/// The Vulkan loader of this process.
package struct GPULoader: Sendable, Hashable {
  /// The file that was opened, links followed.
  package var path: String
  /// The Vulkan version that it supports, as in "1.3.239".
  package var version: String

  /// - Throws: `.noLoader`.
  package init() throws(GPUError) {
    let loader = try VulkanLoader()
    var number: UInt32 = 0
    _ = loader.enumerateInstanceVersion(&number)
    version = versionText(number)
    path =
      Self.mappedFile(of: UInt(bitPattern: unsafeBitCast(loader.getInstanceProcAddr, to: Int.self))) ?? "libvulkan.so.1"
  }

  /// Returns the file that an address of this process is mapped from (proc_pid_maps(5)).
  private static func mappedFile(of address: UInt) -> String? {
    guard let maps = fopen("/proc/self/maps", "re") else { return nil }
    defer { fclose(maps) }
    var line = [CChar](repeating: 0, count: 8192)
    while fgets(&line, Int32(line.count), maps) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let words = text.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      let ends = words.first?.split(separator: "-").compactMap { UInt($0, radix: 16) } ?? []
      guard words.count == 6, ends.count == 2, (ends[0]..<max(ends[0], ends[1])).contains(address) else { continue }
      return String(words[5].drop { $0 == " " }.prefix { $0 != "\n" })
    }
    return nil
  }
}
