import FileParts
import HDRCore

/// The values of one directory of a DNG, each checked for its count and for impossible numbers.
struct DNGValues {
  let structure: TIFFStructure
  let directory: TIFFStructure.Directory

  init(_ structure: TIFFStructure, _ directory: TIFFStructure.Directory) {
    (self.structure, self.directory) = (structure, directory)
  }

  func has(_ tag: Int) -> Bool { directory.entries[tag] != nil }
  func count(_ tag: Int) -> Int { directory.entries[tag]?.count ?? 0 }
  func integer(_ tag: Int) -> Int? { structure.integer(tag, in: directory) }
  func integers(_ tag: Int) -> [Int]? { structure.integers(tag, in: directory) }
  func data(_ tag: Int) -> ArraySlice<UInt8>? { structure.data(tag, in: directory) }
  func reals(_ tag: Int, limit: Int = 64) -> [Double]? { structure.reals(tag, in: directory, limit: limit) }

  /// Returns a text up to its zero, at most 256 bytes; bytes that are no UTF-8 become replacement characters.
  func text(_ tag: Int) -> String? {
    guard let bytes = data(tag)?.prefix(256).prefix(while: { $0 != 0 }), !bytes.isEmpty else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the numbers of a tag; `nil` for an absent tag.
  ///
  /// - Throws: `.malformed` for another count and for numbers that are not finite.
  func numbers(_ tag: Int, count: Int, _ name: String, limit: Int = 64) throws(DecodeError) -> [Double]? {
    guard has(tag) else { return nil }
    guard let found = reals(tag, limit: limit), found.count == count else {
      throw .malformed(where: name, what: "\(self.count(tag)) numbers, \(count) expected")
    }
    guard found.allSatisfy(\.isFinite) else { throw .malformed(where: name, what: "a number is not finite") }
    return found
  }

  func number(_ tag: Int, _ name: String) throws(DecodeError) -> Double? { try numbers(tag, count: 1, name)?[0] }

  func matrix(_ tag: Int, _ name: String) throws(DecodeError) -> Matrix3? {
    guard let rows = try numbers(tag, count: 9, name) else { return nil }
    let matrix = Matrix3(rows)
    guard abs(matrix.determinant) > 1e-8 else { throw .malformed(where: name, what: "it cannot be inverted") }
    return matrix
  }

  /// Returns the correlated colour temperature of an illuminant in kelvins; 0 if it is not stated.
  func temperature(_ index: Int) -> Double {
    let code = integer(DNGTag.illuminant[index]) ?? 0
    guard code == 255 else { return CorrelatedTemperature.kelvins(ofLightSource: code) ?? 0 }
    // Only type 0 is read: x and y as rationals. Spectra are not.
    guard let bytes = data(DNGTag.illuminantData[index]), bytes.count == 18 else { return 0 }
    var reader = ByteReader(bytes, place: "IlluminantData", isLittleEndian: structure.isLittleEndian)
    guard let type = try? reader.u16(), type == 0, let a = try? reader.u32(), let b = try? reader.u32(),
      let c = try? reader.u32(), let d = try? reader.u32(), b > 0, d > 0, a > 0, c > 0
    else { return 0 }
    return CorrelatedTemperature.kelvins(of: Chromaticity(Double(a) / Double(b), Double(c) / Double(d)))
  }

  /// Reads a table of hue, saturation and value; `nil` for an absent one.
  func map(_ dimensions: Int, _ data: Int, encoding: Int, name: String) throws(DecodeError) -> HueSatMap? {
    guard has(data) else { return nil }
    let sides = integers(dimensions) ?? [], most = HueSatMap.maxEntries
    guard sides.count == 2 || sides.count == 3, sides.allSatisfy({ $0 > 0 }) else {
      throw .malformed(where: name, what: "dimensions \(sides)")
    }
    let values = sides.count == 3 ? sides[2] : 1
    guard sides.allSatisfy({ $0 <= most }), sides[0] * sides[1] <= most, sides[0] * sides[1] * values <= most else {
      throw .limit(what: "entries of \(name)", found: sides.max() ?? 0, allowed: most)
    }
    let count = 3 * sides[0] * sides[1] * values
    guard let numbers = try numbers(data, count: count, name, limit: 3 * most) else { return nil }
    guard
      let map = HueSatMap(
        hues: sides[0], saturations: sides[1], values: values, data: numbers.map { Float($0) },
        isEncoded: integer(encoding) == 1)
    else { throw .malformed(where: name, what: "dimensions \(sides)") }
    return map
  }
}
