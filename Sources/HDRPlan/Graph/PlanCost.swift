import HDRCore
import Kernels
import SPIRV

/// The cost of a plan, known before any of it runs. It depends on the plan only, not on a machine.
package struct PlanCost: Sendable, Hashable {
  /// The number of stages of all passes.
  package var stages = 0
  /// The number of stages of the longest pass. A pass is one kernel.
  package var kernelStages = 0
  /// Pixels times floating-point operations of all passes, estimated (`Plan.operationsPerPixel`).
  package var operations = 0.0
  /// Values of curves and tables that were computed to make the plan.
  package var tableEvaluations = 0
  /// Bytes of constants, tables and the pictures between passes.
  package var bytes = 0
}

extension Plan {
  package var cost: PlanCost {
    var cost = PlanCost(tableEvaluations: tableEvaluations, bytes: 4 * (constants.count + tables.count))
    for (index, pass) in passes.enumerated() {
      cost.stages += pass.stages.count
      cost.kernelStages = max(cost.kernelStages, pass.stages.count)
      cost.operations += operationsPerPixel(ofPass: index) * Double(pass.width) * Double(pass.height)
      if index < passes.count - 1 { cost.bytes += pass.width * pass.height * pass.sink.bytesPerPixel }
    }
    return cost
  }

  /// Estimates the floating-point operations of a pass for one pixel of its output: rather a few times too many than
  /// too few, and loops with all their turns.
  package func operationsPerPixel(ofPass index: Int) -> Double {
    let pass = passes[index]
    return pass.stages.reduce(Double(Stage.sinkOperations)) { sum, stage in
      sum + Double(stage.kind.operations) * turns(of: stage, in: pass)
        + Double(stage.kernel?.module.largestOperations ?? 0)
    }
  }

  /// Returns how often a stage does its work for one pixel: mostly the samples that it reads; 1 without a loop.
  private func turns(of stage: Stage, in pass: Pass) -> Double {
    switch stage.kind {
    case .convolveX: return largestTaps(words(ConvolveX.Parameters.self, of: stage).weights, entries: pass.width)
    case .convolveY: return largestTaps(words(ConvolveX.Parameters.self, of: stage).weights, entries: pass.height)
    case .convolve2D:
      let words = words(Convolve2D.Parameters.self, of: stage)
      return Double(words.columns) * Double(words.rows)
    case .motionBlur:
      let words = words(MotionBlurStage.Parameters.self, of: stage)
      return taps(ofRows: words.rows, words.table)
    case .disc:
      let words = words(DiscStage.Parameters.self, of: stage), first = Int(words.table)
      return (0..<Int(words.rows)).reduce(0) { sum, row in
        let runs = first + Int(tables[first + 4 * row + 2])
        return (0..<Int(tables[first + 4 * row + 1])).reduce(sum) { $0 + 2 * Double(tables[runs + 3 * $1 + 1]) }
      }
    case .morphology:
      let words = words(MorphologyStage.Parameters.self, of: stage)
      return (words.kind.value == .gradient ? 2 : 1) * taps(ofRows: words.rows, words.table)
    case .zoomBlur: return Double(words(ZoomBlurStage.Parameters.self, of: stage).samples)
    case .loadArea:
      let words = words(LoadArea.Parameters.self, of: stage)
      return Double(words.columnTaps) * Double(words.rowTaps)
    case .extreme:
      let words = words(Extreme.Parameters.self, of: stage)
      return longest(words.columns, entries: pass.width) * longest(words.rows, entries: pass.height)
    case .histogram: return Double(Histogram.tile * Histogram.tile)
    case .clusters:
      let words = words(Clusters.Parameters.self, of: stage)
      return words.mode.value == .sums ? Double(Clusters.tile * Clusters.tile) : Double(words.count)
    case .jointBilateral:
      let side = 2 * Double(words(JointBilateral.Parameters.self, of: stage).reach) + 1
      return side * side
    case .mesh:
      let blocks = Int(words(MeshStage.Parameters.self, of: stage).blocks)
      let counts = (0...(pass.height - 1) >> MeshStage.blockBits).map { tables[blocks + 2 * $0 + 1] }
      return 1 + Double(counts.max() ?? 0)
    case .knots: return max(1, Double(words(KnotsStage.Parameters.self, of: stage).turns))
    case .mixedGains: return Double(words(MixedGains.Parameters.self, of: stage).count)
    default: return 1
    }
  }

  private func words<Parameters: StageParameters>(_: Parameters.Type, of stage: Stage) -> Parameters {
    constants.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4 * stage.constants, as: Parameters.self) }
  }

  /// Returns the largest sample count in entries of `AxisWeights.words`: three words each, the second the count.
  private func largestTaps(_ table: UInt32, entries: Int) -> Double {
    Double((0..<entries).reduce(0) { max($0, tables[Int(table) + 3 * $1 + 1]) })
  }

  /// Returns the largest length of ranges of `Extreme.table`.
  private func longest(_ table: UInt32, entries: Int) -> Double {
    Double((0..<entries).reduce(0) { max($0, tables[Int(table) + 2 * $1 + 1] - tables[Int(table) + 2 * $1]) })
  }

  /// Sums the samples of all rows of a shape: four words each, the third one a count.
  private func taps(ofRows rows: UInt32, _ table: UInt32) -> Double {
    (0..<Int(rows)).reduce(0) { $0 + Double(tables[Int(table) + 4 * $1 + 2]) }
  }
}

extension Stage {
  /// The floating-point operations of any sink for one pixel.
  package static let sinkOperations = 64
}

extension Sink {
  /// The bytes of a pixel of a picture between passes.
  fileprivate var bytesPerPixel: Int { kind == .rgba16f ? 8 : 4 * channels }
}
