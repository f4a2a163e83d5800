/// The reading of a library module: sections, functions, names and types.
extension KernelLibrary {
  /// The parts of a module between its header and its first function.
  struct Sections {
    /// The words before types, without names and decorations.
    let preamble: ArraySlice<UInt32>
    /// Types, constants, variables.
    let globals: ArraySlice<UInt32>

    init(_ words: [UInt32], _ all: [Instruction]) throws(SPIRVError) {
      let annotation = all.first { (5...8).contains($0.opcode) || $0.opcode == Op.decorate }
      let type = all.first { (Op.typeVoid...Op.typeForwardPointer).contains($0.opcode) }
      let function = all.first { $0.opcode == Op.function }
      guard let annotation, let type, let function, annotation.start < type.start, type.start < function.start
      else { throw .malformed(word: words.count) }
      preamble = words[Header.words..<annotation.start]
      globals = words[type.start..<function.start]
    }
  }

  /// The functions, names and owners of ids that one walk over a module's instructions finds.
  struct Contents {
    private let words: [UInt32]
    private(set) var functions: [Function] = []
    /// Functions by GLSL name.
    private(set) var byName: [String: Int] = [:]
    /// Names and decorations with the id they belong to.
    private(set) var annotations: [(words: ArraySlice<UInt32>, target: UInt32)] = []
    /// The function that defines an id; ids of the whole module have none.
    private(set) var owners: [UInt32: Int] = [:]
    private(set) var localSize = (x: 1, y: 1)
    private var names: [UInt32: String] = [:]
    private var functionOfID: [UInt32: Int] = [:]
    private var calls: [[UInt32]] = []
    private var entryID: UInt32 = 0
    private var isLabelled = false

    init(_ words: [UInt32], _ all: [Instruction]) {
      self.words = words
      for i in all {
        read(i)
        own(i)
      }
      for index in functions.indices {
        functions[index].callees = calls[index].compactMap { functionOfID[$0] }
        if let name = names[functions[index].id] { byName[String(name.prefix { $0 != "(" })] = index }
      }
    }

    func function(named name: String) throws(SPIRVError) -> Int {
      guard let index = byName[name] else { throw .missingFunction(name) }
      return index
    }

    func entry() throws(SPIRVError) -> Int {
      guard let index = functionOfID[entryID] else { throw .missingFunction("main") }
      return index
    }

    private mutating func read(_ i: Instruction) {
      let slice = words[i.start..<i.start + i.count], last = functions.count - 1
      switch i.opcode {
      case Op.entryPoint: entryID = i.operand(2, words)
      case Op.executionMode where i.operand(2, words) == Code.localSize:
        localSize = (Int(i.operand(3, words)), Int(i.operand(4, words)))
      case Op.name:
        names[i.operand(1, words)] = text(words, from: i.start + 2, to: i.start + i.count)
        annotations.append((slice, i.operand(1, words)))
      case Op.memberName, Op.decorate, Op.memberDecorate: annotations.append((slice, i.operand(1, words)))
      case Op.function:
        isLabelled = false
        functionOfID[i.operand(2, words)] = functions.count
        functions.append(
          Function(
            id: i.operand(2, words), type: i.operand(4, words), words: slice, prologue: slice, parameters: [],
            callees: []))
        calls.append([])
      case Op.functionParameter where last >= 0: functions[last].parameters.append(i.operand(2, words))
      case Op.functionCall where last >= 0: calls[last].append(i.operand(3, words))
      case Op.label where last >= 0 && !isLabelled:
        isLabelled = true
        functions[last].prologue = words[functions[last].words.startIndex..<slice.endIndex]
      case Op.functionEnd where last >= 0:
        functions[last].words = words[functions[last].words.startIndex..<slice.endIndex]
      default: break
      }
    }

    /// Notes the ids that a function defines. Stores, branches and the like have no result: the id in its place is
    /// defined elsewhere. Only first definitions count, so that id does no harm.
    private mutating func own(_ i: Instruction) {
      guard !functions.isEmpty, let place = Self.resultPlace(i.opcode), place < i.count else { return }
      let id = words[i.start + place]
      if owners[id] == nil { owners[id] = functions.count - 1 }
    }

    /// Returns the place of an instruction's result id in a function body: 2 for values, 1 for labels, `nil` for
    /// stores, branches, merges and image writes.
    private static func resultPlace(_ opcode: UInt32) -> Int? {
      switch opcode {
      case Op.label: 1
      case Op.store, 63, 64, 8, 317, Op.imageWrite, 224, 225, 228, 246, 247, 249...255, Op.functionEnd: nil
      default: 2
      }
    }
  }

  /// The ids of the types in the signatures of stages and sinks, and of these signatures.
  struct Types {
    private(set) var void: UInt32 = 0, uint: UInt32 = 0, vec4: UInt32 = 0, uvec2: UInt32 = 0
    private(set) var uintPointer: UInt32 = 0, vec4Pointer: UInt32 = 0, uvec2Pointer: UInt32 = 0
    private(set) var stage: UInt32 = 0, sink: UInt32 = 0
    let block: UInt32, pixel: UInt32

    /// Takes the types from two fixed functions and the pointers that they take.
    init(_ words: [UInt32], _ all: [Instruction], program: Function, sinkBlock: Function) throws(SPIRVError) {
      pixel = program.type
      block = sinkBlock.type
      for i in all {
        switch i.opcode {
        case Op.typeVoid: void = i.operand(1, words)
        case Op.typeInt where i.operand(2, words) == 32 && i.operand(3, words) == 0: uint = i.operand(1, words)
        case Op.typeFunction where i.operand(1, words) == pixel:
          vec4 = i.operand(2, words)
          uvec2Pointer = i.operand(3, words)
        default: break
        }
      }
      for i in all where i.opcode == Op.typePointer && i.count == 4 && words[i.start + 2] == Code.functionStorage {
        let pointer = words[i.start + 1], pointee = words[i.start + 3]
        if pointer == uvec2Pointer { uvec2 = pointee }
        if pointee == vec4 { vec4Pointer = pointer }
        if pointee == uint { uintPointer = pointer }
      }
      for i in all where i.opcode == Op.typeFunction && i.count == 5 {
        let operands = words[i.start + 2..<i.start + 5]
        if operands.elementsEqual([vec4, vec4Pointer, uintPointer]) { stage = words[i.start + 1] }
        if operands.elementsEqual([void, uvec2Pointer, uintPointer]) { sink = words[i.start + 1] }
      }
      guard sink != 0, uvec2 != 0 else { throw .unexpectedType(function: "sink_block") }
    }
  }
}

extension Instruction {
  /// Returns a word of the instruction; 0 after its end.
  fileprivate func operand(_ index: Int, _ words: [UInt32]) -> UInt32 { index < count ? words[start + index] : 0 }
}
