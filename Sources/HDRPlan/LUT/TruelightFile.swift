import HDRCore

/// A `.cub` file of Truelight (FilmLight): lines after `#` say what follows, a curve for each channel, then a 3D table,
/// red fastest (docs/luts.md#formats). The curves' outputs are places in the table, from 0 to its edge less 1.
enum TruelightFile {
  static func read(_ bytes: [UInt8]) throws(LUTError) -> LUTChain {
    var lines = try LUTLines(bytes, comments: false)
    guard try lines.need("# Truelight Cube").prefix(3).map({ $0.lowercased() }) == ["#", "truelight", "cube"] else {
      throw LUTError(.format, line: lines.number, reason: "it does not begin with # Truelight Cube")
    }
    var length = 0, edge = 0
    var tables = ["inputlut": [Float](), "cube": [Float]()], open: String?
    while let (_, words) = try lines.next() {
      let number = lines.number
      if words[0] == "#" {
        let name = words.count > 1 ? words[1].lowercased() : ""
        switch name {
        case "width": edge = try LUTNumbers.edge(words.dropFirst(2), line: number, "width")
        case "lutlength":
          length = try LUTNumbers.count(words.dropFirst(2).first, 2...CubeLUT.max1D, line: number, "lutLength")
        case "inputlut", "cube": open = name
        case "end": open = nil
        default: continue
        }
        continue
      }
      guard let table = open else {
        throw LUTError(.syntax, line: number, reason: "numbers before # InputLUT or # Cube, or after # end")
      }
      let most = table == "cube" ? 3 * edge * edge * edge : 3 * length
      guard tables[table, default: []].count < most else {
        throw LUTError(.count, line: number, reason: "more rows than width or lutLength says")
      }
      tables[table, default: []] += try LUTNumbers.finite(words, 3, line: number, "a row").map { Float($0) }
    }
    let curves = tables["inputlut"] ?? [], cube = tables["cube"] ?? []
    guard curves.count == 3 * length, cube.count == 3 * edge * edge * edge, length + edge > 0 else {
      throw LUTError(.count, line: lines.number, reason: "fewer rows than width or lutLength says")
    }
    let scale = edge > 0 ? 1 / Float(edge - 1) : 1
    let low = [0.0, 0, 0], high = [1.0, 1, 1]
    let first = CubeLUT.Table1D(size: length, domainMin: low, domainMax: high, values: curves.map { $0 * scale })
    let second = CubeLUT.Table3D(size: edge, domainMin: low, domainMax: high, values: cube)
    return LUTChain((length > 0 ? [.table(first)] : []) + (edge > 0 ? [.cube(second, nil)] : []))
  }
}
