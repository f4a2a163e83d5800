/// A linker that puts users' kernels into a library. Types, constants and functions get new ids; calls of the library's
/// functions go by name. Each kernel gets a copy of the stage `user` that calls it.
struct ModuleLinker {
  private let library: KernelLibrary
  private(set) var globals: [UInt32] = []
  private(set) var decorations: [UInt32] = []
  private(set) var functions: [UInt32] = []
  /// Functions of the library that are called, by index.
  private(set) var callees: Set<Int> = []
  var ids: KernelLibrary.Ids
  /// The ids of existing types and constants, by their words without the id.
  private var known: [[UInt32]: UInt32]
  private var stages: [UserModule: UInt32] = [:]

  init(_ library: KernelLibrary, _ ids: KernelLibrary.Ids) {
    (self.library, self.ids) = (library, ids)
    known = library.globalIDs
  }

  /// Returns the function `vec4 (vec4 p, uint k)` of a kernel; one for all its uses.
  ///
  /// - Throws: `.missingFunction` for a name that the library lacks, `.malformed` for words that are not instructions.
  mutating func stage(_ module: UserModule) throws(SPIRVError) -> UInt32 {
    if let known = stages[module] { return known }
    var map: [UInt32: UInt32] = [:]
    for (id, name) in module.imports {
      let index = try library.index(named: name)
      callees.insert(index)
      map[id] = library.id(of: index)
    }
    try copyGlobals(module.globals, &map)
    try copy(module.functions[...], &map) { _ in true }
    guard let kernel = map[module.entry] else { throw .missingFunction(UserModule.entryName) }

    // The stage around the kernel: only the ids that it defines itself are new.
    let around = try library.index(named: "user"), inner = try library.index(named: "user_kernel")
    callees.formUnion(library.callees(of: around).subtracting([inner]))
    var own: [UInt32: UInt32] = [library.id(of: inner): kernel]
    let defined = try library.defined(in: around)
    try copy(library.words(of: around), &own) { defined.contains($0) }
    let id = own[library.id(of: around)] ?? 0
    nameID(id, KernelLibrary.userStageName)
    if let counter = module.counter.flatMap({ map[$0] }) { nameID(counter, KernelLibrary.userCounterName) }
    stages[module] = id
    return id
  }

  /// Name instructions of stages and their counters.
  private(set) var names: [UInt32] = []

  private mutating func nameID(_ id: UInt32, _ text: String) {
    let name = literal(text)
    names += [head(Op.name, 2 + name.count), id] + name
  }

  private mutating func copyGlobals(_ words: [UInt32], _ map: inout [UInt32: UInt32]) throws(SPIRVError) {
    for i in try instructions(in: words[...]) {
      var made = Array(words[i.start..<i.start + i.count])
      let isType = (Op.typeVoid...Op.typeForwardPointer).contains(i.opcode), place = isType ? 1 : 2
      for index in Self.globalIDs(i.opcode, made) {
        guard let id = map[made[index]] else { throw .malformed(word: i.start) }
        made[index] = id
      }
      guard place < made.count else { throw .malformed(word: i.start) }
      let id = made[place]
      made[place] = 0
      // Structures and arrays may exist twice, and the library's have layouts.
      if ![Op.typeArray, Op.typeStruct, Op.variable].contains(i.opcode), let same = known[made] {
        map[id] = same
        continue
      }
      let new = ids.make()
      map[id] = new
      if i.opcode != Op.variable { known[made] = new }
      made[place] = new
      globals += made
    }
  }

  /// Returns the places of the ids of a type, a constant or a variable, without the result's.
  private static func globalIDs(_ opcode: UInt32, _ words: [UInt32]) -> [Int] {
    switch opcode {
    case Op.typeVector: [2]
    case Op.typeArray: [2, 3]
    case Op.typeStruct, Op.typeFunction: Array(2..<words.count)
    case Op.typePointer: [3]
    case Op.constantTrue, Op.constantFalse, Op.constant, Op.constantNull, Op.variable: [1]
    case Op.constantComposite: [1] + (3..<words.count)
    default: []
    }
  }

  /// - Parameter isNew: true for an id that is not in the map and becomes a new one; other ids stay.
  private mutating func copy(
    _ words: ArraySlice<UInt32>, _ map: inout [UInt32: UInt32], isNew: (UInt32) -> Bool
  ) throws(SPIRVError) {
    for i in try instructions(in: words) {
      var made = Array(words[i.start..<i.start + i.count])
      guard let shape = InstructionShape(i.opcode) else { throw .malformed(word: i.start) }
      for place in shape.places(count: made.count) + (shape.resultPlace.map { [$0] } ?? []) {
        guard place < made.count else { throw .malformed(word: i.start) }
        if map[made[place]] == nil { map[made[place]] = isNew(made[place]) ? ids.make() : made[place] }
        made[place] = map[made[place]]!
      }
      if Op.arithmetic.contains(i.opcode) { decorations += [head(Op.decorate, 3), made[2], Code.noContraction] }
      functions += made
    }
  }
}

extension KernelLibrary {
  /// The name of the stages that stand for users' kernels.
  package static let userStageName = "user_stage"
  /// The name of the variables that count operations of the kernels' loops.
  package static let userCounterName = "user_operations"

  /// Returns the ids of types and constants, by their words without the id.
  static func globalIDs(_ words: ArraySlice<UInt32>) -> [[UInt32]: UInt32] {
    var result: [[UInt32]: UInt32] = [:]
    for i in (try? instructions(in: words)) ?? [] where i.count > 1 {
      let isType = (Op.typeVoid...Op.typeForwardPointer).contains(i.opcode)
      let isConstant = (Op.constantTrue...Op.constantNull).contains(i.opcode) && i.count > 2
      guard isType || isConstant, ![Op.typeArray, Op.typeStruct].contains(i.opcode) else { continue }
      var key = Array(words[i.start..<i.start + i.count])
      let place = isType ? 1 : 2, id = key[place]
      key[place] = 0
      result[key] = id
    }
    return result
  }
}
