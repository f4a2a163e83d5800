import HDRCore
import HDRPlan
import HDRRecipe
import HDRRender

/// The renditions in which two files are compared, or the reason why a number would mean nothing
/// (docs/compare.md#what-can-be-compared).
package struct Alignment: Sendable, Hashable {
  package var renditions: [AcceptExpression.Selector]
  /// The size of what is compared, in viewing orientation.
  package let width: Int
  package let height: Int
  /// Remarks on the pair; their codes are stable.
  package var notes: [Warning] = []

  /// - Parameters:
  ///   - wanted: renditions that a caller names; `nil`: those that both files have.
  ///   - side: the pixels of the longer side to which both are reduced; `nil`: their own size.
  /// - Throws: `HDRError` `compare.size`, `compare.kind` or `compare.alpha`.
  package init(
    _ a: ComparedFile, _ b: ComparedFile, wanted: [AcceptExpression.Selector]?, side: Int? = nil
  ) throws(HDRError) {
    (width, height) = try Self.size(a, b, side)
    let kinds = (a.kind, b.kind), isSDR = (kinds.0 == .sdr, kinds.1 == .sdr)
    let isRaw = kinds.0 == .raw || kinds.1 == .raw
    if isSDR.0 != isSDR.1 && !isRaw && wanted != [.headroom(1)] {
      var message: Message =
        "A is \(kinds.0.rawValue) and B \(kinds.1.rawValue); \(setting: "headrooms") 1 compares their SDR renditions"
      // What a reader could not use may have made it SDR.
      for (name, file) in [("A", a), ("B", b)] where file.kind == .sdr {
        for warning in file.source.warnings { message = "\(message); \(name): \(warning.message)" }
      }
      throw HDRError(code: "compare.kind", message: message)
    }
    renditions = wanted ?? Self.standard(a, b)
    if isRaw { notes.append(Warning("compare.raw", "camera raw has renditions of our own making")) }
    let alpha = (a.source.image.alpha != nil, b.source.image.alpha != nil)
    if alpha.0 != alpha.1 {
      let (name, file) = alpha.0 ? ("A", a) : ("B", b)
      if file.isTransparent {
        throw HDRError(code: "compare.alpha", message: "\(name) alone has an alpha that is not opaque")
      }
      notes.append(Warning("alpha.opaque", "\(name) alone has an alpha, which is opaque"))
    }
  }

  /// Returns the size of what is compared: that of both, or A's reduced one if B's is within a pixel of it.
  private static func size(_ a: ComparedFile, _ b: ComparedFile, _ side: Int?) throws(HDRError) -> (Int, Int) {
    let sizes: Message = "A is \(a.width)x\(a.height) and B \(b.width)x\(b.height) after orientation"
    guard let side else {
      if a.width == b.width, a.height == b.height { return (a.width, a.height) }
      throw HDRError(code: "compare.size", message: "\(sizes); nothing is padded or cut")
    }
    // Nothing is enlarged.
    let longest = min(side, max(a.width, a.height), max(b.width, b.height))
    func reduced(_ file: ComparedFile) -> (width: Int, height: Int) {
      let most = max(file.width, file.height)
      func scaled(_ pixels: Int) -> Int { max(1, (2 * pixels * longest + most) / (2 * most)) }
      return (scaled(file.width), scaled(file.height))
    }
    let (p, q) = (reduced(a), reduced(b))
    if abs(p.width - q.width) <= 1, abs(p.height - q.height) <= 1 { return p }
    throw HDRError(code: "compare.size", message: "\(sizes); their shapes differ at \(longest) pixels")
  }

  /// Returns the renditions with the metrics of each. Metrics of SDR are of that for headroom 1: it is made for them where
  /// it is not among the renditions, unless a caller named those.
  ///
  /// - Parameter hasAll: true for renditions without metrics, too.
  func work(_ needed: Set<Metric>, isNamed: Bool, hasAll: Bool) -> [(AcceptExpression.Selector, Set<Metric>)] {
    let ofLight = needed.filter { !$0.isOfFiles }, ofSDR = ofLight.filter(\.isOfSDR), rest = ofLight.subtracting(ofSDR)
    var result = renditions.map { ($0, $0 == .headroom(1) ? ofLight : rest) }
    if !ofSDR.isEmpty, !isNamed, !renditions.contains(.headroom(1)) { result.insert((.headroom(1), ofSDR), at: 0) }
    return hasAll ? result : result.filter { !$0.1.isEmpty }
  }

  private static func standard(_ a: ComparedFile, _ b: ComparedFile) -> [AcceptExpression.Selector] {
    if a.kind == .sdr || b.kind == .sdr { return [.headroom(1)] }
    guard a.kind == .gainMap, b.kind == .gainMap else { return [.full] }
    let full = [a, b].compactMap { $0.source.gainMap?.metadata.maxHeadroom.factor }.max() ?? 1
    return [1, 2, 4].filter { $0 < full }.map { .headroom($0) } + [.full]
  }
}

extension ComparedFile {
  /// Plans a rendition: linear BT.2020 in binary32, 1.0 = 203 cd/m², on black, reduced in linear light if it is larger
  /// than the size of what is compared.
  func plan(_ rendition: AcceptExpression.Selector, _ alignment: Alignment) throws(HDRError) -> Plan {
    var target = OutputSignal(primaries: CICP.Primaries.bt2020, encoding: .linear, sink: .floatPlanes)
    target.isOpaque = true
    var recipe = RenderRecipe(target: target, gamut: .none)
    recipe.workingFormat = .rgba32f
    if (alignment.width, alignment.height) != (width, height) {
      let size = ["width": alignment.width, "height": alignment.height].mapValues { FilterValue.number(Double($0)) }
      recipe.edits = [FilterStep("resize", size.merging(["fit": .word("stretch"), "enlarge": .flag(true)]) { $1 })]
    }
    if case .headroom(let factor) = rendition {
      recipe.display = .headroom(Headroom(factor: factor))
    } else {
      // Each picture's own light, whatever the file declares about it.
      (recipe.display, recipe.beyond) = (.high, .keep)
      if kind == .hdr { recipe.tone = .none }
    }
    do throws(PlanError) {
      return try Planner.plan(source, recipe)
    } catch {
      throw HDRError(error).about(path)
    }
  }
}
