import BatchEngine
import Foundation
import GPURender
import Measure
import TestSupport
import Testing

/// Tests the reasons why there is no GPU, with descriptions of machines.
@Suite struct GraphicsAdviceTests {
  static let loaderManifest = GraphicsFacts.Driver(
    manifest: "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", library: "/usr/lib/libvulkan_lvp.so")
  static let nvidiaManifest = GraphicsFacts.Driver(
    manifest: "/etc/vulkan/icd.d/nvidia_icd.json", library: "libGLX_nvidia.so.0")
  static let llvmpipe = DoctorTests.device(0, "llvmpipe", .cpu)
  static let card = DoctorTests.device(1, "NVIDIA H200", .discrete)

  /// A server with an NVIDIA GPU and all that belongs to it.
  static var server: GraphicsFacts {
    var facts = GraphicsFacts()
    facts.drivers = [loaderManifest, nvidiaManifest]
    facts.nvidiaNodes = [.init("/dev/nvidia0"), .init("/dev/nvidiactl")]
    facts.nvidiaModule = "550.54.15"
    facts.hasNVIDIALibrary = true
    return facts
  }

  /// The server's facts in a container that got the compute libraries only.
  static var computeContainer: GraphicsFacts {
    var facts = server
    facts.isContainer = true
    facts.hasNVIDIALibrary = false
    facts.drivers = [loaderManifest]
    facts.variables = ["NVIDIA_VISIBLE_DEVICES": "all", "NVIDIA_DRIVER_CAPABILITIES": "compute,utility"]
    return facts
  }

  func codes(_ facts: GraphicsFacts, _ devices: [ExaminedDevice] = [ExaminedDevice(llvmpipe)]) -> [String] {
    facts.advice(devices).map(\.code)
  }

  @Test func aGPUThatIsUsedNeedsNoAdvice() {
    #expect(codes(Self.server, [ExaminedDevice(Self.llvmpipe), ExaminedDevice(Self.card)]) == [])
  }

  @Test func containersWithoutGraphicsLibrariesAreTold() {
    let advice = Self.computeContainer.advice([ExaminedDevice(Self.llvmpipe)])
    #expect(advice.map(\.code) == ["container.graphics"])
    #expect(advice[0].text.contains("start it with NVIDIA_DRIVER_CAPABILITIES=graphics,compute"))
    #expect(advice[0].text.contains("it has compute,utility"))
    // The same libraries missing on a machine of its own.
    var host = Self.computeContainer
    host.isContainer = false
    host.variables = [:]
    let onHost = host.advice([])
    #expect(onHost.map(\.code) == ["driver.graphics"] && onHost[0].text.contains("libnvidia-gl-550"))
    // A container that has none of the devices.
    var none = Self.computeContainer
    none.nvidiaNodes = []
    #expect(codes(none) == ["container.devices"])
    none.variables["NVIDIA_VISIBLE_DEVICES"] = "void"
    #expect(none.advice([])[0].text.contains("NVIDIA_VISIBLE_DEVICES=void"))
    none.nvidiaModule = nil
    none.isContainer = false
    none.variables = [:]
    #expect(codes(none) == ["gpu.none"])
  }

  @Test func missingPartsOfNVIDIAsDriverAreNamed() {
    var facts = Self.server
    facts.drivers = [Self.loaderManifest]
    #expect(codes(facts) == ["driver.manifest"] && facts.advice([])[0].text.contains("nvidia_icd.json"))
    facts = Self.server
    facts.nvidiaNodes[0].opens = false
    #expect(codes(facts) == ["node.permission"] && facts.advice([])[0].text.contains("/dev/nvidia0"))
    // Everything seems to be there.
    #expect(codes(Self.server) == ["driver.silent"] && Self.server.advice([])[0].text.contains("550.54.15"))
  }

