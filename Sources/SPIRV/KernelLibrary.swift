/// All stages and sinks as one SPIR-V module, read so that kernels can be put together from it.
///
/// The module holds every stage `vec4 NAME(vec4, uint)`, every sink `void NAME(uvec2, uint)`, `void
/// begin_pixel(uvec2)`, and three functions whose bodies are placeholders: `vec4 program(uvec2)`, which sinks call for
/// the value of a pixel, `void sink_block(uvec2)`, which `main` calls once an invocation, and `uint half_sources()`,
/// which sources are pictures of halves. A kernel is the module with those bodies replaced and everything unreachable
/// left out; one without such sources has no body of `half_pixel` either, so that it names no image. No compiler is
/// needed at run time.
package struct KernelLibrary: Sendable {
  /// A step of a kernel: the GLSL function and the offset of its parameters from the pass's first constant word.
  package struct Call: Sendable, Hashable {
    package var function: String
    package var constants: UInt32
    /// The kernel that the stage `user` stands for.
    package var user: UserModule?
    package init(_ function: String, constants: UInt32, user: UserModule? = nil) {
      self.function = function
      self.constants = constants
      self.user = user
    }
  }

  /// Names of the functions in the module, as in GLSL.
  package let functionNames: [String]
  /// Invocations of a work-group in x and y.
  package let localSize: (x: Int, y: Int)

  private static let global = -1

  struct Function: Sendable {
    var id: UInt32
    var type: UInt32
    var words: ArraySlice<UInt32>
    /// Words of OpFunction, the parameters and the first label, which a replaced body keeps.
    var prologue: ArraySlice<UInt32>
    var parameters: [UInt32]
    var callees: [Int]

    /// The ids that the prologue defines.
    var headIDs: [UInt32] { parameters + [id, prologue.last ?? 0] }
  }

  private let header: [UInt32]
  private let preamble: ArraySlice<UInt32>
  /// Names and decorations with the function that owns their target; `global` if no function does. Those of placeholder
  /// bodies are left out.
  private let annotations: [(words: ArraySlice<UInt32>, target: UInt32, owner: Int)]
  private let globals: ArraySlice<UInt32>
  private let functions: [Function]
  private let byName: [String: Int]
  private let entry: Int, program: Int, sinkBlock: Int, beginPixel: Int, halfSources: Int, halfPixel: Int
  /// The ids that `half_pixel` keeps where its body is replaced.
  private let halfPixelHead: Set<UInt32>
  private let types: Types
  /// The ids of types and constants, by their words without the id.
  let globalIDs: [[UInt32]: UInt32]

  /// Reads a library module.
  ///
  /// - Throws: `.malformed`, or `.missingFunction` when one of the fixed functions is absent.
  package init(_ words: [UInt32]) throws(SPIRVError) {
    let all = try instructions(of: words)
    let sections = try Sections(words, all)
    header = Array(words[..<Header.words])
    preamble = sections.preamble
    globals = sections.globals
    globalIDs = Self.globalIDs(sections.globals)

    let contents = Contents(words, all)
    functions = contents.functions
    byName = contents.byName
    functionNames = byName.keys.sorted()
    localSize = contents.localSize
    entry = try contents.entry()
    program = try contents.function(named: "program")
    sinkBlock = try contents.function(named: "sink_block")
    beginPixel = try contents.function(named: "begin_pixel")
    halfSources = try contents.function(named: "half_sources")
    halfPixel = try contents.function(named: "half_pixel")
    halfPixelHead = Set(functions[halfPixel].headIDs)

    // A kernel must not have the ids that placeholder bodies define after the parts that are kept.
    let placeholders = [program, sinkBlock, halfSources]
    let kept = Set(placeholders.flatMap { contents.functions[$0].headIDs })
    annotations = contents.annotations.compactMap { words, target in
      let owner = contents.owners[target] ?? Self.global
      return placeholders.contains(owner) && !kept.contains(target) ? nil : (words, target, owner)
    }

    types = try Types(words, all, program: functions[program], sinkBlock: functions[sinkBlock])
    guard functions[beginPixel].type == types.block, functions[program].parameters.count == 1 else {
      throw .unexpectedType(function: "begin_pixel")
    }
  }

  /// The names of the functions with a stage's or a sink's signature.
  package var stageNames: [String] { functionNames.filter { functions[byName[$0]!].type == types.stage } }
  package var sinkNames: [String] { functionNames.filter { functions[byName[$0]!].type == types.sink } }

  /// Returns the module of one kernel: for each pixel that the sink needs, `stages` in order from vec4(0).
  ///
  /// - Parameter halfSources: bit s is set if source s is a half-float picture.
  /// - Throws: `.missingFunction` or `.unexpectedType` for a name that is no stage or no sink of the library.
  package func kernel(stages: [Call], sink: Call, halfSources halves: UInt32 = 0) throws(SPIRVError) -> [UInt32] {
    var stageIndices: [Int] = []
    for call in stages { stageIndices.append(try index(of: call, type: types.stage)) }
    let sinkIndex = try index(of: sink, type: types.sink)
    var linker = ModuleLinker(self, Ids(next: header[Header.bound]))
    var stageIDs: [UInt32] = []
    for (call, index) in zip(stages, stageIndices) {
      stageIDs.append(try call.user.map { (user) throws(SPIRVError) in try linker.stage(user) } ?? functions[index].id)
    }

    var live = [Bool](repeating: false, count: functions.count)
    var stack = [entry]
    while let index = stack.popLast() {
      if live[index] { continue }
      live[index] = true
      if index == program {
        stack += zip(stages, stageIndices).filter { $0.0.user == nil }.map(\.1) + linker.callees + [beginPixel]
      } else if index == sinkBlock {
        stack.append(sinkIndex)
      } else if index != halfPixel || halves != 0 {
        stack += functions[index].callees
      }
    }

    var ids = linker.ids
    var newGlobals = linker.globals
    var offsets: [UInt32: UInt32] = [:]
    for call in stages + [sink] where offsets[call.constants] == nil {
      let id = ids.make()
      offsets[call.constants] = id
      newGlobals += [head(Op.constant, 4), types.uint, id, call.constants]
    }
    let zero = ids.make(), mask = ids.make()
    newGlobals += [head(Op.constantNull, 3), types.vec4, zero, head(Op.constant, 4), types.uint, mask, halves]

    var result = header
    result.reserveCapacity(header.count + preamble.count + globals.count + 4096)
    result += preamble
    result += linker.names
    for (words, target, owner) in annotations where owner == Self.global || live[owner] {
      if owner == halfPixel && halves == 0 && !halfPixelHead.contains(target) { continue }
      result += words
    }
    result += linker.decorations
    result += globals
    result += newGlobals
    for (index, function) in functions.enumerated() where live[index] {
      if index == program {
        let calls = zip(stageIDs, stages).map { ($0, offsets[$1.constants]!) }
        result += programBody(calls, zero: zero, ids: &ids)
      } else if index == sinkBlock {
        result += sinkBody(functions[sinkIndex].id, offset: offsets[sink.constants]!, ids: &ids)
      } else if index == halfSources {
        result += function.prologue + [head(Op.returnValue, 2), mask, head(Op.functionEnd, 1)]
      } else if index == halfPixel && halves == 0 {
        result += function.prologue + [head(Op.returnValue, 2), zero, head(Op.functionEnd, 1)]
      } else {
        result += function.words
      }
    }
    result += linker.functions
    result[Header.bound] = ids.next
    return result
  }

  private func index(of call: Call, type: UInt32) throws(SPIRVError) -> Int {
    guard let index = byName[call.function] else { throw .missingFunction(call.function) }
    guard functions[index].type == type else { throw .unexpectedType(function: call.function) }
    return index
  }

  struct Ids {
    var next: UInt32
    mutating func make() -> UInt32 {
      defer { next += 1 }
      return next
    }
  }

  // MARK: For the linker

  func index(named name: String) throws(SPIRVError) -> Int {
    guard let index = byName[name] else { throw .missingFunction(name) }
    return index
  }
  func id(of function: Int) -> UInt32 { functions[function].id }
  func callees(of function: Int) -> Set<Int> { Set(functions[function].callees) }
  func words(of function: Int) -> ArraySlice<UInt32> { functions[function].words }

  /// Returns the ids that a function defines.
  func defined(in function: Int) throws(SPIRVError) -> Set<UInt32> {
    var result: Set<UInt32> = []
    for i in try instructions(in: functions[function].words) {
      if let place = InstructionShape(i.opcode)?.resultPlace {
        result.insert(functions[function].words[i.start + place])
      }
    }
    return result
  }

  /// Writes `begin_pixel(xy); p = vec4(0); p = stage(p, k); ...; return p`. Parameters go through variables because
  /// GLSL functions may write to theirs.
  private func programBody(_ calls: [(function: UInt32, offset: UInt32)], zero: UInt32, ids: inout Ids) -> [UInt32] {
    let p = ids.make(), k = ids.make(), xy = ids.make(), position = ids.make()
    var body = Array(functions[program].prologue)
    body += [head(Op.variable, 4), types.vec4Pointer, p, Code.functionStorage]
    body += [head(Op.variable, 4), types.uintPointer, k, Code.functionStorage]
    body += [head(Op.variable, 4), types.uvec2Pointer, xy, Code.functionStorage]
    body += [head(Op.load, 4), types.uvec2, position, functions[program].parameters[0]]
    body += [head(Op.store, 3), xy, position]
    body += [head(Op.functionCall, 5), types.void, ids.make(), functions[beginPixel].id, xy]
    var value = zero
    for call in calls {
      let next = ids.make()
      body += [head(Op.store, 3), p, value, head(Op.store, 3), k, call.offset]
      body += [head(Op.functionCall, 6), types.vec4, next, call.function, p, k]
      value = next
    }
    return body + [head(Op.returnValue, 2), value, head(Op.functionEnd, 1)]
  }

  /// Writes `sink(block, k)`.
  private func sinkBody(_ sink: UInt32, offset: UInt32, ids: inout Ids) -> [UInt32] {
    let block = ids.make(), k = ids.make(), position = ids.make()
    var body = Array(functions[sinkBlock].prologue)
    body += [head(Op.variable, 4), types.uvec2Pointer, block, Code.functionStorage]
    body += [head(Op.variable, 4), types.uintPointer, k, Code.functionStorage]
    body += [head(Op.load, 4), types.uvec2, position, functions[sinkBlock].parameters[0]]
    body += [head(Op.store, 3), block, position, head(Op.store, 3), k, offset]
    body += [head(Op.functionCall, 6), types.void, ids.make(), sink, block, k]
    return body + [head(Op.return, 1), head(Op.functionEnd, 1)]
  }
}
