/// The list of readers: a new format is one line here, one row in docs/formats.md and a folder of its own.
let imageDecoders: [any ImageDecoder.Type] = [
  HEIFDecoder.self,
  JPEGDecoder.self,
  PNGDecoder.self,
  JXLDecoder.self,
]

/// The list of writers.
package let imageWriters: [any ImageWriter.Type] = [
  PNGWriter.self,
  JPEGWriter.self,
  HEICWriter.self,
  JXLWriter.self,
  RawHalfWriter.self,
]
