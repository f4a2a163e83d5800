import FileParts
import HDRCore

extension SensorOpcode {
  /// Reads a list, which is big-endian in every file. Optional opcodes that are not applied are warnings.
  ///
  /// - Parameter name: the name of the list, for errors.
  /// - Throws: `.unsupported` for opcodes that must be applied and are not known; `.truncated`, `.malformed`, `.limit`.
  package static func list(
    _ bytes: ArraySlice<UInt8>, name: String, warnings: inout [Warning]
  ) throws(DecodeError) -> [SensorOpcode] {
    var reader = ByteReader(bytes, place: name), result: [SensorOpcode] = []
    let count = try reader.u32()
    guard count <= maxOpcodes else {
      throw .limit(what: "opcodes of \(name)", found: count, allowed: maxOpcodes)
    }
    for index in 0..<count {
      let id = try reader.u32()
      _ = try reader.u32()
      let isOptional = try reader.u32() & 1 == 1
      let data = try reader.take(try reader.u32())
      let place = "\(name), opcode \(index + 1) (\(Self.name(id)))"
      var inner = ByteReader(data, place: place)
      if let opcode = try opcode(id, &inner) {
        result.append(opcode)
        if let (what, found, allowed) = excess(of: result) {
          throw .limit(what: "\(what) of \(name)", found: found, allowed: allowed)
        }
      } else if isOptional {
        warnings.append(Warning("dng.opcode", "\(place) is optional and not applied"))
      } else {
        throw .unsupported(feature: "an opcode of DNG that must be applied", found: place)
      }
    }
    return result
  }

  static func name(_ id: Int) -> String {
    let names = [
      1: "WarpRectilinear", 2: "WarpFisheye", 3: "FixVignetteRadial", 4: "FixBadPixelsConstant", 5: "FixBadPixelsList",
      6: "TrimBounds", 7: "MapTable", 8: "MapPolynomial", 9: "GainMap", 10: "DeltaPerRow", 11: "DeltaPerColumn",
      12: "ScalePerRow", 13: "ScalePerColumn", 14: "WarpRectilinear2",
    ]
    return "\(id)" + (names[id].map { " " + $0 } ?? "")
  }

  /// Reads the parameters of an opcode; `nil` for opcodes that are not supported.
  private static func opcode(_ id: Int, _ reader: inout ByteReader) throws(DecodeError) -> SensorOpcode? {
    switch id {
    case 3:
      var numbers: [Double] = []
      for _ in 0..<7 { numbers.append(try reader.double()) }
      return .vignette(coefficients: Array(numbers.prefix(5)), center: Array(numbers.suffix(2)))
    case 6:
      let bounds = (try reader.u32(), try reader.u32(), try reader.u32(), try reader.u32())
      guard bounds.0 < bounds.2, bounds.1 < bounds.3 else {
        throw .malformed(where: reader.place, what: "empty bounds")
      }
      return .trimBounds(top: bounds.0, left: bounds.1, bottom: bounds.2, right: bounds.3)
    case 7:
      let area = try area(&reader), count = try reader.u32()
      guard (1...maxTable).contains(count) else {
        throw .limit(what: "\(reader.place): table entries", found: count, allowed: maxTable)
      }
      guard reader.remaining >= 2 * count else { throw .truncated(where: reader.place) }
      var table: [UInt16] = []
      for _ in 0..<count { table.append(UInt16(try reader.u16())) }
      return .mapTable(area, table)
    case 8:
      let area = try area(&reader), degree = try reader.u32()
      guard degree <= maxDegree else {
        throw .limit(what: "\(reader.place): degree", found: degree, allowed: maxDegree)
      }
      var coefficients: [Double] = []
      for _ in 0...degree { coefficients.append(try reader.double()) }
      return .mapPolynomial(area, coefficients)
    case 9: return try gainMap(&reader)
    case 10...13:
      let area = try area(&reader), count = try reader.u32()
      let wanted = id == 10 || id == 12 ? area.rows : area.columns
      guard count == wanted else {
        throw .malformed(where: reader.place, what: "\(count) numbers for \(wanted) rows or columns")
      }
      let numbers = try reader.floats(count)
      switch id {
      case 10: return .deltaPerRow(area, numbers)
      case 11: return .deltaPerColumn(area, numbers)
      case 12: return .scalePerRow(area, numbers)
      default: return .scalePerColumn(area, numbers)
      }
    default: return nil
    }
  }

  private static func area(_ reader: inout ByteReader) throws(DecodeError) -> Area {
    let area = Area(
      top: try reader.u32(), left: try reader.u32(), bottom: try reader.u32(), right: try reader.u32(),
      plane: try reader.u32(), planes: try reader.u32(), rowPitch: try reader.u32(), columnPitch: try reader.u32())
    guard area.top < area.bottom, area.left < area.right, area.planes > 0, area.rowPitch > 0, area.columnPitch > 0,
      area.planes <= 16, area.plane <= 16
    else { throw .malformed(where: reader.place, what: "its area is empty") }
    return area
  }

  private static func gainMap(_ reader: inout ByteReader) throws(DecodeError) -> SensorOpcode {
    let area = try area(&reader), rows = try reader.u32(), columns = try reader.u32()
    let spacing = [try reader.double(), try reader.double()], origin = [try reader.double(), try reader.double()]
    let planes = try reader.u32(), most = maxNumbers
    guard rows > 0, columns > 0, planes > 0 else {
      throw .malformed(where: reader.place, what: "\(rows)x\(columns)x\(planes) points")
    }
    guard rows <= most, columns <= most, planes <= 16, rows * columns <= most / planes else {
      throw .limit(what: "\(reader.place): points", found: max(rows, columns), allowed: most)
    }
    guard spacing[0] > 0 || rows == 1, spacing[1] > 0 || columns == 1 else {
      throw .malformed(where: reader.place, what: "spacing \(spacing)")
    }
    let gains = try reader.floats(rows * columns * planes)
    return .gainMap(
      area,
      GainMap(
        rows: rows, columns: columns, planes: planes, spacing: spacing.map { $0 > 0 ? $0 : 1 }, origin: origin,
        gains: gains))
  }
}
