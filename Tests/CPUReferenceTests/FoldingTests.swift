import HDRCore
import HDRPlan
import TestSupport
import Testing

/// Chains of operations, and the shorter ones that do the same.
@Suite struct FoldingTests {
  static let mixing = Matrix3([0.7, 0.2, 0.1, 0.05, 0.9, 0.05, 0.02, 0.08, 0.9])

  static func three(_ formula: LUTFormula) -> LUTOperation { .formulas([formula, formula, formula]) }

  /// Colours away from 0, where powers magnify what rounding leaves.
  static func colors(_ count: Int) -> [[Double]] {
    var random = SplitMix(state: 5)
    return (0..<count).map { _ in (0..<3).map { _ in Double(Float(0.4 + 0.8 * random.unit())) } }
  }

  /// The operations that chains are drawn from; their results are about as large as their colours.
  static let parts: [LUTOperation] = [
    .matrix(mixing, offset: [0.01, 0, -0.02]), .matrix(.diagonal(0.9, 1.1, 1.05), offset: [0.02, 0.01, 0]),
    .clamp(low: 0, high: 4), .clamp(low: -0.05, high: nil), three(.power(2.2, .mirror)),
    three(.power(1 / 2.2, .mirror)),
    three(.power(1.4, .pass)), three(.monCurve(MonCurve(gamma: 2.4, offset: 0.055), isReversed: true, mirrors: true)),
    three(.pq(isReversed: false)), three(.code(.acesCCT, isReversed: true)),
    .cdl(CDL(slope: [1.1, 0.9, 1], offset: [0.01, 0, 0], power: [1.1, 1, 0.9], saturation: 0.9)),
    .gamut(.reference, isInverse: false), .luminancePower(.surround(1.2)),
  ]

  /// Chains drawn at random are run whole, which folds them, and one operation after the other.
  @Test(arguments: 0..<60) func aFoldedChainDoesTheSame(_ seed: Int) throws {
    var random = SplitMix(state: UInt64(1000 + seed)), made = Self.colors(200), chain: [LUTOperation] = []
    for _ in 0..<2 + seed % 5 {
      let part = Self.parts[Int(random.unit() * Double(Self.parts.count)) % Self.parts.count]
      chain.append(part)
      made = try LUTVectorTests.run(LUTChain([part]), made)
    }
    let folded = try LUTVectorTests.run(LUTChain(chain), Self.colors(200))
    for (a, b) in zip(folded, made) {
      // One by one each stage rounds to binary32.
      let size = max(1, b.map(abs).max()!)
      #expect(zip(a, b).allSatisfy { abs($0 - $1) < 3e-6 * size }, "\(chain): \(a), \(b)")
    }
  }

  @Test func whatUndoesTheOperationBeforeItGoesWithIt() throws {
    let operations: [LUTOperation] = [
      .matrix(Self.mixing, offset: [0.1, 0, 0.2]), Self.three(.power(2.4, .mirror)),
      .gamut(.reference, isInverse: false), Self.three(.code(.acesCCT, isReversed: true)),
      Self.three(.monCurve(MonCurve(gamma: 2.4, offset: 0.055), isReversed: false, mirrors: false)),
      .cdl(CDL(slope: [1.2, 1, 0.9], offset: [0.1, 0, 0], power: [1.3, 1, 1], saturation: 0.8)),
    ]
    let chain = LUTChain(operations)
    #expect(LUTChain(operations + (try chain.inverse()).operations).folded().operations == [])
    // What clamps is not undone by its inverse: numbers below 0 stay 0.
    let clamped = LUTChain([Self.three(.power(2, .clamp)), Self.three(.power(0.5, .clamp))]).folded()
    #expect(clamped.operations == [.clamp(low: 0, high: nil)])
    let spaces = ["ACEScct_to_ACES2065-1", "SONY_SLOG3-SGAMUT3_to_ACES2065-1"]
    for name in spaces {
      let chain = try #require(LUTChain(builtin: name)), both = chain.operations + (try chain.inverse()).operations
      #expect(LUTChain(both).folded().operations == [], "\(name)")
    }
  }

  @Test func runsBecomeOneOperation() {
    let matrices = LUTChain(Array(repeating: .matrix(Self.mixing, offset: [0.1, 0, 0]), count: 5)).folded()
    #expect(matrices.operations.count == 1)
    let curves = LUTChain([
      Self.three(.power(2.4, .mirror)), .matrix(.diagonal(1.5, 1.5, 1.5), offset: [0, 0, 0]),
      Self.three(.power(1 / 1.8, .mirror)),
    ]).folded()
    #expect(curves.operations.count == 1)
    // A table cannot follow a corner within one of its segments.
    let corner = LUTChain([
      Self.three(.power(2.4, .mirror)), .clamp(low: nil, high: 0.3), Self.three(.power(0.7, .mirror)),
    ]).folded()
    #expect(corner.operations.count == 3)
    #expect(
      LUTChain([.clamp(low: 0, high: 2), .clamp(low: -1, high: 1)]).folded().operations == [.clamp(low: 0, high: 1)])
  }

  /// The product of two could have numbers that no lane holds.
  @Test func largeMatricesStayApart() {
    let large = LUTOperation.matrix(Matrix3([1e6, 1e6, 0, 0, 1e6, 0, 0, 0, 1e6]), offset: [0, 0, 0])
    #expect(LUTChain([large, large]).folded().operations.count == 2)
  }
}
