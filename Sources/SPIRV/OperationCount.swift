/// Counts the floating-point operations of a composed kernel for one pixel: sums, differences and products of one
/// component, one rounding each, as in the CPU's loops. Addresses, comparisons and table lookups do not count.
///
/// It follows the shortest way through the code, loops once, so the true number is at least this. The sink's operations
/// for its block of pixels are divided by the number of those pixels.
///
/// - Parameter words: a module of `KernelLibrary.kernel`.
/// - Throws: `.malformed`, or `.missingFunction` when the module has no `program`.
package func operationsPerPixel(_ words: [UInt32]) throws(SPIRVError) -> Double {
  var module = try FlowModule(words)
  guard let program = module.names.first(where: { $0.value == "program" })?.key else {
    throw .missingFunction("program")
  }
  let pixel = module.cost(of: program).operations
  module.known[program] = Cost(pixels: 1)
  let around = module.cost(of: module.entry)
  return pixel + around.operations / max(around.pixels, 1)
}

/// The operations on a path through the code, and the pixels that it needs.
private struct Cost {
  var operations = 0.0
  var pixels = 0.0

  static func + (a: Cost, b: Cost) -> Cost {
    Cost(operations: a.operations + b.operations, pixels: a.pixels + b.pixels)
  }

  /// Returns the shorter of two paths; a path that needs more pixels precedes the other.
  static func shorter(_ a: Cost, _ b: Cost) -> Cost {
    if a.pixels != b.pixels { return a.pixels > b.pixels ? a : b }
    return a.operations < b.operations ? a : b
  }
}

/// The blocks of a module and the blocks that they branch to.
private struct FlowModule {
  struct Block {
    var operations = 0.0
    var callees: [UInt32] = []
    /// The block where the arms of a branch or a loop meet again (SPIR-V 1.3, 2.11, "Structured Control Flow").
    var merge: UInt32?
    var targets: [UInt32] = []
  }

  var names: [UInt32: String] = [:]
  var entry: UInt32 = 0
  /// The costs of functions that were computed already: SPIR-V has no recursion (2.16.1).
  var known: [UInt32: Cost] = [:]
  private var firstBlock: [UInt32: UInt32] = [:]
  private var blocks: [UInt32: Block] = [:]

  init(_ words: [UInt32]) throws(SPIRVError) {
    var components: [UInt32: Int] = [:]
    var function: UInt32 = 0, label: UInt32 = 0
    for i in try instructions(of: words) {
      func operand(_ index: Int) -> UInt32 { index < i.count ? words[i.start + index] : 0 }
      switch i.opcode {
      case Op.entryPoint: entry = operand(2)
      case Op.name:
        names[operand(1)] = String(text(words, from: i.start + 2, to: i.start + i.count).prefix { $0 != "(" })
      case Op.typeVector: components[operand(1)] = Int(operand(3))
      case Op.function: function = operand(2)
      case Op.label:
        label = operand(1)
        blocks[label] = Block()
        if firstBlock[function] == nil { firstBlock[function] = label }
      case Op.functionCall: blocks[label]?.callees.append(operand(3))
      case Op.loopMerge, Op.selectionMerge: blocks[label]?.merge = operand(1)
      case Op.branch: blocks[label]?.targets = [operand(1)]
      case Op.branchConditional: blocks[label]?.targets = [operand(2), operand(3)]
      case Op.switch:
        blocks[label]?.targets = [operand(2)] + stride(from: 4, to: i.count, by: 2).map { operand($0) }
      default:
        if Op.computes.contains(i.opcode) {
          blocks[label]?.operations += Double(components[operand(1)] ?? 1)
        }
      }
    }
  }

  mutating func cost(of function: UInt32) -> Cost {
    if let settled = known[function] { return settled }
    guard let first = firstBlock[function] else { return Cost() }
    var around: Set<UInt32> = []
    let result = cost(from: first, to: nil, &around)
    known[function] = result
    return result
  }

  /// Returns the cost of the shortest way from a block to `end`, which is not entered.
  ///
  /// - Parameter around: blocks on the way so far: a loop leads back to them.
  private mutating func cost(from label: UInt32, to end: UInt32?, _ around: inout Set<UInt32>) -> Cost {
    guard label != end, let block = blocks[label], around.insert(label).inserted else { return Cost() }
    defer { around.remove(label) }
    var sum = Cost(operations: block.operations)
    for callee in block.callees { sum = sum + cost(of: callee) }
    var arms: Cost?
    for target in block.targets {
      let arm = cost(from: target, to: block.merge ?? end, &around)
      arms = arms.map { .shorter($0, arm) } ?? arm
    }
    if let arms { sum = sum + arms }
    if let merge = block.merge { sum = sum + cost(from: merge, to: end, &around) }
    return sum
  }
}

extension Op {
  fileprivate static let computes: Set<UInt32> = [fAdd, fSub, fMul, vectorTimesScalar]
}
