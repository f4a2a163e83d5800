import SPIRV

/// The parts of a module that are outside its functions.
struct ModuleTables {
  var types = TypeTable()
  /// The words of each constant's components.
  var constants: [UInt32: [UInt32]] = [:]
  var variables: [UInt32: (pointee: UInt32, storage: StorageClass)] = [:]
  var bindings: [UInt32: Int] = [:]
  var builtIns: [UInt32: UInt32] = [:]
  var names: [UInt32: String] = [:]
  /// The types of values.
  var valueTypes: [UInt32: UInt32] = [:]
  /// The id of the instruction set GLSL.std.450.
  var extended: UInt32?
  var entry: UInt32 = 0
  var localSize = (x: 1, y: 1, z: 1)
  var functions: [FunctionText] = []

  init(_ words: [UInt32], _ limits: ExecutorLimits) throws(ExecutorError) {
    let all: [Instruction]
    do throws(SPIRVError) {
      all = try instructions(of: words)
    } catch {
      throw .malformed("the words of its instructions do not fit together")
    }
    guard all.count <= limits.instructions else { throw .limit("more than \(limits.instructions) instructions") }
    var line: Int?
    for instruction in all {
      let i = InstructionWords(instruction, words)
      if i.opcode == 8 { line = i.count > 2 ? Int(i[2]) : nil }
      if let last = functions.indices.last, !functions[last].isOver {
        try functions[last].add(i, line: line)
      } else {
        try read(i)
      }
      if let place = i.resultPlace, place == 2, i.count > 2 { valueTypes[i[2]] = i[1] }
    }
    guard functions.allSatisfy(\.isOver) else { throw .malformed("its last function has no end") }
  }

  private mutating func read(_ i: InstructionWords) throws(ExecutorError) {
    switch i.opcode {
    case Op.extInstImport where i.text(from: 2) == "GLSL.std.450": extended = i[1]
    case Op.entryPoint: entry = i[2]
    case Op.executionMode where i.count >= 6 && i[2] == Code.localSize:
      localSize = (Int(i[3]), Int(i[4]), Int(i[5]))
    case Op.name: names[i[1]] = i.text(from: 2)
    case Op.decorate where i.count >= 4:
      switch i[2] {
      case 6: types.strides[i[1]] = Int(i[3])
      case 11: builtIns[i[1]] = i[3]
      case 33: bindings[i[1]] = Int(i[3])
      default: break
      }
    case Op.memberDecorate where i.count >= 5 && i[3] == 35: types.offsets[i[1], default: [:]][Int(i[2])] = Int(i[4])
    case 19...39: try readType(i)
    case 41...46, 1: try readConstant(i)
    case Op.variable:
      guard i.count >= 4, case .pointer(let storage, let pointee) = try types.type(i[1]) else {
        throw .malformed("variable %\(i[2]) has no pointer type")
      }
      guard i.count == 4 else { throw .unsupported("a global variable with a value", line: nil) }
      variables[i[2]] = (pointee, storage)
    case Op.function: functions.append(FunctionText(id: i[2], result: i[1]))
    case 48...52: throw .unsupported("specialisation constants", line: nil)
    default: break
    }
  }