  @Test func missingLoadersAndWrongVariablesAreNamed() {
    var facts = Self.server
    facts.loaderFault = "libvulkan.so.1: cannot open shared object file"
    let missing = facts.advice([])
    #expect(missing.map(\.code) == ["loader.missing"] && missing[0].text.contains("install libvulkan1"))
    #expect(missing[0].text.contains("an NVIDIA GPU is here"))
    facts = Self.server
    facts.variables["VK_DRIVER_FILES"] = "/nowhere.json"
    facts.drivers = [.init(manifest: "/nowhere.json", library: nil, fault: "it is not there or cannot be read")]
    #expect(
      codes(facts, []) == ["driver.variable"] && facts.advice([])[0].text.contains("VK_DRIVER_FILES=/nowhere.json"))
    facts.drivers = []
    #expect(codes(facts, []) == ["driver.variable"])
    facts.drivers = [Self.loaderManifest]
    #expect(facts.advice([])[0].text.contains("leaves out the driver of the NVIDIA GPU"))
    // Control characters of a variable stay words.
    facts.variables["VK_DRIVER_FILES"] = "/a\n\u{1b}[31m"
    #expect(!facts.advice([])[0].text.contains("\n"))
  }

  @Test func faultsOfRenderNodesAndDriversAreNamed() {
    var facts = GraphicsFacts()
    facts.drivers = [Self.loaderManifest]
    facts.renderNodes = [.init("/dev/dri/renderD128", opens: false)]
    #expect(codes(facts) == ["node.permission"] && facts.advice([])[0].text.contains("render"))
    facts.renderNodes[0].opens = true
    #expect(codes(facts) == ["driver.missing"])
    facts.drivers[0].fault = "libLLVM-15.so.1 is not there"
    #expect(codes(facts, []) == ["driver.broken"] && facts.advice([])[0].text.contains("libLLVM"))
    facts.renderNodes = []
    facts.drivers = []
    #expect(codes(facts, []) == ["driver.none"])
    facts.drivers = [Self.loaderManifest]
    #expect(codes(facts) == ["gpu.none"])
    facts.isContainer = true
    #expect(facts.advice([])[0].text.contains("--gpus all"))
  }

  @Test func refusedAndWrongDevicesAreToldByName() {
    var old = Self.card
    old.refusal = "it knows Vulkan 1.1.70, 1.2 is needed"
    let refused = Self.server.advice([ExaminedDevice(old)])
    #expect(refused.map(\.code) == ["gpu.unsuitable"] && refused[0].text.contains("Vulkan 1.1.70"))
    let wrong = ExaminedDevice(Self.card, fault: .selfTest(device: "NVIDIA H200", differing: 17))
    #expect(codes(Self.server, [wrong]) == ["gpu.self-test"])
    #expect(Self.server.advice([wrong])[0].text.contains("17 words"))
    #expect(codes(Self.server, [ExaminedDevice(Self.card, fault: .deviceLost(device: "x"))]) == ["gpu.lost"])
    // A bad device beside a good one is reported too; a hidden one as well.
    var second = Self.card
    second.index = 2
    #expect(codes(Self.server, [wrong, ExaminedDevice(second)]) == ["gpu.self-test"])
    let hidden = Self.server.advice(
      [ExaminedDevice(Self.card)], grant: "CUDA_VISIBLE_DEVICES= gives this process no GPU")
    #expect(hidden.map(\.code) == ["gpu.hidden"] && hidden[0].text.contains("--device"))
    #expect(Self.server.advice([], isAnswered: false).map(\.code) == ["driver.hangs"])
  }
}

/// The command, and the drivers' answers.
@Suite struct DoctorTests {
  static func device(_ index: Int, _ name: String, _ type: GPUDeviceType) -> GPUDeviceInfo {
    GPUDeviceInfo(
      index: index, name: name, type: type, vendorID: 0x10DE, deviceID: 2, driverName: "driver", driverInfo: "1",
      driverVersion: 1, apiVersion: "1.3.0", uuid: "", pciAddress: nil, heaps: [],
      floatControls: GPUFloatControls(
        roundToNearestEven: true, signedZeroInfNanPreserve: true, denormPreserve: false, denormFlushToZero: false),
      refusal: nil)
  }

