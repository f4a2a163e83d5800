import GPURender
import HDRCore
import HDRPlan
import Kernels
import TestPlans
import TestSupport
import Testing

@Suite struct DeviceChoiceTests {
  static func device(
    _ index: Int, _ name: String, _ type: GPUDeviceType, uuid: String = "", pci: String? = nil, refusal: String? = nil
  ) -> GPUDeviceInfo {
    GPUDeviceInfo(
      index: index, name: name, type: type, vendorID: 1, deviceID: 2, driverName: "driver", driverInfo: "1",
      driverVersion: 1, apiVersion: "1.3.0", uuid: uuid, pciAddress: pci, heaps: [],
      floatControls: GPUFloatControls(
        roundToNearestEven: true, signedZeroInfNanPreserve: true, denormPreserve: false, denormFlushToZero: false),
      refusal: refusal)
  }

  static let machine = [
    device(0, "llvmpipe (LLVM 15.0.6, 256 bits)", .cpu, uuid: "6d657361-3232-2e33-2e36-000000000000"),
    device(1, "Intel(R) Graphics", .integrated, pci: "0000:00:02.0"),
    device(2, "NVIDIA H200", .discrete, uuid: "a0b1c2d3-0000-1111-2222-333344445555", pci: "0000:65:00.0"),
    device(3, "NVIDIA H200", .discrete, uuid: "b0b1c2d3-0000-1111-2222-333344445555", pci: "0000:66:00.0"),
  ]

  @Test func discreteDevicesComeFirstAndSoftwareNever() throws {
    #expect(try GPUDevice.choose(.automatic, from: Self.machine).index == 2)
    #expect(try GPUDevice.choose(.automatic, from: Array(Self.machine.prefix(2))).index == 1)
    #expect {
      try GPUDevice.choose(.automatic, from: Array(Self.machine.prefix(1)))
    } throws: { error in
      guard case GPUError.noDevice(let reason) = error else { return false }
      return reason.contains("llvmpipe") && reason.contains("device")
    }
    #expect(throws: GPUError.self) { try GPUDevice.choose(.automatic, from: []) }
  }

  @Test(arguments: [
    ("0", 0), ("3", 3), ("llvm", 0), ("INTEL", 1), ("nvidia", 2), ("b0b1c2d3-0000-1111-2222-333344445555", 3),
    ("B0B1C2D3000011112222333344445555", 3), ("0000:66:00.0", 3), ("66:00.0", 3),
  ]) func aDeviceAnswersToManyNames(asked: String, index: Int) throws {
    #expect(try GPUDevice.choose(.named(asked), from: Self.machine).index == index)
  }

  @Test func absentAndRefusedDevicesAreNamed() {
    #expect(throws: GPUError.noMatch(asked: "7", present: Self.machine.map { "\($0.index): \($0.name)" })) {
      try GPUDevice.choose(.named("7"), from: Self.machine)
    }
    let old = Self.device(0, "Old", .discrete, refusal: "it has no timeline semaphores")
    for selection in [GPUSelection.automatic, .named("old")] {
      #expect(throws: GPUError.unsuitable(device: "Old", reason: "it has no timeline semaphores")) {
        try GPUDevice.choose(selection, from: [old])
      }
    }
  }

  @Test("the first requirement that a device fails is the reason why it is refused")
  func requirements() {
    var facts = GPURequirement.Facts(
      apiVersion: 1 << 22 | 2 << 12, hasTimelineSemaphores: true, storageBuffers: 6, storageImages: 4,
      workGroupInvocations: 128, storesHalves: { true })
    #expect(GPURequirement.refusal(facts) == nil)
    facts.storesHalves = { false }
    #expect(GPURequirement.refusal(facts)?.contains("RGBA16F") == true)
    facts.workGroupInvocations = 127
    #expect(GPURequirement.refusal(facts)?.contains("128 invocations") == true)
    facts.storageImages = 3
    #expect(GPURequirement.refusal(facts) == "it binds fewer than 6 storage buffers or 4 storage images")
    (facts.storageImages, facts.storageBuffers) = (4, 5)
    #expect(GPURequirement.refusal(facts)?.contains("6 storage buffers") == true)
    facts.hasTimelineSemaphores = false
    #expect(GPURequirement.refusal(facts)?.contains("timeline") == true)
    facts.apiVersion = 1 << 22 | 1 << 12 | 9
    #expect(GPURequirement.refusal(facts) == "it knows Vulkan 1.1.9, 1.2 is needed")
  }

  @Test("a device must bind what kernels declare, and no more")
  func bindings() throws {
    let prelude = try SourceTree.text("Sources/Shaders/glsl/shared/prelude.glsl")
    // The tables are declared twice, as words and as entries, at one binding.
    let lines = prelude.split(separator: "\n").filter { $0.contains("binding =") }
    func count(_ word: String) -> Int {
      Set(lines.filter { $0.contains(word) }.compactMap { $0.firstMatch(of: /binding = (\d+)/)?.1 }).count
    }
    func refusal(buffers: Int, images: Int) -> String? {
      GPURequirement.refusal(
        GPURequirement.Facts(
          apiVersion: 1 << 22 | 2 << 12, hasTimelineSemaphores: true, storageBuffers: buffers, storageImages: images,
          workGroupInvocations: 128, storesHalves: { true }))
    }
    let buffers = count(" buffer "), images = count(" uimage2D ")
    #expect(buffers > 0 && images > 0 && refusal(buffers: buffers, images: images) == nil)
    #expect(refusal(buffers: buffers - 1, images: images) != nil)
    #expect(refusal(buffers: buffers, images: images - 1) != nil)
  }

  @Test func everyDeviceHereDescribesItself() {
    let found = GPUDevice.discover()
    #expect(found.devices.isEmpty == (found.reason != nil))
    for device in found.devices {
      #expect(!device.name.isEmpty && !device.heaps.isEmpty && device.uuid.count == 36)
    }
  }
}

