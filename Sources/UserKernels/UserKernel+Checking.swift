import HDRCore
import HDRPlan
import Kernels
import SPIRV
import SPIRVExecutor
import Shaders

extension UserKernel {
  /// Accepts a kernel that another process compiled: its untrusted module is read, made exact, linked, linted, and
  /// tried on the CPU.
  ///
  /// - Parameter digest: the digest of the kernel's text.
  /// - Throws: `KernelTextFault` for a kernel that is not accepted.
  package init(_ compiled: CompiledKernel, digest: String) throws(KernelTextFault) {
    let head = compiled.head
    do throws(KernelFault) {
      let module = try UserModule(compiled: compiled.words)
      let words = try Self.kernel(of: module)
      let program = try LinkedKernel(words, head)
      try self.init(linked: program, module, head, digest)
      guard program.operations(parameters: standardWords) <= UserModule.maxOperations else {
        throw KernelFault("a loop does not end within \(UserModule.maxOperations) operations a pixel")
      }
    } catch {
      // Lines after the text are not the user's.
      throw KernelTextFault(error.message, line: error.line.flatMap { $0 <= KernelHead.maxBytes ? $0 : nil } ?? 0)
    }
  }

  private init(
    linked program: LinkedKernel, _ module: UserModule, _ head: KernelHead, _ digest: String
  ) throws(KernelFault) {
    do throws(Expression.Fault) {
      try self.init(head: head, digest: digest, module: module, program: program)
    } catch {
      throw KernelFault("headroom scales: " + error.message)
    }
  }

  /// Returns a whole kernel with the module as its only stage.
  private static func kernel(of module: UserModule) throws(KernelFault) -> [UInt32] {
    let words: [UInt32], findings: [LintFinding]
    do throws(SPIRVError) {
      words = try ShaderLibrary.shared.get().kernel(
        stages: [KernelLibrary.Call(StageKind.user.rawValue, constants: 0, user: module)],
        sink: KernelLibrary.Call(SinkKind.rgba16f.rawValue, constants: 64))
      findings = try lint(words)
    } catch {
      throw KernelFault("its module is damaged")
    }
    if let finding = findings.first { throw KernelFault("\(finding)") }
    return words
  }
}

/// A kernel as the CPU runs it.
final class LinkedKernel: KernelProgram {
  private let function: PixelFunction
  private let head: KernelHead

  init(_ words: [UInt32], _ head: KernelHead) throws(KernelFault) {
    do throws(ExecutorError) {
      function = try PixelFunction(words, library: LibraryFunction.exact)
    } catch {
      throw KernelFault(error.description)
    }
    self.head = head
  }

  func makeRunner() -> KernelRunner { Runner(function, head) }

  /// Returns the largest number of operations over some test pixels of dark, bright and negative light.
  func operations(parameters: [UInt32]) -> Int {
    let values: [Float] = [0, 1e-3, 0.18, 0.5, 1, 2, 7.9, 100, -0.3, 1_048_576]
    let size = 10, strip = PixelStrip(function)
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 4 * size * size)
    defer { memory.deallocate() }
    let planes = (0..<4).map { memory + $0 * size * size }
    for (channel, step) in [1, 9, 8].enumerated() {
      for i in 0..<size * size { planes[channel][i] = values[i / step % values.count] }
    }
    planes[3].initialize(repeating: 1, count: size * size)
    let source = PixelSource(
      channels: planes.map { PixelRows(base: $0, rowBytes: 4 * size, stepBytes: 4) }, width: size, height: size)
    return parameters.withUnsafeBufferPointer { words in
      strip.run(
        planes, count: size * size,
        PixelHost(
          x: 0, y: 0, width: size, height: size, headroom: 4, contentHeadroom: 4, parameters: words,
          radius: head.radius,
          sources: [PixelSource](repeating: source, count: 1 + head.inputs.count)))
      return strip.operations
    }
  }

  private final class Runner: KernelRunner {
    private let strip: PixelStrip
    private let head: KernelHead
    private let parameters: Int

    init(_ function: PixelFunction, _ head: KernelHead) {
      strip = PixelStrip(function)
      self.head = head
      parameters = head.parameters.reduce(0) { $0 + $1.words }
    }

    override func run(_ s: Strip, _ c: StageContext) {
      let words = c.words(UserStage.Parameters.self)
      var sources: [PixelSource] = []
      if head.radius > 0 || !head.inputs.isEmpty {
        for source in 0...head.inputs.count {
          let size = words.size(of: source)
          let channels = (0..<(source == 0 ? Int(words.channels) : 4)).map { channel in
            let view = c.channels[4 * source + channel]
            return PixelRows(base: view.base, rowBytes: view.rowBytes, stepBytes: view.stepBytes)
          }
          // A kernel without a radius gets its own pixel alone.
          let isRead = source > 0 || head.radius > 0
          sources.append(PixelSource(channels: isRead ? channels : [], width: size.width, height: size.height))
        }
      }
      let host = PixelHost(
        x: s.x, y: s.y, width: Int(words.width), height: Int(words.height), headroom: words.headroom,
        contentHeadroom: words.contentHeadroom,
        parameters: UnsafeBufferPointer(start: c.constants + UserStage.Parameters.count, count: parameters),
        radius: head.radius, sources: sources)
      strip.run([s.red, s.green, s.blue, s.alpha], count: s.count, host)
      for channel in 0..<4 { for i in s.count..<s.padded { s.plane(channel)[i] = 0 } }
    }
  }
}
