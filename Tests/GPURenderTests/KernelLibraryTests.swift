import Foundation
import HDRCore
import HDRPlan
import Kernels
import SPIRV
import Shaders
import Testing

/// The composer: every kernel is a valid module, keeps the contract, and holds nothing that it does not run.
@Suite struct KernelLibraryTests {
  static let library = try! ShaderLibrary.library()

  static func call(_ stage: StageKind, _ constants: UInt32) -> KernelLibrary.Call {
    KernelLibrary.Call(stage.rawValue, constants: constants)
  }

  static func sink(_ kind: SinkKind, _ constants: UInt32) -> KernelLibrary.Call {
    KernelLibrary.Call(kind.rawValue, constants: constants)
  }

  /// A long chain as recipes make them.
  static let longChain: [KernelLibrary.Call] = [
    call(.loadSamples, 0), call(.yccToRGB, 11), call(.curve, 20), call(.gainMap, 60), call(.matrix3, 71),
    call(.scaleByMax, 80), call(.matrix3, 90), call(.desaturate, 99), call(.curve, 110), call(.lut3D, 150),
  ]

  @Test func libraryHasEveryStageAndSink() {
    #expect(Set(StageKind.allCases.map(\.rawValue)).isSubset(of: Self.library.stageNames))
    #expect(Set(SinkKind.allCases.map(\.rawValue)).isSubset(of: Self.library.sinkNames))
    #expect(ShaderLibrary.functionNames.contains("program"))
  }

  @Test func libraryKeepsTheContract() throws {
    #expect(try lint(ShaderLibrary.words) == [])
  }

  @Test(arguments: StageKind.allCases) func singleStageKernelIsValid(stage: StageKind) throws {
    let words = try Self.library.kernel(stages: [Self.call(stage, 3)], sink: Self.sink(.rgba16f, 40))
    #expect(try lint(words) == [])
    try expectValid(words)
  }

  @Test(arguments: SinkKind.allCases) func everySinkTakesALongChain(kind: SinkKind) throws {
    let words = try Self.library.kernel(stages: Self.longChain, sink: Self.sink(kind, 170))
    #expect(try lint(words) == [])
    try expectValid(words)
    // The other sinks are gone.
    let kept = try KernelLibrary(words).sinkNames
    #expect(kept == [kind.rawValue])
  }

  @Test("entries of curves and LUTs are read in one load", arguments: [StageKind.curve, .lut3D, .lut3DTrilinear])
  func entriesAreLoadedWhole(stage: StageKind) throws {
    let words = try Self.library.kernel(stages: [Self.call(stage, 3)], sink: Self.sink(.rgba16f, 40))
    let all = try instructions(of: words)
    // OpName and OpAccessChain.
    func variable(_ name: String) -> UInt32? {
      all.first { $0.opcode == 5 && text(words, from: $0.start + 2, to: $0.start + $0.count) == name }
        .map { words[$0.start + 1] }
    }
    func reads(_ name: String) -> Int {
      all.count { $0.opcode == 65 && words[$0.start + 3] == variable(name) }
    }
    #expect(variable("table_words") != nil && variable("table_entries") != nil)
    #expect(reads("table_entries") >= 1 && reads("table_words") == 0)
  }

  @Test func sinkAloneIsValid() throws {
    let words = try Self.library.kernel(stages: [], sink: Self.sink(.rgba16, 0))
    try expectValid(words)
    #expect(words.count < ShaderLibrary.words.count / 3)
  }

  @Test func unknownNamesAreErrors() {
    #expect(throws: SPIRVError.missingFunction("sharpen")) {
      try Self.library.kernel(stages: [KernelLibrary.Call("sharpen", constants: 0)], sink: Self.sink(.rgba8, 0))
    }
    // A sink is no stage.
    #expect(throws: SPIRVError.unexpectedType(function: "store_rgba8")) {
      try Self.library.kernel(stages: [KernelLibrary.Call("store_rgba8", constants: 0)], sink: Self.sink(.rgba8, 0))
    }
  }

  @Test func compositionIsFast() throws {
    let clock = ContinuousClock()
    let times = try (0..<20).map { _ in
      try clock.measure { _ = try Self.library.kernel(stages: Self.longChain, sink: Self.sink(.rgba16f, 170)) }
    }
    let best = times.min() ?? .zero
    print("compose, 10 stages: \(best)")
    #expect(best < .milliseconds(50))
  }
}

@Suite struct LintTests {
  @Test func pinningTwiceChangesNothing() throws {
    let words = ShaderLibrary.words
    #expect(try pinningArithmetic(words) == words)
  }

  @Test func aMissingDecorationIsFoundAndMended() throws {
    // Turn every NoContraction (42) into Restrict (19), which means nothing here.
    var words = ShaderLibrary.words
    for i in try instructions(of: words) where i.opcode == Op.decorate && words[i.start + 2] == Code.noContraction {
      words[i.start + 2] = 19
    }
    let findings = try lint(words)
    #expect(!findings.isEmpty)
    #expect(
      findings.allSatisfy { if case .contractible = $0 { true } else { false } })
    #expect(try lint(try pinningArithmetic(words)) == [])
  }

  @Test func forbiddenInstructionsAreFound() throws {
    // Every multiplication becomes a division.
    var words = ShaderLibrary.words
    for i in try instructions(of: words) where i.opcode == Op.fMul {
      words[i.start] = head(Op.fDiv, i.count)
    }
    #expect(try lint(words).contains { $0.description.contains("OpFDiv") })
  }

  @Test func missingRoundingModeIsFound() throws {
    var words = Array(ShaderLibrary.words.prefix(Header.words))
    for i in try instructions(of: ShaderLibrary.words) where i.opcode != Op.executionMode {
      words += ShaderLibrary.words[i.start..<i.start + i.count]
    }
    #expect(try lint(words) == [.roundingModeMissing])
  }

  @Test func rubbishIsMalformed() {
    #expect(throws: SPIRVError.malformed(word: 0)) { try lint([1, 2, 3]) }
    #expect(throws: SPIRVError.malformed(word: 5)) { try lint([Header.magic, 0, 0, 10, 0, 0x000f_0000]) }
    #expect(throws: SPIRVError.self) { try KernelLibrary([Header.magic, 0, 0, 10, 0]) }
  }
}

/// Runs spirv-val (package spirv-tools) where it is installed.
func expectValid(_ words: [UInt32], sourceLocation: SourceLocation = #_sourceLocation) throws {
  guard FileManager.default.isExecutableFile(atPath: "/usr/bin/spirv-val") else { return }
  let file = FileManager.default.temporaryDirectory.appendingPathComponent("kernel-\(UUID().uuidString).spv")
  defer { try? FileManager.default.removeItem(at: file) }
  try words.withUnsafeBytes { try Data($0).write(to: file) }
  let process = Process(), pipe = Pipe()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/spirv-val")
  process.arguments = ["--target-env", "vulkan1.1", file.path]
  process.standardOutput = pipe
  process.standardError = pipe
  try process.run()
  let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  #expect(process.terminationStatus == 0, "\(said)", sourceLocation: sourceLocation)
}
