import CISAL
import Glibc
import PlainData

/// The driver's pipeline cache on disk: one file for each device and driver version, replaced whole.
///
/// Drivers take machine code from it and check little. So it is read only if no other user could have written it, and
/// only whole: after a header of our own with a checksum, for these kernels and this very driver. Any other file is
/// ignored, and replaced.
package struct PipelineCacheFile: Sendable {
  /// The key of a file: its pipelines' kernels, and the device as the driver's header names it.
  package struct Key: Sendable, Hashable {
    /// The checksum of the program's kernels: pipelines of others only make the file larger.
    package var kernels: UInt32
    package var vendorID: UInt32
    package var deviceID: UInt32
    /// `VkPhysicalDeviceProperties.pipelineCacheUUID`, 16 bytes.
    package var uuid: [UInt8]

    package init(kernels: UInt32, vendorID: UInt32, deviceID: UInt32, uuid: [UInt8]) {
      self.kernels = kernels
      self.vendorID = vendorID
      self.deviceID = deviceID
      self.uuid = uuid
    }
  }

  private let folder: String
  private let name: String
  private let key: Key

  package init(folder: String, name: String, key: Key) {
    self.folder = folder
    self.name = name
    self.key = key
  }

  init(folder: String, device: GPUDeviceInfo, kernels: [UInt32]) {
    self.init(
      folder: folder, name: device.uuid + "-" + hex(device.driverVersion, digits: 8) + ".vkcache",
      key: Key(
        kernels: kernels.withUnsafeBytes { Self.checksum($0) }, vendorID: UInt32(truncatingIfNeeded: device.vendorID),
        deviceID: UInt32(truncatingIfNeeded: device.deviceID), uuid: device.pipelineCacheUUID))
  }

  /// Returns `$XDG_CACHE_HOME/hdrbatch`, else `~/.cache/hdrbatch`; `nil` if neither variable is set.
  static func defaultFolder() -> String? {
    if let cache = getenv("XDG_CACHE_HOME"), cache.pointee != 0 { return String(cString: cache) + "/hdrbatch" }
    if let home = getenv("HOME"), home.pointee != 0 { return String(cString: home) + "/.cache/hdrbatch" }
    return nil
  }

  // MARK: Contents

  /// The first eight of our bytes; the checksum of all that follows and the kernels' checksum come next.
  private static let magic = Array("hdrvkc1\n".utf8)
  private static let headBytes = 16
  /// The bytes of the driver's header: size, version 1, vendor, device, UUID (Vulkan, "Pipeline Cache Header").
  private static let driverHeadBytes = 32
  private static let maxBytes = 256 << 20

  private static func checksum(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    crc32_gzip_refl(0, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt64(bytes.count))
  }

  private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    bytes.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: at, as: UInt32.self)) }
  }

  private static func bytes(_ word: UInt32) -> [UInt8] { withUnsafeBytes(of: word.littleEndian) { Array($0) } }

  /// Returns the file around the driver's bytes.
  private func enclose(_ data: [UInt8]) -> [UInt8] {
    let rest = Self.bytes(key.kernels) + data
    return Self.magic + Self.bytes(rest.withUnsafeBytes { Self.checksum($0) }) + rest
  }

  /// Returns the driver's bytes of a file; none when it is damaged or has another key.
  private func data(of file: [UInt8]) -> [UInt8] {
    let head = Self.headBytes
    guard file.count >= head + Self.driverHeadBytes, file.starts(with: Self.magic), Self.word(file, 12) == key.kernels,
      Self.word(file, 8) == file.withUnsafeBytes({ Self.checksum(UnsafeRawBufferPointer(rebasing: $0[12...])) })
    else { return [] }
    let data = Array(file[head...]), headerBytes = Int(Self.word(data, 0))
    guard (Self.driverHeadBytes...data.count).contains(headerBytes), Self.word(data, 4) == 1,
      Self.word(data, 8) == key.vendorID, Self.word(data, 12) == key.deviceID, Array(data[16..<32]) == key.uuid
    else { return [] }
    return data
  }

  // MARK: Files

  /// Returns the driver's bytes, if the file can be trusted; else none.
  package func read() -> [UInt8] {
    guard let folder = openFolder() else { return [] }
    defer { close(folder) }
    // Opening a pipe would block.
    let file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    if file < 0 { return [] }
    defer { close(file) }
    guard let status = Self.ownStatus(file, S_IFREG), status.st_size <= Self.maxBytes else { return [] }
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    var filled = 0
    while filled < bytes.count {
      let count = bytes.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress! + filled, $0.count - filled) }
      if count <= 0 { return [] }
      filled += count
    }
    return data(of: bytes)
  }

  /// Writes beside the target and renames: a reader sees the old file or the new one.
  package func write(_ data: [UInt8]) {
    makeFolder()
    guard let folder = openFolder() else { return }
    defer { close(folder) }
    let temporary = name + "." + String(UInt64.random(in: .min ... .max), radix: 36)
    let file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if file < 0 { return }
    let bytes = enclose(data)
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + written, $0.count - written) }
      if count <= 0 { break }
      written += count
    }
    close(file)
    if written < bytes.count || renameat(folder, temporary, folder, name) != 0 { unlinkat(folder, temporary, 0) }
  }

  /// Opens the folder; `nil` where another user can put files into it.
  private func openFolder() -> Int32? {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { return nil }
    if Self.ownStatus(descriptor, S_IFDIR) != nil { return descriptor }
    close(descriptor)
    return nil
  }

  /// Returns the status of an open file, if it is of that type, ours, and only we may write to it.
  private static func ownStatus(_ descriptor: Int32, _ type: mode_t) -> stat? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == type, status.st_uid == geteuid(),
      status.st_mode & (S_IWGRP | S_IWOTH) == 0
    else { return nil }
    return status
  }

  private func makeFolder() {
    var end = folder.startIndex
    while end < folder.endIndex {
      end = folder[folder.index(after: end)...].firstIndex(of: "/") ?? folder.endIndex
      mkdir(String(folder[..<end]), 0o700)
    }
  }
}
