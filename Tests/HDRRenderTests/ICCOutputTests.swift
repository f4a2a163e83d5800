import CPURender
import FileParts
import HDRCore
import HDRPlan
import TestFiles
import TestPlans
import Testing

/// `--icc-output`: codes of a profile's device, and the profile in the file.
@Suite struct ICCOutputTests {
  /// Codes of device values come back as they were: within half a code, for tables one, and what halves hold of the
  /// light of all three channels.
  @Test(arguments: [("matrix", 0.51), ("table", 1.01)]) func codesAreTheDevices(kind: String, most: Double) throws {
    let profile = kind == "table" ? TinyICC.adobeTables : TinyICC.adobe
    let space = try deviceSpace(ofICC: profile)
    let toBT2020 = Matrix3(try deviceSpace(ofICC: TinyICC.adobe).toBT2020)
    let steps = [0, 0.2, 0.4, 0.6, 0.8, 1]
    var codes: [[Double]] = []
    for red in steps { for green in steps { for blue in steps { codes.append([red, green, blue]) } } }
    let source = FilterPicture(width: codes.count, height: 1) { x, _ in
      let light = toBT2020 * codes[x].map { ExactMath.pow($0, 563.0 / 256) }
      return SIMD4(light[0], light[1], light[2], 1)
    }
    var target = OutputSignal(encoding: .sdr, sink: .rgba8)
    target.profile = OutputProfile(bytes: profile, space: space)
    let plan = try Planner.plan(source.source, RenderRecipe(target: target, tone: .none))
    #expect(plan.report.outputCICP.primaries == 2 && plan.report.outputProfile == space.description)
    let image = CPUBackend.best.render(plan, threads: 1)
    for (got, want) in zip(image.firstRow, codes) {
      for c in 0..<3 {
        func light(_ code: Double) -> Double { ExactMath.pow(max(code, 0) / 255, 563.0 / 256) }
        let low = light(255 * want[c] - most) - 4e-3, high = light(255 * want[c] + most) + 4e-3
        #expect((low...high).contains(light(got[c])), "\(want.map { 255 * $0 }): \(got)")
      }
    }
  }

  @Test("the darkest light of a device stands for black")
  func blackPoint() throws {
    let curve = TinyICC.curv((0...255).map { 655 + $0 * (65535 - 655) / 255 })
    let profile = TinyICC.matrix(colorants: TinyICC.colorants[1] ?? [], curve: curve)
    var target = OutputSignal(encoding: .sdr, sink: .rgba8)
    target.profile = OutputProfile(bytes: profile, space: try deviceSpace(ofICC: profile))
    let source = FilterPicture(width: 3, height: 1) { x, _ in SIMD4(repeating: [0, 0.5, 1][x]) }
    let image = CPUBackend.best.render(
      try Planner.plan(source.source, RenderRecipe(target: target, tone: .none)), threads: 1)
    let got = image.firstRow.map { $0[0] }
    #expect(got[0] == 0 && abs(got[1] - 127.5) <= 1 && got[2] == 255)
  }
}
