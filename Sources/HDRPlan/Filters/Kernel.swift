import HDRCore
import Kernels
import PlainData

/// A kernel that a user has written in GLSL (docs/kernels.md). It is an input of the recipe, as LUTs are; the step also
/// has the kernel's own parameters.
enum Kernel: Filter {
  static let name = "kernel"
  static let summary = "a kernel of your own, in GLSL"
  static let category = FilterCategory.stylize
  static let file = FilterParameter("file", .input(nil), "the kernel among the inputs, or its file")
  static let parameters = [file]
  static let alpha = AlphaRule.premultiplied
  static let headroomEffect = HeadroomEffect.recomputed

  static func knownParameters(_ values: FilterValues) -> [FilterParameter]? {
    values.kernel.map { [file] + $0.parameters }
  }

  static func takes(_ content: Headroom, _ values: FilterValues) -> Bool {
    values.kernel?.head.isHDRSafe ?? true || content.stops <= 1e-9
  }

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    values.kernel?.headroom(values, after: content)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    guard let kernel = values.kernel else {
      throw .missingChoice("there is no kernel \"\(values.input(file) ?? "")\" among the inputs")
    }
    let head = kernel.head, sizes = kernel.parameters.suffix(head.inputs.count)
    var inputs: [PlaneRef] = []
    for parameter in sizes { inputs.append(try edit.input(values.input(parameter) ?? "")) }
    if head.makesAlpha { edit.makeTransparent() }
    edit.premultiply()
    edit.kernel(kernel, values, inputs)
    edit.unpremultiply()
  }
}

extension Edit {
  /// Runs a kernel on premultiplied colour.
  fileprivate mutating func kernel(_ kernel: UserKernel, _ values: FilterValues, _ inputs: [PlaneRef]) {
    let (width, height, radius) = (width, height, kernel.head.radius)
    let content = known
    let display = min(recipe.display.headroom(of: content, recipe.target.encoding), recipe.target.largestHeadroom)
    func words(channels: Int) -> [UInt32] {
      UserStage.words(
        headroom: display.factor, contentHeadroom: content.factor, radius: radius, channels: channels, width: width,
        height: height, inputs: inputs.map { ($0.width, $0.height) }) + kernel.words(values)
    }
    if radius > 0 {
      load(
        Kernel.name, .user, width: width, height: height, rows: .around(height: height, reach: radius), kernel: kernel
      ) { channels, _ in words(channels: channels) }
    }
    for input in inputs {
      let rows = (0..<height).map { row in
        (
          first: Swift.min(Swift.max(row - radius, 0), input.height - 1),
          last: Swift.min(row + radius, input.height - 1)
        )
      }
      _ = read(
        input, rows: RowScale(firstRow: rows.map { Int32($0.first) }, lastRow: rows.map { Int32($0.last) }))
    }
    if radius == 0 {
      let list = words(channels: 4)
      builder.add(.custom { $0.stage(.user, list, kernel: kernel) })
    }
  }
}

extension FilterStep {
  /// Returns the fault of a step whose kernel is among the inputs; `nil` if there is none.
  package func complaint(with inputs: [String: FilterInput]) -> String? {
    let known = resolved(inputs)
    guard known.values.kernel != nil else {
      return "\(values.input(Kernel.file) ?? "it") is no kernel: its file's name ends in .glsl"
    }
    return known.complaint?.message
  }

  /// Returns the step with the kernel that it names among a recipe's inputs.
  func resolved(_ inputs: [String: FilterInput]) -> FilterStep {
    guard filter == Kernel.self, let name = values.input(Kernel.file), case .kernel(let kernel)? = inputs[name]?.content
    else { return self }
    var result = self
    result.values.kernel = kernel
    for (key, value) in values.values {
      guard let own = kernel.parameters.first(where: { $0.name != key && Nearest.same($0.name, key) }) else { continue }
      result.values.values[key] = nil
      result.values.values[own.name] = value
    }
    return result
  }
}
