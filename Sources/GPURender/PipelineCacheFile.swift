import Glibc

/// The driver's pipeline cache on disk: one file for each device and driver version, replaced whole.
struct PipelineCacheFile: Sendable {
  let folder: String
  let path: String
  private let vendorID: UInt32
  private let deviceID: UInt32

  init(folder: String, device: GPUDeviceInfo) {
    self.folder = folder
    path = folder + "/" + device.uuid + "-" + hex(device.driverVersion, 8) + ".vkcache"
    vendorID = UInt32(truncatingIfNeeded: device.vendorID)
    deviceID = UInt32(truncatingIfNeeded: device.deviceID)
  }

  /// `$XDG_CACHE_HOME/hdrbatch`, else `~/.cache/hdrbatch`; `nil` if neither is set.
  static func defaultFolder() -> String? {
    if let cache = getenv("XDG_CACHE_HOME"), cache.pointee != 0 { return String(cString: cache) + "/hdrbatch" }
    if let home = getenv("HOME"), home.pointee != 0 { return String(cString: home) + "/.cache/hdrbatch" }
    return nil
  }

  /// Contents of the file when its header is for this device (Vulkan, "Pipeline Cache Header"); else nothing.
  func read() -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return [] }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_size >= 32, status.st_size <= 256 << 20 else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress! + filled, $0.count - filled) }
      if count <= 0 { return [] }
      filled += count
    }
    func word(_ at: Int) -> UInt32 {
      bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: at, as: UInt32.self)) }
    }
    guard word(0) >= 32, word(0) <= bytes.count, word(4) == 1, word(8) == vendorID, word(12) == deviceID else {
      return []
    }
    return bytes
  }

  /// Writes beside the target and renames: a reader sees the old file or the new one.
  func write(_ bytes: [UInt8]) {
    makeFolder()
    var template = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    if descriptor < 0 { return }
    let temporary = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written) }
      if count <= 0 { break }
      written += count
    }
    close(descriptor)
    if written < bytes.count || rename(temporary, path) != 0 { unlink(temporary) }
  }

  private func makeFolder() {
    var end = folder.startIndex
    while end < folder.endIndex {
      end = folder[folder.index(after: end)...].firstIndex(of: "/") ?? folder.endIndex
      mkdir(String(folder[..<end]), 0o755)
    }
  }
}
