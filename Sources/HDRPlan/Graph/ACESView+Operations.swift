import HDRCore
import Kernels

extension ACESView {
  /// Returns the operations from scene light, 1.0 = a perfect diffuser, to the view's light, 1.0 = `white` cd/m²; both
  /// in linear BT.2020.
  func operations(white: Double) -> [PixelOperation] {
    let toLight = Self.fromXYZ * (100 / white)
    switch self {
    case .aces2(let output):
      return [.matrix(Self.toWorking), output.step(isInverse: false), .matrix(toLight * output.toXYZ)]
    case .aces1(let output): return [.matrix(Self.toACES)] + output.operations + [.matrix(toLight)]
    }
  }

  fileprivate static let fromXYZ = Primaries.bt2020.rgbToXYZ!.inverse!
  fileprivate static let toACES = Primaries.bt2020.matrix(to: .aces)!
  fileprivate static let toWorking = Primaries.bt2020.matrix(to: .acesWorking)!
}

extension ACES1Output {
  /// The operations from ACES2065-1 to CIE XYZ, 1.0 = 100 cd/m².
  var operations: [PixelOperation] { steps.map(\.operation) }
}

extension ACESOutput {
  /// Returns the stage from AP1 to R, G, B of the limit, 1.0 = 100 cd/m², or back.
  func step(isInverse: Bool) -> PixelOperation {
    let words = ACESTable.words(self, isInverse: isInverse)
    return .custom { data in
      let table = data.table(words)
      return isInverse
        ? data.stage(.acesInverse, ACESInverseStage.words(table: table))
        : data.stage(.acesOutput, ACESOutputStage.words(table: table))
    }
  }

  /// Returns the operations from light, 1.0 = `white` cd/m², to the scene light that the view shows like that.
  func inverseOperations(white: Double) -> [PixelOperation] {
    [
      .matrix((ACESView.fromXYZ * toXYZ * (100 / white)).inverse!), step(isInverse: true),
      .matrix(ACESView.toWorking.inverse!),
    ]
  }
}

extension ACES1Head {
  /// Returns the stage of the change, or of its inverse.
  func step(isInverse: Bool = false) -> PixelOperation {
    .custom { words in
      let parameters = ACES1HeadStage.words(self, isInverse ? .inverse : .forward) { words.table($0) }
      return words.stage(.aces1Head, parameters)
    }
  }
}

extension ACES1Step {
  fileprivate var operation: PixelOperation {
    switch self {
    case .head:
      ACES1Head.output.step()
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
