import HDRCore
import Kernels

extension ACESView {
  /// Returns the operations from scene light, 1.0 = a perfect diffuser, to the view's light, 1.0 = `white` cd/m²; both
  /// in linear BT.2020.
  func operations(white: Double) -> [PixelOperation] {
    let toLight = Self.fromXYZ * (100 / white)
    switch self {
    case .aces2(let output):
      let words = ACESTable.words(output)
      return [
        .matrix(Self.toWorking),
        .custom { $0.stage(.acesOutput, ACESOutputStage.words(table: $0.table(words))) },
        .matrix(toLight * output.toXYZ),
      ]
    case .aces1(let output): return [.matrix(Self.toACES)] + output.steps.map(\.operation) + [.matrix(toLight)]
    }
  }

  fileprivate static let fromXYZ = Primaries.bt2020.rgbToXYZ!.inverse!
  fileprivate static let toACES = Primaries.bt2020.matrix(to: .aces)!
  fileprivate static let toWorking = Primaries.bt2020.matrix(to: .acesWorking)!
}

extension ACESOutput {
  /// Returns the operations from light, 1.0 = `white` cd/m², to the scene light that the view shows like that.
  func inverseOperations(white: Double) -> [PixelOperation] {
    let words = ACESTable.words(self, isInverse: true)
    return [
      .matrix((ACESView.fromXYZ * toXYZ * (100 / white)).inverse!),
      .custom { $0.stage(.acesInverse, ACESInverseStage.words(table: $0.table(words))) },
      .matrix(ACESView.toWorking.inverse!),
    ]
  }
}

extension ACES1Step {
  fileprivate var operation: PixelOperation {
    switch self {
    case .head:
      .custom { $0.stage(.aces1Head, ACES1HeadStage.words(table: $0.table(ACES1HeadStage.reds.words))) }
    case .matrix(let m): .matrix(m)
    case .clamp(let low, let high): .clamp(low: low, high: high)
    // All curves are constant below 2^-20 and from 2^17 on.
    case .curve(let f): .tone(.curve(octaves: -20..<17, k: 5, f))
    case .scale(let weights, let f):
      .custom {
        let table = CurveTable(octaves: -33..<1, k: 4, f)
        return $0.stage(
          .scaleByLuminance, ScaleByLuminance.words(weights: weights, table, offset: $0.table(table.words)))
      }
    }
  }
}
