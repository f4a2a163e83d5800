import CLCMS
import HDRCore

/// The number of nodes per side of a baked profile. With 65 the trilinear error of a 2.2 curve is below 1e-4 of white.
private let bakeSize = 65

/// Bakes a profile without matrix and curves: device R'G'B' to linear BT.2020, relative colorimetric.
///
/// The table limits are checked before Little CMS sees a byte. Values outside 0...1 are kept: they are colours outside
/// BT.2020. Source: docs/colour-formulas.md#icc.
func bakedEncoding(of icc: ICCProfile) throws(ICCProfile.Fault) -> ColorEncoding {
  try icc.checkTables()
  guard ["A2B0", "A2B1", "A2B2", "D2B0", "D2B1", "D2B2", "D2B3"].contains(where: icc.has) else {
    throw ICCProfile.Fault("invalid", "neither matrix and curves nor a table")
  }
  // A separate context: no plug-in, error handler or alarm colour of other code in the process has an effect.
  guard let context = cmsCreateContext(nil, nil) else { throw ICCProfile.Fault("library", "no context") }
  defer { cmsDeleteContext(context) }
  guard let source = cmsOpenProfileFromMemTHR(context, icc.bytes, cmsUInt32Number(icc.bytes.count)) else {
    throw ICCProfile.Fault("library", "Little CMS does not open it")
  }
  defer { cmsCloseProfile(source) }
  guard let target = linearBT2020Profile(context) else { throw ICCProfile.Fault("library", "no output profile") }
  defer { cmsCloseProfile(target) }
  let flags = cmsUInt32Number(cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE)
  guard
    let transform = cmsCreateTransformTHR(
      context, source, floatRGB, target, floatRGB, cmsUInt32Number(INTENT_RELATIVE_COLORIMETRIC), flags)
  else { throw ICCProfile.Fault("library", "Little CMS makes no transform of it") }
  defer { cmsDeleteTransform(transform) }

  let size = bakeSize
  var values = [Float](repeating: 0, count: size * size * size * 3)
  var row = [Float](repeating: 0, count: size * 3)
  for blue in 0..<size {
    for green in 0..<size {
      for red in 0..<size {
        row[red * 3] = Float(red) / Float(size - 1)
        row[red * 3 + 1] = Float(green) / Float(size - 1)
        row[red * 3 + 2] = Float(blue) / Float(size - 1)
      }
      values.withUnsafeMutableBufferPointer {
        cmsDoTransform(transform, row, $0.baseAddress! + (blue * size + green) * size * 3, cmsUInt32Number(size))
      }
    }
  }
  guard values.allSatisfy(\.isFinite) else { throw ICCProfile.Fault("invalid", "the table gives values without end") }
  return .bakedLUT(size: size, values: values)
}

/// A cube of two nodes per side that changes nothing.
let unchangedColors = ColorEncoding.bakedLUT(
  size: 2, values: (0..<8).flatMap { node in (0..<3).map { Float(node >> $0 & 1) } })

/// The pixel format of float RGB (PT_RGB is 4), three channels of four bytes; the macros are not imported.
let floatRGB: cmsUInt32Number = 1 << 22 | 4 << 16 | 3 << 3 | 4

func linearBT2020Profile(_ context: cmsContext) -> cmsHPROFILE? {
  guard let linear = cmsBuildGamma(context, 1) else { return nil }
  defer { cmsFreeToneCurve(linear) }
  return bt2020Profile(context, linear)
}

/// Makes a profile of R'G'B' in BT.2020 with one curve.
package func bt2020Profile(_ context: cmsContext, _ curve: OpaquePointer) -> cmsHPROFILE? {
  var white = cmsCIExyY(x: Primaries.d65.x, y: Primaries.d65.y, Y: 1)
  var primaries = cmsCIExyYTRIPLE(
    Red: cmsCIExyY(x: 0.708, y: 0.292, Y: 1), Green: cmsCIExyY(x: 0.170, y: 0.797, Y: 1),
    Blue: cmsCIExyY(x: 0.131, y: 0.046, Y: 1))
  var curves: [OpaquePointer?] = [curve, curve, curve]
  return cmsCreateRGBProfileTHR(context, &white, &primaries, &curves)
}

extension LibraryRow {
  package static let littleCMS = LibraryRow("Little CMS") {
    let version = Int(cmsGetEncodedCMMversion())
    return ("\(version / 1000).\(version % 1000 / 10)", "ICC profiles with tables")
  }
}
