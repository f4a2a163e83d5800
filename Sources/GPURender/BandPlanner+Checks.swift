import HDRCore
import HDRPlan
import Kernels

extension BandPlanner {
  /// Checks all that the arithmetic and copies of bands rely on. Pictures come from files: their strides are untrusted.
  func check() throws(GPUError) {
    guard plan.tables.count * 4 <= limits.storageRange else {
      throw .tooLarge(what: "tables", value: plan.tables.count * 4, limit: limits.storageRange)
    }
    for (index, pass) in plan.passes.enumerated() {
      guard pass.width > 0, pass.height > 0, pass.width <= 1 << 20, pass.height <= 1 << 20 else {
        throw .badPlan("pass \(pass.name) is \(pass.width)x\(pass.height) pixels")
      }
      guard pass.sources.count <= Pass.maxSources else { throw .badPlan("pass \(pass.name) has too many sources") }
      guard plan.halfSources(of: index).nonzeroBitCount <= Pass.maxHalfSources else {
        throw .badPlan("pass \(pass.name) has too many sources of halves")
      }
      let offsets = pass.stages.map(\.constants) + [pass.sink.constants]
      guard offsets.allSatisfy({ (0...plan.constants.count).contains($0) }) else {
        throw .badPlan("pass \(pass.name) has constants outside the plan's")
      }
      let isFloat = pass.sink.kind == .floatPlanes, isBetween = isFloat || pass.sink.kind == .rgba16f
      guard isBetween || index == plan.passes.count - 1, !isFloat || [1, 3, 4].contains(pass.sink.channels) else {
        throw .badPlan("pass \(pass.name) has the sink \(pass.sink.kind)")
      }
      for source in pass.sources {
        switch source {
        case .image(let image):
          guard image.width > 0, image.height > 0, !image.channels.isEmpty else {
            throw .badPlan("a picture of pass \(pass.name) is empty")
          }
          for plane in image.channels { try check(plane, image.format.bytes, pass) }
          if let planes = image.devicePlanes, heldPlanes(image) == nil, !planes.areHere {
            throw .samplesLost(reason: "another device holds them")
          }
          if let alpha = image.alpha { try check(alpha, image.alphaFormat.bytes, pass) }
        case .earlier(let from, let rows):
          guard (0..<index).contains(from) else { throw .badPlan("pass \(pass.name) reads pass \(from)") }
          let height = plan.passes[from].height
          guard rows.firstRow.count == rows.lastRow.count, !rows.firstRow.isEmpty,
            zip(rows.firstRow, rows.lastRow).allSatisfy({ 0 <= $0 && $0 <= $1 && Int($1) < height })
          else { throw .badPlan("pass \(pass.name) has row scales outside pass \(from)") }
        }
      }
    }
  }

  private func check(_ plane: SamplePlane, _ bytes: Int, _ pass: Pass) throws(GPUError) {
    let (rows, overflow) = plane.rowBytes.multipliedReportingOverflow(by: max(0, plane.height - 1))
    let (columns, overflow2) = plane.stepBytes.multipliedReportingOverflow(by: max(0, plane.width - 1))
    let (sum, overflow3) = rows.addingReportingOverflow(columns)
    let (end, overflow4) = sum.addingReportingOverflow(plane.offset)
    guard plane.width > 0, plane.height > 0, plane.offset >= 0, plane.rowBytes >= 0, plane.stepBytes > 0,
      !overflow, !overflow2, !overflow3, !overflow4, end <= plane.buffer.byteCount - bytes
    else { throw .badPlan("a picture of pass \(pass.name) lies outside its memory") }
  }
}
