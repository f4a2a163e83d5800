import HDRCore

/// Stage `user`: a user's kernel. On the CPU a `KernelRunner` runs it; on the GPU the composer puts its function into
/// kernels.
public enum UserStage: KernelStage {
  package static let readsColumns = true
  package static let operations = 16

  public struct Parameters: StageParameters {
    public let headroom: Float, contentHeadroom: Float
    /// The number of pixels that are read around each one; the number of planes of source 0.
    public let radius: UInt32, channels: UInt32
    /// The sizes of source 0 and of the kernel's inputs, which are sources 1 and 2.
    public let width: UInt32, height: UInt32, inputWidth: UInt32, inputHeight: UInt32
    public let secondWidth: UInt32, secondHeight: UInt32

    /// Returns the size of a source.
    package func size(of source: Int) -> (width: Int, height: Int) {
      switch source {
      case 0: (Int(width), Int(height))
      case 1: (Int(inputWidth), Int(inputHeight))
      default: (Int(secondWidth), Int(secondHeight))
      }
    }
  }

  /// - Parameters:
  ///   - headroom, contentHeadroom: factors of reference white.
  ///   - channels: the number of planes of source 0, which has the given size.
  ///   - inputs: sizes of the kernel's second pictures.
  package static func words(
    headroom: Double, contentHeadroom: Double, radius: Int = 0, channels: Int = 4, width: Int, height: Int,
    inputs: [(width: Int, height: Int)] = []
  ) -> [UInt32] {
    let sizes = inputs + [(1, 1), (1, 1)]
    return Parameters(
      headroom: headroom.lane, contentHeadroom: contentHeadroom.lane, radius: radius.word, channels: channels.word,
      width: width.word, height: height.word, inputWidth: sizes[0].width.word, inputHeight: sizes[0].height.word,
      secondWidth: sizes[1].width.word, secondHeight: sizes[1].height.word
    ).list
  }

  package static func samples(table: ([UInt32]) -> UInt32) -> [[UInt32]] {
    [words(headroom: 4, contentHeadroom: 8, width: 1021, height: 1)]
  }

  /// Runs the kernel; a stage without one only makes values finite.
  @inlinable @inline(always) public static func run(_ s: Strip, _ c: StageContext) {
    if let kernel = c.kernel { return kernel._withUnsafeGuaranteedRef { $0.run(s, c) } }
    for channel in 0..<4 {
      let plane = s.plane(channel)
      for i in 0..<s.padded { plane[i] = E32.sanitize(plane[i]) }
    }
    Compositing.limitAlpha(s)
  }
}
