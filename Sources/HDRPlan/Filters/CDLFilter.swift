import HDRCore

/// A colour correction of ASC CDL, given by numbers or by a file: (x · slope + offset)^power, then saturation
/// (docs/filter-formulas.md#cdl). It works on the picture's numbers as they are unless a space is named.
enum CDLFilter: Filter {
  static let name = "cdl"
  static let summary = "slope, offset, power and saturation of ASC CDL, by numbers or from a .cc, .ccc or .cdl file"
  static let category = FilterCategory.color
  static let file = FilterParameter(
    "file", .input(""), "the correction among the inputs, or its file, with #ID of one of several; then no numbers")
  static let slope = FilterParameter("slope", .vector([1, 1, 1], size: 3, 0...1000), "factors of R, G, B")
  static let offset = FilterParameter("offset", .vector([0, 0, 0], size: 3, -1000...1000), "added to R, G, B")
  static let power = FilterParameter("power", .vector([1, 1, 1], size: 3, 0.01...100), "exponents of R, G, B")
  static let saturation = FilterParameter(
    "sat", .number(1, 0...100), "distance from the luminance of BT.709; 0 is grey")
  static let style = FilterParameter(
    "style", .choice("noclamp", ["noclamp", "asc"]),
    "noclamp keeps negative bases of the power and all light; asc keeps numbers within 0 to 1")
  static let inverse = FilterParameter("inverse", .flag(false), "undo the correction")
  static let space = FilterParameter(
    "space", .space(ColorSpace(.linear, .bt2020)), "in which the numbers are corrected: curve and primaries")
  static let parameters = [file, slope, offset, power, saturation, style, inverse, space]
  static let headroomEffect = HeadroomEffect.unknown

  /// Returns false where `asc` would cut HDR light; PQ and HLG hold it within 0 to 1.
  static func takes(_ content: Headroom, _ values: FilterValues) -> Bool {
    values.choice(style) != "asc" || content.stops <= 1e-9 || [.pq, .hlg].contains(values.space(space).curve)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let clamps = values.choice(style) == "asc"
    var chain: LUTChain
    if let input = values.input(file), !input.isEmpty {
      if let number = [slope, offset, power, saturation].first(where: { values.values[$0.name] != nil }) {
        throw .invalidParameter("\(name) takes a file or numbers: leave out file or \(number.name)")
      }
      let lut = try edit.lut(input)
      guard lut.isCDL else { throw .invalidParameter("input \"\(input)\" is no .cc, .ccc or .cdl file") }
      chain = lut.styled(clampsCDL: clamps)
    } else {
      chain = LUTChain([
        .cdl(
          CDL(
            slope: values.vector(slope) ?? [], offset: values.vector(offset) ?? [], power: values.vector(power) ?? [],
            saturation: values.value(saturation), clamps: clamps))
      ])
    }
    if values.flag(inverse) { chain = try chain.undone(in: name) }
    edit.builder.add(LUTChoice(lut: chain, space: values.space(space), extrapolates: false).steps)
  }
}

extension LUTChain {
  /// True if the chain is a correction and nothing else.
  fileprivate var isCDL: Bool {
    guard operations.count == 1, case .cdl = operations[0] else { return false }
    return true
  }

  /// Returns the inverse for a filter.
  func undone(in filter: String) throws(PlanError) -> LUTChain {
    do throws(LUTError) {
      return try inverse()
    } catch {
      throw .invalidParameter("inverse of \(filter): \(error)")
    }
  }
}
