import GPURender
import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender

extension PairComparison {
  /// Compares the gains of two gain maps of one size.
  mutating func compareMaps(
    _ a: ComparedFile, _ b: ComparedFile, _ needed: Set<Metric>, on backends: RenderBackends,
    _ deadline: Deadline, _ notice: (GPURings.LostDevice) -> Void
  ) throws(HDRError) {
    guard !needed.isDisjoint(with: [.maps, .shift]), let planA = ComparisonPlans.gains(of: a.source),
      let planB = ComparisonPlans.gains(of: b.source)
    else { return }
    let inA = try backends.picture(planA, deadline, notice), inB = try backends.picture(planB, deadline, notice)
    guard inA.width == inB.width, inA.height == inB.height else {
      alignment.notes.append(
        Warning(
          "compare.maps",
          "the gain map of A is \(inA.width)x\(inA.height) and that of B \(inB.width)x\(inB.height): gains have no numbers"
        ))
      return
    }
    let gains = GainDifference(inA, inB, MetricThreads(pool: backends.pool, deadline: deadline))
    if needed.contains(.maps) { values[.maps] = .pixels(PixelNumbers(gains.sums)) }
    if needed.contains(.shift) { mapValues[.shift] = gains.shift.map { .shift($0) } }
  }

  /// Returns the weights of two gain maps on a display.
  static func mapWeights(_ sources: [SourceImage], _ selector: AcceptExpression.Selector) -> [Double]? {
    let maps = sources.compactMap { $0.gainMap?.metadata }
    guard maps.count == 2, maps.allSatisfy(\.isComplete) else { return nil }
    return maps.map { map in
      let display =
        if case .headroom(let factor) = selector { ExactMath.log2(factor) } else { map.maxHeadroom.stops }
      return GainMapWeight.weight(base: map.baseHeadroom, alternate: map.alternateHeadroom, display: display)
    }
  }

  /// The distance by which the gain map of B lies beside that of A, in its pixels.
  package var mapShift: PhaseShift? { mapValues[.shift]?.shift }

  /// The shift, in pixels, from which on it is noted: encodes alone move nothing by so much.
  private static let notedShift = 0.15

  /// Notes pictures and gain maps that lie beside each other.
  mutating func noteShifts() {
    func note(_ name: String, _ shift: PhaseShift?) {
      guard let shift, shift.distance >= Self.notedShift else { return }
      let place = "\(decimals(shift.x, 2)) pixels to the right and \(decimals(shift.y, 2)) below"
      alignment.notes.append(Warning("shift.found", "the \(name) of B lies \(place) that of A"))
    }
    note("picture", renditions.compactMap { $0.values[.shift]?.shift }.last)
    note("gain map", mapShift)
  }
}
