import FileParts
import CPNGShim
import HDRCore

/// Returns the colour of a PNG by priority: cICP > iCCP > sRGB > gAMA with cHRM > sRGB (W3C PNG clause 4.3). A chunk
/// that cannot be used is skipped with a warning.
///
/// - Parameter raw: the profile in a text, which counts where no chunk says anything of colour.
func pngColor(
  _ png: PNGChunks, raw: [UInt8]? = nil, model: ColorModel, limits: DecodeLimits, warnings: inout [Warning]
) -> SourceColor {
  let profile = raw ?? embeddedProfile(png, limits: limits, warnings: &warnings)
  if let cicp = codePoints(png, warnings: &warnings) {
    // The profile is kept with the picture although it does not decide the colour.
    let description = profile.flatMap { try? ICCProfile($0) }?.description
    return SourceColor(
      matrix: CICP.Matrix.identity, fullRange: cicp.fullRange,
      encoding: .cicp(primaries: cicp.primaries, transfer: cicp.transfer),
      cicp: cicp, icc: profile, iccDescription: description)
  }
  if let profile, let color = SourceColor(icc: profile, model: model, limits: limits, warnings: &warnings) {
    return color
  }
  if png.early("sRGB") == nil, let encoding = gammaEncoding(png, warnings: &warnings) {
    return SourceColor(matrix: CICP.Matrix.identity, fullRange: true, encoding: encoding)
  }
  return .sRGB()
}

/// Reads `cICP`: four bytes, matrix 0 only.
private func codePoints(_ png: PNGChunks, warnings: inout [Warning]) -> CICP? {
  guard let payload = png.early("cICP") else {
    if png.first("cICP") != nil { warnings.append(Warning("png.cicp", "cICP after the palette or pixels is ignored")) }
    return nil
  }
  let b = payload.map { Int($0) }
  guard b.count == 4 else {
    warnings.append(Warning("png.cicp", "cICP of \(b.count) bytes is ignored"))
    return nil
  }
  guard b[2] == 0, b[3] <= 1, isSupported(primaries: b[0], transfer: b[1]) else {
    warnings.append(Warning("png.cicp", "cICP \(b[0])/\(b[1])/\(b[2])/\(b[3]) cannot be honoured and is ignored"))
    return nil
  }
  return CICP(b[0], b[1], b[2], full: b[3] == 1)
}

/// Reads `iCCP`: name, NUL, method 0, zlib stream.
private func embeddedProfile(_ png: PNGChunks, limits: DecodeLimits, warnings: inout [Warning]) -> [UInt8]? {
  guard let payload = png.early("iCCP") else { return nil }
  guard let end = payload.prefix(80).firstIndex(of: 0), end > payload.startIndex, payload.endIndex - end > 2,
    payload[end + 1] == 0
  else {
    warnings.append(Warning("icc.invalid", "ICC profile ignored: iCCP has no name or an unknown method"))
    return nil
  }
  switch inflateZlib(payload[(end + 2)...], limit: limits.maxICCBytes) {
  case .bytes(let profile): return profile
  case .damaged: warnings.append(Warning("icc.invalid", "ICC profile ignored: its zlib stream is damaged"))
  case .tooLong:
    warnings.append(Warning("icc.limit", "ICC profile ignored: it inflates to more than \(limits.maxICCBytes) bytes"))
  }
  return nil
}

