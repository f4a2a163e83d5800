extension DolbyState.Frame {
  /// The RPU with what it takes from those before it, so that frames can be decoded in another order. One that takes
  /// nothing is as it was read.
  package var whole: DolbyRPU {
    var whole = rpu
    (whole.mapping, whole.statesSequence) = (.own(mapping), true)
    if var display = rpu.display, display.colors == nil {
      display.colors = colors
      (whole.display, whole.sequence.compression) = (display, 0)
    }
    return whole
  }
}
