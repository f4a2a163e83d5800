/// An error that says why a kernel is refused.
package struct KernelFault: Error, Sendable, Hashable {
  /// The line of the kernel's text, if the module states it.
  package var line: Int?
  package var message: String

  package init(_ message: String, line: Int? = nil) { (self.message, self.line) = (message, line) }
}

/// A user's compiled kernel, ready to be linked into kernels: functions that call the library's.
///
/// Reading the module replaces the operations that GLSL leaves to devices (`ExactRewriter`), and refuses those without
/// an exact replacement. The words are untrusted: they come from a process that has parsed untrusted text.
package struct UserModule: Sendable, Hashable {
  /// The largest number of operations of one pixel: each turn of a loop counts all operations of its function. Loops
  /// end there, on every device with the same result.
  package static let maxOperations = 1 << 17
  /// The largest number of words of a compiled module.
  static let maxWords = 1 << 17

  /// Names that the compiled text must give its own function, and names of library functions that it may call.
  static let entryName = "kernel_entry"
  static let libraryNames: Set = [
    "kernel_float", "kernel_word", "kernel_headroom", "kernel_content_headroom", "kernel_position", "kernel_size",
    "kernel_pixel",
  ]
  /// Names of the variables outside functions that the text around a kernel declares.
  static let variableNames: Set = ["position", "pictureSize", "headroom", "contentHeadroom", operationsName]
  static let operationsName = "kernel_operations"

  /// The instructions of types, constants and variables.
  private(set) var globals: [UInt32] = []
  private(set) var functions: [UInt32] = []
  /// The names of library functions, by the ids that calls use here.
  private(set) var imports: [UInt32: String] = [:]
  private(set) var entry: UInt32 = 0
  /// The variable that counts operations.
  private(set) var counter: UInt32?
  /// The operations of a pixel, loops once.
  package private(set) var operations = 0
  /// The largest number of operations of a pixel, with all turns of loops.
  package var largestOperations: Int { counter == nil ? operations : Self.maxOperations }
  private var fingerprint: UInt64 = 0xcbf2_9ce4_8422_2325

  /// - Parameter words: the module that glslang made of a kernel's text and the text around it.
  /// - Throws: `KernelFault` for the first thing that is not exact, not known, or too large.
  package init(compiled words: [UInt32]) throws(KernelFault) {
    guard words.count <= Self.maxWords else { throw KernelFault("the kernel is too long") }
    let all: [Instruction]
    do throws(SPIRVError) {
      all = try instructions(of: words)
    } catch {
      throw KernelFault("its module is damaged")
    }
    var rewriter = ExactRewriter(words)
    let functionsAt = all.firstIndex { $0.opcode == Op.function } ?? all.count
    for i in all[..<functionsAt] { try rewriter.readGlobal(i) }
    try rewriter.readFunctions(all[functionsAt...])
    (globals, functions, imports) = (rewriter.globals, rewriter.made, rewriter.imports)
    guard let entry = rewriter.entry else { throw KernelFault("it has no function vec4 kernel(vec4 p, Parameters q)") }
    self.entry = entry
    counter = rewriter.operationsVariable
    for word in globals + functions { fingerprint = (fingerprint ^ UInt64(word)) &* 0x100_0000_01b3 }
    operations = try rewriter.weight(of: entry)
    guard operations <= Self.maxOperations else {
      throw KernelFault("it has \(operations) operations a pixel, more than \(Self.maxOperations)")
    }
  }
  // Kernels are looked up for every pass of a picture, so the hash must be fast.
  package func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}
