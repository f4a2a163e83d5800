import CLCMS
import HDRCore

/// The number of nodes per side of a baked conversion to a device.
private let outputSize = 65

/// Reads an ICC profile as the colour space of an output: its own matrix and curves, or tables (`BToA`, `BToD`) baked
/// by Little CMS, relative colorimetric with black point compensation.
///
/// - Throws: `DecodeError` for a profile that is damaged, of another colour model than RGB, or unusable for an output.
/// - Source: docs/colour-formulas.md#icc.
package func deviceSpace(ofICC bytes: [UInt8]) throws(DecodeError) -> DeviceSpace {
  do throws(ICCProfile.Fault) {
    let icc = try ICCProfile(bytes)
    guard ["mntr", "prtr", "spac", "scnr"].contains(icc.deviceClass) else {
      throw ICCProfile.Fault("unsupported", "its class '\(icc.deviceClass)' is not that of a device")
    }
    guard icc.colorSpace == "RGB " else {
      let names = ["GRAY": "grey", "CMYK": "CMYK", "Lab ": "Lab"]
      let name = names[icc.colorSpace] ?? "'\(icc.colorSpace)'"
      throw ICCProfile.Fault("mismatch", "it is a \(name) profile, and outputs are RGB")
    }
    if icc.cicp?.isHDR == true {
      throw ICCProfile.Fault("mismatch", "it is a PQ or HLG profile: use a pq- or hlg- output")
    }
    // The files that are written must be readable again.
    var warnings: [Warning] = []
    guard let reading = resolveICC(bytes, model: .rgb, warnings: &warnings) else {
      throw ICCProfile.Fault("invalid", warnings.first?.message.description ?? "it cannot be read")
    }
    let description = reading.description ?? "without a name"
    let tables = ["B2A0", "B2A1", "B2A2", "B2D0", "B2D1", "B2D2", "B2D3"]
    if tables.contains(where: icc.has) { return try bakedDevice(of: icc, description) }
    guard case .matrixTRC(let curves, let matrix, _) = try matrixEncoding(of: icc) else {
      throw ICCProfile.Fault("invalid", "it has neither matrix and curves nor a table to its device")
    }
    guard curves.allSatisfy(\.isIncreasing) else {
      throw ICCProfile.Fault("unsupported", "a curve falls, and light has no one code")
    }
    return DeviceSpace(description: description, toBT2020: matrix, coding: .curves(curves))
  } catch {
    throw .malformed(where: "ICC profile", what: error.what)
  }
}

/// Bakes a table from linear light to device values. The light's primaries are close to the device's and hold all its
/// colours.
private func bakedDevice(of icc: ICCProfile, _ description: String) throws(ICCProfile.Fault) -> DeviceSpace {
  try icc.checkTables()
  guard let context = cmsCreateContext(nil, nil) else { throw ICCProfile.Fault("library", "no context") }
  defer { cmsDeleteContext(context) }
  guard let device = cmsOpenProfileFromMemTHR(context, icc.bytes, cmsUInt32Number(icc.bytes.count)) else {
    throw ICCProfile.Fault("library", "Little CMS does not open it")
  }
  defer { cmsCloseProfile(device) }
  guard let light = linearBT2020Profile(context) else { throw ICCProfile.Fault("library", "no input profile") }
  defer { cmsCloseProfile(light) }
  let flags = cmsUInt32Number(cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE | cmsFLAGS_BLACKPOINTCOMPENSATION)
  let intent = cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC)
  func transform(_ from: cmsHPROFILE, _ to: cmsHPROFILE) throws(ICCProfile.Fault) -> cmsHTRANSFORM {
    guard let made = cmsCreateTransformTHR(context, from, floatRGB, to, floatRGB, intent, flags) else {
      throw ICCProfile.Fault("library", "Little CMS makes no transform of it")
    }
    return made
  }
  let back = try transform(device, light)
  defer { cmsDeleteTransform(back) }
  let there = try transform(light, device)
  defer { cmsDeleteTransform(there) }

  let matrix = deviceMatrix { codes in
    var values = codes
    cmsDoTransform(back, codes, &values, cmsUInt32Number(codes.count / 3))
    return values.map(Double.init)
  }
  let size = outputSize, nodes = (0..<size).map { DeviceSpace.tableCurve.decode(Double($0) / Double(size - 1)) }
  var values = [Float](repeating: 0, count: size * size * size * 3)
  var row = [Float](repeating: 0, count: size * 3)
  for blue in 0..<size {
    for green in 0..<size {
      for red in 0..<size {
        let light = matrix * [nodes[red], nodes[green], nodes[blue]]
        for channel in 0..<3 { row[red * 3 + channel] = Float(light[channel]) }
      }
      values.withUnsafeMutableBufferPointer {
        cmsDoTransform(there, row, $0.baseAddress! + (blue * size + green) * size * 3, cmsUInt32Number(size))
      }
    }
  }
  guard values.allSatisfy(\.isFinite) else { throw ICCProfile.Fault("invalid", "the table gives values without end") }
  return DeviceSpace(
    description: description, toBT2020: matrix.rows,
    coding: .table(size: size, values: values.map { min(max($0, 0), 1) }))
}

/// Returns the matrix from the table's linear R, G, B to linear BT.2020: the device's own primaries, with its white as
/// white, if all corners of the device lie within them; else BT.2020.
///
/// - Parameter light: returns the light of device values, three numbers each.
private func deviceMatrix(_ light: ([Float]) -> [Double]) -> Matrix3 {
  let corners: [[Float]] = (0..<8).map { [Float($0 & 1), Float($0 >> 1 & 1), Float($0 >> 2)] }
  let found = light(corners.flatMap { $0 })
  guard found.allSatisfy({ $0.isFinite }) else { return .identity }
  func corner(_ index: Int) -> [Double] { (0..<3).map { found[3 * index + $0] - found[$0] } }
  let columns = [corner(1), corner(2), corner(4)]
  let raw = Matrix3((0..<3).flatMap { row in columns.map { $0[row] } })
  guard raw.isUsable, let inverse = raw.inverse else { return .identity }
  let share = inverse * [1, 1, 1]
  let matrix = raw * Matrix3.diagonal(share[0], share[1], share[2])
  guard share.allSatisfy({ (0.5...2).contains($0) }), matrix.isUsable, let there = matrix.inverse,
    (0..<8).allSatisfy({ (there * corner($0)).allSatisfy { (-0.01...1.01).contains($0) } })
  else { return .identity }
  return matrix
}
