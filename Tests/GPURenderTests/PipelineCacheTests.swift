import Foundation
import GPURender
import Testing

/// A driver is given no cache that another user, device or program could have written.
@Suite struct PipelineCacheTests {
  static let key = PipelineCacheFile.Key(kernels: 7, vendorID: 0x10DE, deviceID: 2, uuid: Array(1...16))

  /// A driver's cache: its header and some code.
  static let data: [UInt8] = {
    func bytes(_ word: UInt32) -> [UInt8] { withUnsafeBytes(of: word.littleEndian) { Array($0) } }
    return bytes(32) + bytes(1) + bytes(key.vendorID) + bytes(key.deviceID) + key.uuid + Array(repeating: 9, count: 99)
  }()

  let above: URL
  var folder: String { above.path + "/caches/hdrbatch" }
  var path: String { folder + "/a.vkcache" }
  func file(_ key: PipelineCacheFile.Key = key) -> PipelineCacheFile {
    PipelineCacheFile(folder: folder, name: "a.vkcache", key: key)
  }

  init() throws {
    above = FileManager.default.temporaryDirectory.appendingPathComponent("cache-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: above, withIntermediateDirectories: true)
  }

  /// Runs a test on a file that was written, and removes all.
  func afterWriting(_ body: () throws -> Void) throws {
    defer { try? FileManager.default.removeItem(at: above) }
    file().write(Self.data)
    try #require(file().read() == Self.data)
    try body()
  }

  func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
  }

  @Test func onlyItsUserMayWriteTheCache() throws {
    try afterWriting {
      #expect(mode(folder) == 0o700 && mode(path) == 0o600)
      for (changed, bits) in [(path, mode_t(0o620)), (path, 0o602), (folder, 0o770), (folder, 0o777)] {
        let before = mode(changed)
        chmod(changed, bits)
        #expect(file().read() == [], "\(changed) \(String(bits, radix: 8))")
        chmod(changed, before)
      }
      #expect(file().read() == Self.data)
    }
  }

  @Test(.enabled(if: geteuid() == 0, "skipped: only root can give files away"))
  func anotherUsersFileCountsAsNone() throws {
    try afterWriting {
      for changed in [path, folder] {
        chown(changed, 65534, 65534)
        #expect(file().read() == [], "\(changed)")
        chown(changed, 0, 0)
      }
      // Nothing is written into another's folder.
      unlink(path)
      chown(folder, 65534, 65534)
      file().write(Self.data)
      #expect(access(path, F_OK) != 0)
    }
  }

  @Test func linksAndPipesAreNotOpened() throws {
    try afterWriting {
      let elsewhere = above.path + "/elsewhere"
      #expect(rename(path, elsewhere) == 0 && symlink(elsewhere, path) == 0)
      #expect(file().read() == [])
      unlink(path)
      #expect(mkfifo(path, 0o600) == 0)
      #expect(file().read() == [])
      // What stands there is replaced, not followed.
      file().write(Self.data)
      #expect(file().read() == Self.data)
    }
  }

  @Test func everyDamagedByteIsSeen() throws {
    try afterWriting {
      let whole = try [UInt8](Data(contentsOf: above.appendingPathComponent("caches/hdrbatch/a.vkcache")))
      func write(_ bytes: [UInt8]) throws {
        let descriptor = open(path, O_WRONLY | O_TRUNC)
        defer { close(descriptor) }
        #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
      }
      for index in whole.indices {
        var changed = whole
        changed[index] ^= 0x40
        try write(changed)
        #expect(file().read() == [], "byte \(index)")
      }
      for count in [0, 1, 8, 16, 47, 48, whole.count - 1] {
        try write(Array(whole.prefix(count)))
        #expect(file().read() == [], "\(count) bytes")
      }
      try write(whole + [0])
      #expect(file().read() == [])
      // As an earlier version wrote it.
      try write(Self.data)
      #expect(file().read() == [])
      try write(whole)
      #expect(file().read() == Self.data)
    }
  }

  @Test func cachesOfOtherDevicesAndKernelsAreNotRead() throws {
    try afterWriting {
      var others = [Self.key, Self.key, Self.key, Self.key]
      others[0].kernels += 1
      others[1].vendorID += 1
      others[2].deviceID += 1
      others[3].uuid[15] += 1
      for other in others { #expect(file(other).read() == [], "\(other)") }
    }
  }

  @Test(.enabled(if: Lavapipe.isPresent, "skipped: no llvmpipe")) func cacheIsWrittenAndFound() throws {
    defer { try? FileManager.default.removeItem(at: above) }
    func found() throws -> (Bool, GPUDeviceInfo) {
      let renderer = try RendererTests.renderer { $0.cacheFolder = folder }
      return (renderer.kernelStatistics.foundCacheFile, renderer.device)
    }
    let (first, device) = try found()
    #expect(!first)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    #expect(names.count == 1 && names[0].hasPrefix(device.uuid))
    #expect(try found().0)
    // A cut one is not handed to the driver, and replaced.
    truncate(folder + "/" + names[0], 100)
    #expect(try !found().0)
    #expect(try found().0)
  }
}
