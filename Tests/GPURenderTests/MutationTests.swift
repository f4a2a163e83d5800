import GPURender
import HDRCore
import HDRPlan
import SPIRV
import SPIRVExecutor
import Shaders
import Testing

/// Deliberate faults in the GLSL stages are found by comparing the executor's pictures with the CPU's loops: what the
/// comparison would not find, it would not have found in a year of work either.
@Suite struct MutationTests {
  enum Fault: String {
    /// Operands exchanged.
    case swapped
    /// The first operand in the place of the second.
    case doubled
    /// A constant operand is another constant of its type.
    case otherConstant
    /// Another instruction.
    case sum
  }

  /// A fault in the nth instruction of an opcode in a function.
  struct Mutation: Sendable, CustomTestStringConvertible {
    var function: String
    var opcode: UInt32
    var number: Int
    var fault: Fault
    var testDescription: String { "\(function), opcode \(opcode) #\(number): \(fault.rawValue)" }

    init(_ function: String, _ opcode: UInt32, _ number: Int, _ fault: Fault) {
      (self.function, self.opcode, self.number, self.fault) = (function, opcode, number, fault)
    }

    /// The library with the fault.
    func apply() throws -> [UInt32] {
      var words = ShaderLibrary.words
      let all = try instructions(of: words)
      var names: [UInt32: String] = [:], types: [UInt32: UInt32] = [:], constants: [UInt32] = []
      for i in all {
        if i.opcode == Op.name { names[words[i.start + 1]] = text(words, from: i.start + 2, to: i.start + i.count) }
        if i.opcode == Op.constant {
          types[words[i.start + 2]] = words[i.start + 1]
          constants.append(words[i.start + 2])
        }
      }
      var inside = false, left = number
      for i in all {
        if i.opcode == Op.function { inside = names[words[i.start + 2]]?.hasPrefix(function + "(") == true }
        guard inside, i.opcode == opcode else { continue }
        let a = i.start + 3, b = i.start + 4
        if fault == .otherConstant && types[words[a]] == nil && types[words[b]] == nil { continue }
        if left > 0 {
          left -= 1
          continue
        }
        switch fault {
        case .swapped: words.swapAt(a, b)
        case .doubled: words[b] = words[a]
        case .sum: words[i.start] = head(opcode == Op.fMul ? Op.fAdd : 128, i.count)
        case .otherConstant:
          let place = types[words[b]] == nil ? a : b, type = types[words[place]]
          let same = constants.filter { types[$0] == type }
          let index = try #require(same.firstIndex(of: words[place]))
          words[place] = same[(index + 1) % same.count]
        }
        return words
      }
      throw SPIRVError.missingFunction(function)
    }
  }

  static let mutations = [
    Mutation("matrix3", Op.fMul, 0, .sum), Mutation("matrix3", Op.fMul, 4, .doubled),
    Mutation("curve_lookup", 128, 1, .otherConstant), Mutation("curve_lookup", Op.fSub, 0, .swapped),
    Mutation("curve_lookup", Op.fMul, 0, .doubled), Mutation("e32_log2", Op.fMul, 3, .sum),
    Mutation("e32_exp2", Op.fSub, 1, .swapped), Mutation("e32_reciprocal", Op.fSub, 0, .swapped),
    Mutation("e32_half", 128, 0, .otherConstant), Mutation("e32_quantize", Op.fAdd, 0, .otherConstant),
    Mutation("desaturate", Op.fMul, 0, .doubled), Mutation("gain_map", Op.fMul, 0, .sum),
    Mutation("lut3d", Op.fSub, 0, .swapped), Mutation("lut_cell", Op.fSub, 1, .swapped),
    Mutation("load_samples", 128, 0, .otherConstant), Mutation("ycc_to_rgb", Op.fMul, 0, .doubled),
    Mutation("unpremultiply", Op.fMul, 0, .sum), Mutation("dither_noise", 132, 0, .otherConstant),
    Mutation("scale_by_max", Op.fMul, 0, .doubled), Mutation("rgb_to_ycc", Op.fMul, 0, .sum),
    Mutation("sample_address", 128, 0, .doubled), Mutation("store_planar_ycc", 128, 0, .otherConstant),
  ]

  /// Recipes without filters, and filters that multiply by alpha and take roots.
  static let cases: [Case] = {
    var recipe = RenderRecipe(target: Recipes.target16f)
    recipe.edits = [FilterStep("median"), FilterStep("edges")]
    let plan = Recipes.plan(Recipes.interleaved(37, 21, channels: 4, bits: 8), transfer: 13, recipe)
    return Recipes.all(37, 21) + [Case(name: "filters", plan: plan)]
  }()

  @Test("a fault in a stage is found", arguments: mutations)
  func faultsAreFound(mutation: Mutation) throws {
    let renderer = try SPIRVRenderer(library: try mutation.apply())
    let isFound = Self.cases.contains { one in
      // A kernel that leaves its buffers is found too.
      guard let made = try? renderer.render(one.plan) else { return true }
      return differingSamples(made, renderOnCPU(one.plan)) != 0
    }
    #expect(isFound)
  }

  @Test("without a fault nothing is found")
  func nothingIsFoundWithoutFaults() throws {
    let renderer = try SPIRVRenderer(library: ShaderLibrary.words)
    for one in Self.cases {
      #expect(differingSamples(try renderer.render(one.plan), renderOnCPU(one.plan)) == 0, "\(one.name)")
    }
  }

  @Test("a decoration that is missing is found before anything runs", arguments: [0, 57, 111])
  func missingDecorationsAreFound(number: Int) throws {
    var words = ShaderLibrary.words
    let decorations = try instructions(of: words).filter {
      $0.opcode == Op.decorate && words[$0.start + 2] == Code.noContraction
    }
    words[decorations[number].start + 2] = 19
    #expect(try lint(words).count == 1)
  }
}
