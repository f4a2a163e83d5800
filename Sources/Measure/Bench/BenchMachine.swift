import FileParts
import BatchEngine
import CPURender
import CPlatform
import GPURender
import Glibc
import HDRCore
import HDRRender
import ImageFiles
import PlainData

/// The machine that a bench ran on: the header of every report.
package struct BenchMachine: Sendable {
  package var version: String
  /// The time when the bench began, UTC, as ISO 8601 writes it.
  package var date: String
  package var cpuModel: String
  /// Logical processors that are online, and threads that this process may use.
  package var processors: Int
  package var threads: Int
  package var instructionSet: String
  package var memoryBytes: Int
  package var system: String
  package var kernel: String
  package var libc: String
  /// The load average of the last minute: other work makes figures worse.
  package var loadAverage: Double
  package var devices: [GPUDeviceInfo]
  /// The reason why there is no device, where there is none.
  package var noDevice: String?
  package var codecs: [CodecLibrary]

  /// Describes this machine as it is now.
  package init() {
    self.version = hdrbatchVersion
    date = Self.now()
    cpuModel = Self.field("model name", in: "/proc/cpuinfo") ?? "unknown"
    processors = sysconf(Int32(_SC_NPROCESSORS_ONLN))
    threads = Allotment.threads
    instructionSet = CPUBackend.best.instructionSet
    memoryBytes = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
    system =
      (MachineView.current.file("/etc/os-release") ?? "").split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }
      .map { $0.dropFirst("PRETTY_NAME=".count).filter { $0 != "\"" } } ?? "Linux"
    var name = utsname()
    uname(&name)
    kernel = withUnsafeBytes(of: name.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    var version = [CChar](repeating: 0, count: 64)
    let length = confstr(Int32(_CS_GNU_LIBC_VERSION), &version, version.count)
    libc = length > 0 ? String(decoding: version.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) : "?"
    var load = [0.0, 0.0, 0.0]
    loadAverage = getloadavg(&load, 3) > 0 ? load[0] : 0
    let discovery = GPUDevice.discover()
    devices = discovery.devices
    noDevice = discovery.reason
    codecs = codecLibraries()
  }

  private static func now() -> String {
    var seconds = time(nil), parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T\(two(parts.tm_hour)):"
      + "\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  /// Returns the value of the first `key : value` line.
  private static func field(_ key: String, in path: String) -> String? {
    for line in (MachineView.current.file(path) ?? "").split(separator: "\n") where line.hasPrefix(key) {
      return line.split(separator: ":", maxSplits: 1).last?.drop { $0 == " " }.description
    }
    return nil
  }

  package var json: JSON {
    [
      "hdrbatch": .string(version), "date": .string(date), "cpu": .string(cpuModel), "processors": .int(processors),
      "threads": .int(threads), "isa": .string(instructionSet), "memoryBytes": .int(memoryBytes),
      "system": .string(system), "kernel": .string(kernel), "libc": .string(libc),
      "loadAverage": .number(rounded(loadAverage)),
      "devices": .array(
        devices.map {
          [
            "name": .string($0.name), "type": .string($0.type.rawValue), "driver": .string($0.driverName),
            "driverInfo": .string($0.driverInfo), "apiVersion": .string($0.apiVersion), "pci": .maybe($0.pciAddress),
          ]
        }),
      "noDevice": .maybe(noDevice),
      "codecs": .object(codecs.map { JSON.Field($0.name, .maybe($0.version)) }),
    ]
  }

  /// The facts of `json` as text.
  package var lines: [String] {
    var lines = [
      "hdrbatch \(version), \(date)",
      "\(cpuModel), \(threads) of \(processors) processors, \(instructionSet), \(memoryBytes >> 30) GiB",
      "\(system), Linux \(kernel), \(libc); load \(decimals(loadAverage, 1)) when it began",
    ]
    lines += devices.map {
      "\($0.name) (\($0.type.rawValue)), \($0.driverName) \($0.driverInfo), Vulkan \($0.apiVersion)"
    }
    if devices.isEmpty { lines.append("no Vulkan device" + (noDevice.map { ": \($0)" } ?? "")) }
    lines.append(codecs.map { $0.name + ($0.version.map { " " + $0 } ?? "") }.joined(separator: ", "))
    return lines
  }
}