/// Reads `gAMA` and `cHRM`: a pure power of 1/gAMA, primaries of cHRM or, without it, of BT.709. cHRM alone has the
/// sRGB curve.
private func gammaEncoding(_ png: PNGChunks, warnings: inout [Warning]) -> ColorEncoding? {
  func words(_ name: String, _ count: Int) -> [Int]? {
    guard let payload = png.early(name) else { return nil }
    guard payload.count == 4 * count else {
      warnings.append(Warning("png.\(name.lowercased())", "\(name) of \(payload.count) bytes is ignored"))
      return nil
    }
    return (0..<count).map { payload.dropFirst(4 * $0).prefix(4).reduce(0) { $0 << 8 | Int($1) } }
  }
  let gamma = words("gAMA", 1)?[0], points = words("cHRM", 8)
  if gamma == nil, points == nil { return nil }
  var curve = ToneCurve.sRGB
  if let gamma {
    // Exponents above 10 or below 0.1 are errors.
    guard (10_000...1_000_000).contains(gamma) else {
      warnings.append(Warning("png.gama", "gAMA of \(gamma) is ignored"))
      return nil
    }
    curve = gamma == 100_000 ? .identity : .gamma(100_000 / Double(gamma))
  }
  var primaries = Primaries.bt709, code: Int? = 1
  if let points {
    func point(_ index: Int) -> Chromaticity {
      Chromaticity(Double(points[index * 2]) / 100_000, Double(points[index * 2 + 1]) / 100_000)
    }
    let found = Primaries(red: point(1), green: point(2), blue: point(3), white: point(0))
    code = found.code(within: 0.0006)
    primaries = code.flatMap(Primaries.init(code:)) ?? found
  }
  guard let matrix = primaries.checkedMatrixToBT2020 else {
    warnings.append(Warning("png.chrm", "cHRM does not span a colour space and is ignored"))
    guard gamma != nil, let fallback = Primaries.bt709.checkedMatrixToBT2020 else { return nil }
    return .matrixTRC(curves: [curve, curve, curve], toBT2020: fallback.rows, primaries: CICP.Primaries.bt709)
  }
  return .matrixTRC(curves: [curve, curve, curve], toBT2020: matrix.rows, primaries: code)
}

/// Reads `cLLI` and `mDCV` (also their older names with a small last letter). Source: W3C PNG (third edition).
func pngLight(_ png: PNGChunks, hasCICP: Bool, warnings: inout [Warning]) -> LightMetadata {
  var light = LightMetadata()
  func number(_ payload: ArraySlice<UInt8>, _ at: Int, _ count: Int) -> Double {
    Double(payload.dropFirst(at).prefix(count).reduce(0) { $0 << 8 | Int($1) })
  }
  if let payload = png.early("cLLI") ?? png.early("cLLi") {
    let level = ContentLightLevel(maxCLL: number(payload, 0, 4) / 10_000, maxFALL: number(payload, 4, 4) / 10_000)
    let isBeyond = hasCICP && level.maxCLL > 10_000
    let fault = isBeyond ? "the maximum is \(short(level.maxCLL)) cd/m²" : level.fault
    if let fault = payload.count == 8 ? fault : "it has \(payload.count) bytes" {
      warnings.append(Warning("png.clli", "cLLI is ignored: \(fault)"))
    } else {
      light.clli = level
      light.places[.clli] = .box
    }
  }
  if let payload = png.early("mDCV") ?? png.early("mDCv") {
    let points = (0..<4).map {
      Chromaticity(number(payload, 4 * $0, 2) / 50_000, number(payload, 4 * $0 + 2, 2) / 50_000)
    }
    let display = MasteringDisplay(
      primaries: points.allSatisfy(\.isPossible) ? points : nil, maxLuminance: number(payload, 16, 4) / 10_000,
      minLuminance: number(payload, 20, 4) / 10_000)
    if !hasCICP {
      warnings.append(Warning("png.mdcv", "mDCV without a cICP that counts is ignored"))
    } else if let fault = payload.count == 24 ? display.fault : "it has \(payload.count) bytes" {
      warnings.append(Warning("png.mdcv", "mDCV is ignored: \(fault)"))
    } else {
      light.mdcv = display
      light.places[.mdcv] = .box
    }
  }
  return light
}

enum Inflated {
  case bytes([UInt8])
  case damaged
  case tooLong
}

/// Inflates a zlib stream to at most `limit` bytes. Memory grows with the output, not with the limit.
func inflateZlib(_ stream: ArraySlice<UInt8>, limit: Int) -> Inflated {
  var capacity = min(limit, max(4096, stream.count * 4))
  while true {
    var made = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { out, count in
      made = stream.withUnsafeBufferPointer { hdr_zlib_inflate($0.baseAddress, $0.count, out.baseAddress, capacity) }
      count = max(0, made)
    }
    if made >= 0 { return .bytes(bytes) }
    if made == -1 { return .damaged }
    if capacity >= limit { return .tooLong }
    capacity = min(limit, capacity * 4)
  }
}
