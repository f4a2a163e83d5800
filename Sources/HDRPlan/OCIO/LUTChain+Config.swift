import HDRCore
import OCIOConfig

extension LUTChain {
  /// Reads the file of a config's operation: all that is in it, not undone.
  package typealias ConfigFileReader = (ConfigFile) throws(LUTError) -> LUTChain

  /// Makes the chain of a config's operations. Tables take no numbers outside of their domains if it runs as configs mean
  /// it (`LUTChoice.extrapolates` is false).
  ///
  /// - Throws: `ConfigError` with the place in the config: `transform.style`, `transform.singular`, `transform.grading`,
  ///   `config.file` for files that are not read or cannot be undone.
  package init(
    _ operations: [ConfigOperation], reading read: ConfigFileReader
  ) throws(ConfigError) {
    self.init([])
    for operation in operations {
      do throws(LUTError) {
        var part = try operation.chain(read)
        if operation.isInverse { part = try part.inverse() }
        self.operations += part.operations
        notes += part.notes
        guard !hasTooManyTables, self.operations.count <= CLFReader.maxOperations else {
          throw LUTError(
            .transformStyle,
            reason: "more than \(Self.maxTables) 3D LUTs and output transforms, or \(CLFReader.maxOperations) others")
        }
      } catch {
        throw operation.error(error)
      }
    }
  }
}

extension ConfigOperation {
  fileprivate func error(_ error: LUTError) -> ConfigError {
    let code: ConfigError.Code
    switch error.code {
    case .singular: code = .singular
    case .transformStyle: code = .function
    case .grading: code = .grading
    case .alpha: code = .alpha
    default: code = .file
    }
    guard case .file(let file) = kind else { return ConfigError(code, place, error.reason) }
    return ConfigError(code, place, "\(file.path): \(error)")
  }

  fileprivate func chain(_ read: LUTChain.ConfigFileReader) throws(LUTError) -> LUTChain {
    switch kind {
    case .file(let file): return try read(file).interpolated(file.interpolation, clampsCDL: file.clampsCDL)
    case .matrix(let matrix, let offset): return LUTChain([.matrix(matrix, offset: offset)])
    case .exponent(let values, let style):
      guard values.allSatisfy({ (0.01...100).contains($0) }) else {
        throw LUTError(.singular, reason: "an exponent must be 0.01 to 100")
      }
      return LUTChain([.formulas(values.map { .power($0, style.negatives) })])
    case .exponentWithLinear(let gammas, let offsets, let style):
      return LUTChain([
        .formulas(
          zip(gammas, offsets).map { gamma, offset in
            gamma == 1
              ? .identity
              : .monCurve(MonCurve(gamma: gamma, offset: offset), isReversed: false, mirrors: style == .mirror)
          })
      ])
    case .log(let base): return LUTChain([.formula(.log(base: base))])
    case .logAffine(let base, let sides):
      return LUTChain(LUTOperation.logarithms(sides.map { LUTOperation.Logarithm(base: base, sides: $0) }))
    case .logCamera(let base, let sides, let breaks, let slopes):
      let logs = sides.indices.map { i in
        LUTOperation.Logarithm(base: base, sides: sides[i], limit: breaks[i], lineSlope: slopes?[i])
      }
      guard logs.allSatisfy(\.hasLimit) else {
        throw LUTError(.singular, reason: "the break of a camera's logarithm has no logarithm")
      }
      return LUTChain(LUTOperation.logarithms(logs))
    case .range(let range): return LUTChain(LUTOperation.range(range))
    case .cdl(let slope, let offset, let power, let saturation, let clamps):
      return LUTChain([
        .cdl(CDL(slope: slope, offset: offset, power: power, saturation: saturation, clamps: clamps))
      ])
    case .builtin(let style):
      guard let chain = LUTChain(builtin: style.name) else {
        throw LUTError(.transformStyle, reason: "the built-in transform \(style.name) is not supported")
      }
      return chain
    case .fixedFunction(let function): return LUTChain(try function.operations())
    case .exposureContrast(let numbers): return LUTChain(LUTOperation.exposureContrast(numbers))
    case .gradingPrimary(let grade): return LUTChain(try grade.operations())
    case .allocationUniform(let low, let high): return LUTChain([.uniform(low, high)])
    case .allocationLog2(let low, let high, let offset):
      return LUTChain([
        .affine([1, 1, 1], [offset, offset, offset]), .formula(.log(base: 2)), .uniform(low, high),
      ])
    }
  }
}

extension LUTOperation {
  /// Returns the operation from numbers between two to 0 to 1.
  fileprivate static func uniform(_ low: Double, _ high: Double) -> LUTOperation {
    let scale = 1 / (high - low), offset = -low * scale
    return .affine([scale, scale, scale], [offset, offset, offset])
  }
}

extension LUTChain {
  /// Returns the chain with what a config says about a file. 3D tables that state an interpolation keep it; the nearest
  /// node is the trilinear one, as OpenColorIO has it.
  fileprivate func interpolated(_ interpolation: ConfigFile.Interpolation, clampsCDL: Bool) -> LUTChain {
    let chosen: LUTChoice.Interpolation =
      [.best, .cubic, .tetrahedral].contains(interpolation) ? .tetrahedral : .trilinear
    var chain = styled(clampsCDL: clampsCDL)
    if interpolation == .cubic { chain.notes.append("the config's interpolation cubic is taken as best") }
    chain.operations = chain.operations.map { operation in
      guard case .cube(let cube, nil) = operation else { return operation }
      return .cube(cube, chosen)
    }
    return chain
  }
}

extension ExponentStyle {
  fileprivate var negatives: LUTFormula.Negatives {
    switch self {
    case .clamp: .clamp
    case .mirror: .mirror
    case .passThrough: .pass
    }
  }
}
