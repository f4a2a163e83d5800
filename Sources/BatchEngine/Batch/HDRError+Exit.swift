import HDRRender

/// The consequences of a picture's error for the rest of the batch.
extension HDRError {
  /// The batch's exit status if nothing worse happens.
  package var status: ExitStatus {
    switch kind {
    case .output: .inputOutput
    case .input: concernsAll ? .inputOutput : .failedItems
    case .unavailable, .wrongDevice: .unavailable
    case .device: .stoppedEarly
    case .source, .request, .exists, .encoder, .rejected, .codec, .cancelled: .failedItems
    }
  }

  /// The reason to stop, set if the next item would fail too.
  package var stops: StopReason? {
    guard concernsAll else { return nil }
    switch kind {
    case .output: return .outputBroken
    case .codec: return code == UnavailableError.startCode ? .nothingStarts : .tooManyFailures
    case .unavailable: return .codecMissing
    case .device: return .deviceLost
    case .wrongDevice: return .deviceWrong
    case .source, .request, .input, .exists, .encoder, .rejected, .cancelled: return nil
    }
  }
}
