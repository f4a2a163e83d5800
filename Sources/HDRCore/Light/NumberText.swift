/// Up to three decimals, no trailing zeros.
package func short(_ value: Double) -> String {
  guard value.isFinite, abs(value) < 1e12 else { return "\(value)" }
  let thousandths = Int((abs(value) * 1000).rounded())
  // Small numbers keep their digits: a mastering minimum of 0.0001 is not 0.
  if thousandths < 10 && value != 0 { return "\((value * 1e6).rounded() / 1e6)" }
  var fraction = String(thousandths % 1000 + 1000).dropFirst()
  while fraction.last == "0" { fraction = fraction.dropLast() }
  return (value < 0 ? "-" : "") + "\(thousandths / 1000)" + (fraction.isEmpty ? "" : "." + fraction)
}
