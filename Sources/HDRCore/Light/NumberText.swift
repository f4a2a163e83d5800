/// Formats `value` with at most `places` decimals (1...3) and no trailing zeros.
package func short(_ value: Double, places: Int = 3) -> String {
  guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
  // Small numbers keep their digits: a mastering minimum of 0.0001 is not 0.
  if places == 3, value != 0, abs(value) < 0.0095 { return "\((value * 1e6).rounded() / 1e6)" }
  var text = decimals(value, places)
  while text.last == "0" { text.removeLast() }
  if text.last == "." { text.removeLast() }
  return text
}

/// Formats `x` with the given number of decimal places; "-" if it is not finite or too large.
package func decimals(_ x: Double, _ places: Int) -> String {
  guard x.isFinite, abs(x) < 1e12 else { return "-" }
  var scale = 1
  for _ in 0..<places { scale *= 10 }
  let units = Int((x * Double(scale)).rounded())
  let whole = (units < 0 ? "-" : "") + "\(abs(units) / scale)"
  if places == 0 { return whole }
  let digits = String(abs(units) % scale)
  return whole + "." + String(repeating: "0", count: places - digits.count) + digits
}

/// Formats `x` with about four significant figures: 1234, 123.4, 12.34, 0.123.
package func significant(_ x: Double) -> String {
  let size = abs(x)
  return decimals(x, size >= 1000 ? 0 : size >= 100 ? 1 : size >= 1 ? 2 : 3)
}
