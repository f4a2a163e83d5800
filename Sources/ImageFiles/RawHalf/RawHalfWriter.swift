import HDRCore

/// Writes `rgba16f`: the kernel's own half words, little-endian R G B A, rows top-down without padding, linear light
/// with 1.0 = reference white; and a sidecar (`RawSidecar`).
package enum RawHalfWriter: SampleWriter {
  package static let format = FileFormat.rgba16f
}
