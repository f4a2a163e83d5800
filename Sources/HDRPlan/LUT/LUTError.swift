/// An error that says why a LUT file could not be read or used: its code, the line and the reason.
public struct LUTError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kinds of faults; docs/luts.md lists them.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case format = "lut.format", syntax = "lut.syntax", number = "lut.number", count = "lut.count", size = "lut.size"
    case domain = "lut.domain", prelut = "lut.prelut", inverse = "lut.inverse", discreet = "lut.discreet"
    case icc = "lut.icc"
    case doctype = "clf.doctype", xml = "clf.xml", version = "clf.version", id = "clf.id", node = "clf.node"
    case bitDepth = "clf.bit-depth", arrayCount = "clf.count", value = "clf.value", style = "clf.style"
    case hueAdjust = "clf.hue-adjust", indexMap = "clf.index-map", reference = "clf.reference"
    case cdlValue = "cdl.value", cdlID = "cdl.id"
    case transformStyle = "transform.style", grading = "transform.grading", alpha = "transform.alpha"
    case singular = "transform.singular"
  }
  public var code: Code
  /// The line, from 1; 0 if no single line is wrong.
  public var line: Int
  public var reason: String
  public var description: String { (line > 0 ? "line \(line): \(reason)" : reason) + " (\(code.rawValue))" }

  package init(_ code: Code, line: Int = 0, reason: String) {
    self.code = code
    self.line = line
    self.reason = reason
  }
}
