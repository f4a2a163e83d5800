import HDRCore

/// Memory of one output plane: the first sample of output row 0.
public struct PlaneView {
  public var base: UnsafeMutableRawPointer
  public var rowBytes: Int
  public init(base: UnsafeMutableRawPointer, rowBytes: Int) {
    self.base = base
    self.rowBytes = rowBytes
  }
}
