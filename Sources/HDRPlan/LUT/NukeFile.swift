import HDRCore

/// A `.vf` file of Nuke: a 3D table, blue fastest, with an optional matrix in front (docs/luts.md#formats).
enum NukeFile {
  static func read(_ bytes: [UInt8]) throws(LUTError) -> LUTChain {
    var lines = try LUTLines(bytes, comments: false)
    guard try lines.need("#Inventor V2.1 ascii").map({ $0.lowercased() }) == ["#inventor", "v2.1", "ascii"] else {
      throw LUTError(.format, line: lines.number, reason: "it does not begin with #Inventor V2.1 ascii")
    }
    var size = 0, transform: [Double]?
    head: while true {
      let words = try lines.need("data"), number = lines.number
      switch words[0].lowercased() {
      case "grid_size": size = try LUTNumbers.edge(words.dropFirst(), line: number, "grid_size")
      case "global_transform":
        transform = try LUTNumbers.finite(words.dropFirst(), 16, line: number, "global_transform")
      case "element_size", "world_origin": continue
      case "data": break head
      case let word where word.hasPrefix("#"): continue
      default:
        throw LUTError(.syntax, line: number, reason: "only grid_size and global_transform may stand before data")
      }
    }
    guard size > 0 else { throw LUTError(.syntax, line: lines.number, reason: "grid_size must stand before data") }
    let rows = try lines.rows(size * size * size, of: 3, "the table")
    try lines.end()
    let cube = LUTOperation.cube(CubeLUT.Table3D(size: size, blueFastest: rows), nil)
    guard let m = transform else { return LUTChain([cube]) }
    guard m[12...].elementsEqual([0, 0, 0, 1]) else {
      throw LUTError(.alpha, reason: "the last row of global_transform must be 0 0 0 1")
    }
    // The file's matrix has its columns divided by the size.
    let matrix = Matrix3((0..<9).map { m[$0 / 3 * 4 + $0 % 3] * Double(size) })
    return LUTChain([.matrix(matrix, offset: [m[3], m[7], m[11]]), cube])
  }
}
