/// Why a kernel is not taken.
public struct KernelFault: Error, Sendable, Hashable {
  /// Of the kernel's text, where the module tells.
  public var line: Int?
  public var message: String

  public init(_ message: String, line: Int? = nil) { (self.message, self.line) = (message, line) }
}

/// A user's kernel as it is put into kernels: functions that call the library's.
///
/// What GLSL leaves to devices is replaced when the module is read (`ExactRewriter`); what has no exact replacement is
/// refused. Nothing in the words is trusted: they come from a process that has parsed untrusted text.
public struct UserModule: Sendable, Hashable {
  /// Operations of one pixel, at most: each turn of a loop counts all those of the function that it is in. Loops end
  /// there, on every device with the same result.
  public static let mostOperations = 1 << 17
  /// Words of a compiled module.
  static let mostWords = 1 << 17

  /// What the compiled text must call its own function, and what it may call of the library's.
  static let entryName = "kernel_entry"
  static let libraryNames: Set = [
    "kernel_float", "kernel_word", "kernel_headroom", "kernel_content_headroom", "kernel_position", "kernel_size",
    "kernel_pixel",
  ]
  /// Variables outside functions that the text around a kernel declares.
  static let variableNames: Set = ["position", "pictureSize", "headroom", "contentHeadroom", operationsName]
  static let operationsName = "kernel_operations"

  /// Instructions of types, constants and variables.
  private(set) var globals: [UInt32] = []
  private(set) var functions: [UInt32] = []
  /// Functions of the library by the ids that calls have here.
  private(set) var imports: [UInt32: String] = [:]
  private(set) var entry: UInt32 = 0
  /// The variable that counts operations.
  private(set) var counter: UInt32?
  /// Operations of a pixel, loops once.
  public private(set) var operations = 0
  /// Operations of a pixel at most, loops with all their turns.
  public var largestOperations: Int { counter == nil ? operations : Self.mostOperations }
  private var fingerprint: UInt64 = 0xcbf2_9ce4_8422_2325

  /// - Parameter words: what glslang made of a kernel's text between `KernelText`'s.
  /// - Throws: `KernelFault` for the first thing that is not exact, not known, or too much.
  public init(compiled words: [UInt32]) throws(KernelFault) {
    guard words.count <= Self.mostWords else { throw KernelFault("the kernel is too long") }
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
    guard operations <= Self.mostOperations else {
      throw KernelFault("it has \(operations) operations a pixel, more than \(Self.mostOperations)")
    }
  }
  // Kernels are looked up for every pass of a picture: equal ones are compared, others differ here.
  public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}
