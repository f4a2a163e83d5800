import HDRCore

extension SamplePlane {
  /// Returns the first sample of a row.
  func row(_ y: Int) -> UnsafeRawPointer { UnsafeRawPointer(buffer.base + offset + y * rowBytes) }

  /// Returns the samples of a row whose binary32 samples follow each other.
  func floats(row y: Int) -> UnsafePointer<Float> { row(y).assumingMemoryBound(to: Float.self) }

  /// Returns the samples of a row whose 16-bit samples follow each other.
  func codes(row y: Int) -> UnsafePointer<UInt16> { row(y).assumingMemoryBound(to: UInt16.self) }
}
