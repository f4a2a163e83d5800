/// The rows of a picture as a zlib stream that a device has made.
package struct DeflatedRows: Sendable, Hashable {
  package var line: PNGLine
  package var stream: [UInt8]

  package init(_ line: PNGLine, stream: [UInt8]) { (self.line, self.stream) = (line, stream) }
}