  /// A driver that hangs costs the timeout and no more, and earlier answers stand.
  @Test func driversThatHangAreNotWaitedFor() {
    let begin = ContinuousClock.now
    let probe = GraphicsProbe.run(timeout: 0.2) { answers in
      answers.found(GPUDiscovery(devices: [Self.device(0, "Slow", .discrete)], reason: nil))
      sleep(20)
    }
    #expect(ContinuousClock.now - begin < .seconds(5))
    #expect(!probe.isAnswered && probe.discovery?.devices.count == 1)
    let text = Doctor(probe: probe).lines.joined(separator: "\n")
    #expect(text.contains("a driver has not answered") && text.contains("[driver.hangs]"), "\(text)")
  }

  @Test(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func doctorTellsEverythingInTime() throws {
    let begin = ContinuousClock.now
    let result = try Program.run(["doctor", "--json"])
    let seconds = ContinuousClock.now - begin
    #expect(result.status == 0)
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any] ?? [:]
    let own = object["seconds"] as? Double ?? 99
    print("doctor: \(own) s, as a process \(seconds)")
    // Alone on two cores it takes a second; here other tests run beside it.
    #expect(own < 10)
    let vulkan = object["vulkan"] as? [String: Any] ?? [:]
    #expect(vulkan["answered"] as? Bool == true)
    let precautions = object["precautions"] as? [String: Any] ?? [:]
    #expect((precautions["kernelDigest"] as? String)?.count == 64)
    #expect((precautions["kernelFindings"] as? [Any])?.isEmpty == true)
    let isolation = object["isolation"] as? [String: Any] ?? [:]
    let processes = isolation["processes"] as? [[String: Any]] ?? []
    #expect(processes.map { $0["kind"] as? String } == ["decode", "encode", "wrap", "hdrbatch"])
    for process in processes {
      let isCodec = process["kind"] as? String != "hdrbatch"
      #expect(process["seccomp"] as? Bool == isCodec, "\(process)")
      if isCodec { #expect(process["noNewPrivileges"] as? Bool == true && process["capabilities"] as? String == "0") }
    }
    let devices = vulkan["devices"] as? [[String: Any]] ?? []
    guard let device = devices.first else { return print("skipped: no Vulkan device") }
    let loader = vulkan["loader"] as? [String: Any] ?? [:]
    #expect((loader["path"] as? String)?.contains("/libvulkan.so.1") == true, "\(loader)")
    #expect((loader["version"] as? String)?.hasPrefix("1.") == true)
    let test = device["selfTest"] as? [String: Any] ?? [:]
    #expect(test["passed"] as? Bool == true && (test["seconds"] as? Double ?? 0) > 0)
    let codecs = try #require(test["codecs"] as? [[String: Any]])
    #expect(codecs.map { $0["codec"] as? String } == ["JPEG encoder", "Deflate", "JPEG decoder"])
    #expect(codecs.allSatisfy { $0["passed"] as? Bool == true && $0["reason"] is NSNull }, "\(codecs)")
    let families = device["queueFamilies"] as? [[String: Any]] ?? []
    let uses = families.flatMap { $0["uses"] as? [String] ?? [] }
    #expect(Set(uses) == ["compute", "upload", "readback"])
    #expect((device["heaps"] as? [Any])?.isEmpty == false)
  }

  @Test(.enabled(if: Program.url != nil, "skipped: hdrbatch is not built beside the tests"))
  func hiddenDriversAreExplained() throws {
    let hidden = ["VK_DRIVER_FILES": "/nowhere/icd.json", "VK_ICD_FILENAMES": "/nowhere/icd.json"]
    let text = try Program.run(["doctor"], environment: hidden).output
    #expect(text.contains("VK_DRIVER_FILES=/nowhere/icd.json") && text.contains("[driver.variable]"), "\(text)")
    #expect(text.contains("unset it") && text.contains("--backend auto renders on the CPU"), "\(text)")
    #expect(text.split(separator: "\n").allSatisfy { $0.count < 400 })
    // A scheduler that gave nothing.
    let none = try Program.run(["doctor", "--json"], environment: ["CUDA_VISIBLE_DEVICES": ""]).output
    let object = try JSONSerialization.jsonObject(with: Data(none.utf8)) as? [String: Any] ?? [:]
    let advice = (object["vulkan"] as? [String: Any])?["advice"] as? [[String: String]] ?? []
    #expect(advice.contains { $0["code"] == "gpu.hidden" }, "\(advice)")
  }
}
