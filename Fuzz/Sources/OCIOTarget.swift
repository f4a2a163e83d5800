import HDRCore
import OCIOConfig

/// Configs of OpenColorIO: what is read is followed wherever a picture could go.
extension Target {
  static let ocioConfig = Target("ocio-config", maxLength: 1 << 14, mutate: OCIOGrammar.mutate) { bytes in
    let config: Config
    do throws(ConfigError) {
      config = try Config(parsing: bytes, file: "fuzz.ocio", folder: "show")
    } catch {
      return demand(error.isOneLine, "an error of two lines")
    }
    demand(config.warnings.allSatisfy { !$0.message.description.contains("\n") }, "a warning of two lines")
    for space in config.spaces.prefix(8) {
      demand(config.space(space.name)?.name == space.name, "a space without its name")
    }
    for path in ["/a/plates/lin_x.exr", "b.PNG", ""] + [String(repeating: "a", count: 400)] {
      let match = config.space(forFile: path)
      demand(config.fileRules.indices.contains(match.index) && !match.space.isEmpty, "a rule that is not there")
    }
    let context = ConfigContext(variables: ["SHOT": "s$A"], environment: ["A": "$V", "V": "v"]) { !$0.contains("no") }
    let names = (config.spaceNames + config.namedTransforms.map(\.name)).prefix(5)
    for from in names {
      demand((try? config.operations(from: from, to: from, context))?.isEmpty != false, "a way from a space to itself")
      for to in names { follow { () throws(ConfigError) in try config.operations(from: from, to: to, context) } }
      for reference in [Config.Reference.scene, .display] {
        follow { () throws(ConfigError) in try config.operations(from: from, to: reference, context) }
        follow { () throws(ConfigError) in try config.operations(from: reference, to: from, context) }
      }
      for display in config.displays.prefix(3) {
        for view in display.views.prefix(3) {
          follow { () throws(ConfigError) in
            try config.operations(display: display.name, view: view.name, from: from, context).all
          }
        }
      }
    }
    let looks = config.lookNames.prefix(3).joined(separator: ", -") + " | no"
    if let name = names.first {
      follow { () throws(ConfigError) in try config.operations(looks: looks, from: name, to: name, context) }
    }
  }

  /// Demands that operations are whole, or an error one line.
  private static func follow(_ operations: () throws(ConfigError) -> [ConfigOperation]) {
    do throws(ConfigError) {
      let list = try operations()
      demand(list.count <= 8192, "more operations than the limit")
      for operation in list { demand(operation.isWhole, "an operation with a hole: \(operation)") }
    } catch {
      demand(error.isOneLine, "an error of two lines")
    }
  }
}

extension ConfigError {
  fileprivate var isOneLine: Bool { !message.description.contains("\n") && message.description.utf8.count < 4096 }
}

extension ConfigOperation {
  /// True if lists have a number for each channel, and what is undone can be.
  fileprivate var isWhole: Bool {
    switch kind {
    case .matrix(let matrix, let offset):
      (matrix.rows + offset).allSatisfy(\.isFinite) && offset.count == 3 && (!isInverse || matrix.inverse != nil)
    case .exponent(let value, _): value.count == 3 && value.allSatisfy { $0 > 0 }
    case .exponentWithLinear(let gamma, let offset, _): gamma.count == 3 && offset.count == 3
    case .log(let base): base > 0 && base != 1
    case .logAffine(_, let sides): sides.count == 3
    case .logCamera(_, let sides, let breaks, let slopes):
      sides.count == 3 && breaks.count == 3 && slopes?.count ?? 3 == 3
    case .range(let range): range.low != nil || range.high != nil
    case .cdl(let slope, let offset, let power, _, _):
      slope.count == 3 && offset.count == 3 && power.allSatisfy { $0 > 0 }
    case .file(let file): !file.path.isEmpty && !file.path.split(separator: "/").dropFirst(2).contains("..")
    case .builtin(let style): BuiltinStyle.named(style.name) == style
    case .fixedFunction, .exposureContrast, .gradingPrimary: true
    case .allocationUniform(let low, let high), .allocationLog2(let low, let high, _): low != high
    }
  }
}
