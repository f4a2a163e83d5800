import HDRCore
import Kernels

/// Gain maps become a pass of their own here, whose gains the base's pass interpolates.
extension PlanBuilder {
  /// Adds a pass that turns map samples into log2 gains at the map's size; the base's pass interpolates them.
  mutating func addGainMap(_ step: GainMapOperation) {
    let meta = step.metadata, map = step.image
    let shared =
      step.apple != nil
      || (0..<3).allSatisfy {
        meta.min[$0] == meta.min[0] && meta.max[$0] == meta.max[0] && meta.gamma[$0] == meta.gamma[0]
      }
    let channels = map.model == .grey && shared ? 1 : 3
    var prepare = loadStages(
      map,
      SourceColor(
        matrix: CICP.Matrix.ofCodes(step.matrix), fullRange: step.fullRange,
        encoding: .cicp(primaries: CICP.Primaries.bt709, transfer: CICP.Transfer.linear),
        cicp: CICP(step.mapPrimaries, 2, step.matrix, full: step.fullRange)))
    prepare.append(words.stage(.clamp, ClampStage.words(low: 0, high: 1)))
    if let apple = step.apple {
      // One table from the value to stops; no gamma, no range.
      prepare.append(words.stage(.curve, CurveStage.words([apple], offsets: [words.table(apple.words)])))
    } else if !meta.gamma.allSatisfy({ $0 == 1 }) {
      let tables = meta.gamma.map { gamma in CurveTable(octaves: -16..<1, k: 6) { ExactMath.pow($0, 1 / gamma) } }
      let offsets = tables.map { words.table($0.words) }
      prepare.append(words.stage(.curve, CurveStage.words(tables, offsets: offsets)))
    }
    if step.apple == nil { prepare.append(scale((0..<3).map { meta.max[$0] - meta.min[$0] }, meta.min)) }
    let placed = step.geometry ?? Geometry(width: map.width, height: map.height)
    let own = map.axes(placed), base = step.base
    add(
      Pass(
        name: "gain map", sources: [.image(map)], width: own.x.count, height: own.y.count, mapping: placed.mapping,
        stages: prepare, sink: words.sink(.floatPlanes, StoreFloatPlanes.words(channels: channels), channels: channels))
    )

    // Gains that are finer than the base are averaged first; the stage interpolates coarser ones.
    let gainsX = own.x.count > base.x.count ? base.x : own.x, gainsY = own.y.count > base.y.count ? base.y : own.y
    if gainsX != own.x || gainsY != own.y { addReduction(from: own, to: (gainsX, gainsY), channels: channels) }
    let columns = GainMapStage.axisTable(base.x, map: gainsX)
    let rows = GainMapStage.axisTable(base.y, map: gainsY)
    open.sources.append(
      .earlier(
        pass: passes.count - 1,
        rows: RowScale(
          firstRow: stride(from: 0, to: rows.count, by: 3).map { Int32(bitPattern: rows[$0]) },
          lastRow: stride(from: 1, to: rows.count, by: 3).map { Int32(bitPattern: rows[$0]) })))
    append(
      words.stage(
        .gainMap,
        GainMapStage.words(
          weight: step.weight, channels: channels, baseOffset: meta.baseOffset,
          alternateOffset: meta.alternateOffset, columns: words.table(columns), rows: words.table(rows),
          sameSize: gainsX.lies(on: base.x) && gainsY.lies(on: base.y), stretch: base.x.stretch(of: gainsX))))
  }

  /// Adds a pass that averages the last pass's planes down to a size.
  mutating func addReduction(
    from: (x: SampleAxis, y: SampleAxis), to: (x: SampleAxis, y: SampleAxis), channels: Int
  ) {
    let columns = LoadArea.axisTable(to.x, of: from.x)
    let rows = LoadArea.axisTable(to.y, of: from.y)
    let rowTaps = LoadArea.taps(to.y, of: from.y)
    let first = stride(from: 0, to: rows.count, by: rowTaps + 2).map { Int32(bitPattern: rows[$0]) }
    let last = stride(from: 0, to: rows.count, by: rowTaps + 2).map {
      Int32(bitPattern: rows[$0]) + Int32(bitPattern: rows[$0 + 1]) - 1
    }
    let load = words.stage(
      .loadArea,
      LoadArea.words(
        channels: channels, columns: words.table(columns), columnTaps: LoadArea.taps(to.x, of: from.x),
        rows: words.table(rows), rowTaps: rowTaps))
    add(
      Pass(
        name: "gain map, averaged",
        sources: [.earlier(pass: passes.count - 1, rows: RowScale(firstRow: first, lastRow: last))],
        width: to.x.count, height: to.y.count, mapping: .identity, stages: [load],
        sink: words.sink(.floatPlanes, StoreFloatPlanes.words(channels: channels), channels: channels)))
  }
}