@Suite struct BandPlannerTests {
  /// lavapipe's limits with a 2 GiB heap.
  static func limits(_ slotBytes: Int) -> BandLimits {
    BandLimits(
      slotBytes: slotBytes, storageRange: 128 << 20, alignment: 256, imageSide: 16_384, groups: (65_535, 65_535),
      localSize: (32, 4))
  }

  /// 200 megapixels of P010 in memory that is never touched.
  static func huge(_ orientation: Orientation, _ sink: SinkKind) -> Plan {
    let image = SampleImage.p010(width: 16_384, height: 12_288)
    return Recipes.plan(image, orientation: orientation, RenderRecipe(target: OutputSignal(encoding: .pq, sink: sink)))
  }

  @Test(arguments: [Orientation.up, .right], [SinkKind.rgba16, .planarYCC])
  func twoHundredMegapixelsGoInBands(orientation: Orientation, sink: SinkKind) throws {
    let plan = Self.huge(orientation, sink)
    let bands = try BandPlanner(plan: plan, limits: Self.limits(64 << 20)).bands()
    // Bands cover every row once, in order.
    #expect(bands.first?.rows.lowerBound == 0)
    #expect(bands.last?.rows.upperBound == plan.passes[0].height)
    #expect(zip(bands, bands.dropFirst()).allSatisfy { $0.rows.upperBound == $1.rows.lowerBound })
    let unit = plan.passes[0].sink.block.height
    #expect(bands.allSatisfy { $0.cost <= 64 << 20 && $0.rows.lowerBound % unit == 0 })
    // Nothing goes up much more than once: chroma rows at band edges, no more.
    let uploaded = bands.reduce(0) { $0 + $1.bytesRead }
    #expect(uploaded < 16_384 * 12_288 * 3 * 21 / 20)
  }

  /// Pictures between passes take half the memory as halves, and images are used again.
  @Test func halvesTakeHalfTheScratchSpace() throws {
    var recipe = RenderRecipe(target: OutputSignal(encoding: .linear, sink: .rgba16f))
    recipe.edits = [FilterStep("box-blur"), FilterStep("unsharp-mask"), FilterStep("rotate", ["angle": .number(7)])]
    func band(_ format: WorkingFormat) throws -> Band {
      recipe.workingFormat = format
      let plan = Recipes.plan(Recipes.interleaved(640, 480, channels: 4, bits: 8), recipe)
      #expect(plan.passes.count > 5)
      return try #require(try BandPlanner(plan: plan, limits: Self.limits(1 << 30)).bands().first)
    }
    let halves = try band(.rgba16f), floats = try band(.rgba32f)
    #expect(halves.scratchBytes == 0 && floats.images.isEmpty)
    #expect(halves.images.count <= 3)
    #expect(halves.images.reduce(0) { $0 + $1.bytes } * 100 <= floats.scratchBytes * 51)
  }

  @Test func bandsThatCannotFitAreErrors() {
    var limits = Self.limits(1 << 20)
    limits.storageRange = 4096
    #expect(throws: GPUError.self) { try BandPlanner(plan: Self.huge(.up, .rgba16), limits: limits).bands() }
  }
}