  private mutating func readType(_ i: InstructionWords) throws(ExecutorError) {
    let id = i[1]
    switch i.opcode {
    case Op.typeVoid: try types.add(id, .void)
    case 20: try types.add(id, .bool)
    case Op.typeInt:
      guard i[2] == 32 else { throw .unsupported("integers of \(i[2]) bits", line: nil) }
      try types.add(id, .int(isSigned: i[3] == 1))
    case Op.typeFloat:
      guard i[2] == 32 else { throw .unsupported("floats of \(i[2]) bits", line: nil) }
      try types.add(id, .float)
    case Op.typeVector:
      guard (2...4).contains(i[3]) else { throw .malformed("a vector of \(i[3])") }
      try types.add(id, .vector(i[2], count: Int(i[3])))
    case Op.typeImage: try types.add(id, .image)
    case 28:
      guard let count = constants[i[3]]?.first else { throw .malformed("an array without a size") }
      try types.add(id, .array(i[2], count: Int(count), stride: types.strides[id] ?? 0))
    case 29: try types.add(id, .runtimeArray(i[2], stride: types.strides[id] ?? 0))
    case 30:
      var members: [(type: UInt32, offset: Int)] = []
      for index in 2..<max(2, i.count) { members.append((i[index], types.offsets[id]?[index - 2] ?? 0)) }
      try types.add(id, .structure(members))
    case Op.typePointer:
      guard let storage = StorageClass(rawValue: i[2]) else {
        throw .unsupported("variables of storage class \(i[2])", line: nil)
      }
      try types.add(id, .pointer(storage, i[3]))
    case Op.typeFunction: try types.add(id, .function)
    case 24: throw .unsupported("matrices: write their sums out", line: nil)
    default: throw .unsupported("types of instruction \(i.opcode)", line: nil)
    }
  }

  private mutating func readConstant(_ i: InstructionWords) throws(ExecutorError) {
    guard constants[i[2]] == nil else { throw .malformed("constant %\(i[2]) is there twice") }
    switch i.opcode {
    case 41: constants[i[2]] = [.max]
    case 42: constants[i[2]] = [0]
    case Op.constant: constants[i[2]] = [i[3]]
    case 44:
      var parts: [UInt32] = []
      for index in 3..<max(3, i.count) {
        guard let part = constants[i[index]] else { throw .malformed("constant %\(i[2]) of unknown parts") }
        parts += part
        guard parts.count <= 1 << 12 else { throw .limit("a constant of more than 4096 parts") }
      }
      constants[i[2]] = parts
    case Op.constantNull, 1: constants[i[2]] = [UInt32](repeating: 0, count: try types.components(i[1]))
    default: throw .unsupported("constants of instruction \(i.opcode)", line: nil)
    }
  }
}

/// The words of one instruction; 0 after its end.
struct InstructionWords {
  let opcode: UInt32
  let count: Int
  private let words: ArraySlice<UInt32>

  init(_ i: Instruction, _ all: [UInt32]) {
    (opcode, count) = (i.opcode, i.count)
    words = all[i.start..<i.start + i.count]
  }

  subscript(index: Int) -> UInt32 { index < count ? words[words.startIndex + index] : 0 }

  func text(from index: Int) -> String { SPIRV.text(Array(words), from: min(index, count), to: count) }

  /// The place of the result's id; `nil` if there is none.
  var resultPlace: Int? {
    switch opcode {
    case Op.label: 1
    case Op.name, Op.memberName, Op.store, 63, 64, 8, 317, Op.imageWrite, 224, 225, 228, 245...247, 249...255, 56, 3, 4,
      7,
      Op.extension, Op.memoryModel, Op.entryPoint, Op.executionMode, Op.capability, Op.decorate, Op.memberDecorate:
      nil
    case Op.extInstImport, 19...39: 1
    default: 2
    }
  }
}

/// The instructions of a function, by blocks.
struct FunctionText {
  struct Block {
    var label: UInt32
    var body: [(words: InstructionWords, line: Int?)] = []
  }

  let id: UInt32
  let result: UInt32
  var parameters: [(id: UInt32, type: UInt32)] = []
  var blocks: [Block] = []
  var isOver = false

  init(id: UInt32, result: UInt32) { (self.id, self.result) = (id, result) }

  mutating func add(_ i: InstructionWords, line: Int?) throws(ExecutorError) {
    switch i.opcode {
    case Op.functionParameter: parameters.append((i[2], i[1]))
    case Op.label: blocks.append(Block(label: i[1]))
    case Op.functionEnd: isOver = true
    case 8, 317: break
    default:
      guard !blocks.isEmpty else { throw .malformed("an instruction before the first label") }
      blocks[blocks.count - 1].body.append((i, line))
    }
  }
}
