/// Corrections of `.cc`, `.ccc` and `.cdl` files (ASC CDL 1.2, XML; docs/luts.md#formats). The root element says which
/// of the three it is.
enum CDLFile {
  /// - Parameter id: the correction's identifier, or its number from 0; `nil`: the first.
  static func read(_ bytes: [UInt8], id: String?) throws(LUTError) -> LUTChain {
    let root = try LUTXML(bytes).root
    let corrections: [LUTElement]
    switch root.name {
    case "ColorCorrection": corrections = [root]
    case "ColorCorrectionCollection": corrections = root.all("ColorCorrection")
    case "ColorDecisionList": corrections = root.all("ColorDecision").flatMap { $0.all("ColorCorrection") }
    default:
      throw root.error(.format, "it is no ColorCorrection, ColorCorrectionCollection or ColorDecisionList")
    }
    var known: Set<String> = []
    for correction in corrections {
      guard let own = correction.attribute("id"), !own.isEmpty else { continue }
      guard known.insert(own).inserted else { throw correction.error(.cdlID, "an id is given twice; rename one") }
    }
    let chosen: LUTElement
    if let id {
      let byNumber = Int(id).flatMap { corrections.indices.contains($0) ? corrections[$0] : nil }
      guard let found = corrections.first(where: { $0.attribute("id") == id }) ?? byNumber else {
        throw LUTError(.cdlID, reason: "no correction has this id, and it is no number below \(corrections.count)")
      }
      chosen = found
    } else {
      guard let first = corrections.first else { throw root.error(.cdlID, "it has no ColorCorrection") }
      chosen = first
    }
    var chain = LUTChain([.cdl(try correction(chosen))])
    if let unread = chosen.all("ASC_SOP", "ASC_SAT").first {
      chain.notes.append("\(unread.name) in line \(unread.line) is not read: ASC CDL calls it SOPNode or SatNode")
    }
    if id == nil && corrections.count > 1 {
      chain.notes.append(
        "the file has \(corrections.count) corrections, and the first one is taken; name one with #ID")
    }
    return chain
  }

  /// Reads the SOP and the saturation of an element; what is missing changes nothing.
  ///
  /// - Parameter needsAll: true if an SOP must have slope, offset and power.
  static func correction(_ element: LUTElement, needsAll: Bool = false) throws(LUTError) -> CDL {
    var cdl = CDL()
    if let sop = try element.one("SOPNode") {
      func three(_ name: String, _ standard: [Double]) throws(LUTError) -> [Double] {
        guard let found = try sop.one(name) else {
          if needsAll { throw sop.error(.cdlValue, "\(name) is missing") }
          return standard
        }
        let values = try found.numbers(name)
        guard values.count == 3 else {
          throw found.error(.cdlValue, "\(name) needs three numbers, and has \(values.count)")
        }
        return values
      }
      cdl.slope = try three("Slope", cdl.slope)
      cdl.offset = try three("Offset", cdl.offset)
      cdl.power = try three("Power", cdl.power)
      guard cdl.slope.allSatisfy({ $0 >= 0 }) else { throw sop.error(.cdlValue, "Slope must not be below 0") }
      guard cdl.power.allSatisfy({ $0 > 0 }) else { throw sop.error(.cdlValue, "Power must be above 0") }
    }
    if let node = try element.one("SatNode", "SATNode") {
      let values = try node.one("Saturation")?.numbers("Saturation") ?? []
      guard values.count == 1, values[0] >= 0 else {
        throw node.error(.cdlValue, "Saturation must be one number that is not below 0")
      }
      cdl.saturation = values[0]
    }
    return cdl
  }
}
