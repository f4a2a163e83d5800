import HDRCore
import Kernels
import PlainData

/// Lines of one colour with round ends; where they cross, the nearest counts. Their edges are a pixel wide.
enum MeshGenerator: Filter {
  static let name = "mesh-generator"
  static let summary = "lines of one colour"
  static let category = FilterCategory.generator
  static let width = FilterParameter("width", .number(1.5, 0...1_048_576), "of lines, in pixels")
  static let color = FilterParameter("color", .color([1, 1, 1, 1]), "encoded sRGB; 1 is white")
  static let mesh = FilterParameter(
    "mesh", .text(""), "lines x0/y0/x1/y1 with ; between them, up to 1024; without them the picture's diagonals")
  static let parameters = [width, color, mesh, Pattern.exposure]
  static let most = 1024
  static let alpha = AlphaRule.made
  static let headroomEffect = HeadroomEffect.recomputed

  static func headroom(_ values: FilterValues, after content: Headroom, inputs: (String) -> Headroom?) -> Headroom? {
    Emission.headroom(values, color)
  }

  static func apply(_ values: FilterValues, to edit: inout Edit) throws(PlanError) {
    let w = Double(edit.width), h = Double(edit.height), text = values.text(mesh)
    let list = text.isEmpty ? [[0, 0, w, h], [0, h, w, 0]] : try lines(text)
    let limit = 0.5 + values.value(width) / 2, color = Emission.color(values, color)
    edit.emit(.mesh, tables: MeshStage.tables(list, limit: limit, height: edit.height)) {
      MeshStage.words(tables: $0, limit: limit, color: color)
    }
  }

  /// Reads lines.
  ///
  /// - Throws: `PlanError.invalidParameter` that names the first line that is none.
  static func lines(_ text: String) throws(PlanError) -> [[Double]] {
    let parts = text.split(separator: ";")
    guard !parts.isEmpty, parts.count <= most else {
      throw .invalidParameter("\(name): mesh has \(parts.count) lines; it takes 1 to \(most)")
    }
    var list: [[Double]] = []
    for (index, part) in parts.enumerated() {
      let numbers = part.split(separator: "/").compactMap { Double($0.filter { $0 != " " }) }
      guard numbers.count == 4, part.count(where: { $0 == "/" }) == 3, numbers.allSatisfy({ abs($0) <= 1_048_576 })
      else { throw .invalidParameter("\(name): line \(index + 1) of mesh is \"\(part)\", not x0/y0/x1/y1 in pixels") }
      list.append(numbers)
    }
    return list
  }
}
