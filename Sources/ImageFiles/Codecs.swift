/// The list of readers: a new format is one line here, one row in docs/formats.md and a folder of its own.
let imageDecoders: [any ImageDecoder.Type] = [
  HEIFDecoder.self,
  JPEGDecoder.self,
  PNGDecoder.self,
  EXRDecoder.self,
  CameraRawDecoder.self,
  TIFFDecoder.self,
  JXLDecoder.self,
  JXRDecoder.self,
  WebPDecoder.self,
  JP2Decoder.self,
  RadianceDecoder.self,
  PFMDecoder.self,
  DPXDecoder.self,
  CineonDecoder.self,
  PNMDecoder.self,
  BMPDecoder.self,
  QOIDecoder.self,
  Y4MDecoder.self,
  RawDecoder.self,
]

/// The list of writers.
package let imageWriters: [any ImageWriter.Type] = [
  PNGWriter.self,
  JPEGWriter.self,
  HEICWriter.self,
  AVIFWriter.self,
  EXRWriter.self,
  TIFFWriter.self,
  JXLWriter.self,
  RawHalfWriter.self,
  RawWriter.self,
  Y4MWriter.self,
  RadianceWriter.self,
  PFMWriter.self,
  DPXWriter.self,
]
