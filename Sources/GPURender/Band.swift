import HDRCore

/// A part of a plan's output that one ring slot renders: rows of the last pass with everything they need.
struct Band {
  /// Output rows of the last pass.
  var rows: Range<Int>
  /// In order; the last one writes the band.
  var dispatches: [BandDispatch]
  /// Pixels to upload.
  var copies: [SlabCopy]
  /// Bytes of the input buffer: frame words, constants, slabs.
  var uploadBytes: Int
  /// Bytes of intermediate planes.
  var scratchBytes: Int
  /// Bytes of the band in host memory, planes in order.
  var outputBytes: Int
  var outputPlanes: [OutputPlane]
  /// Whether the band goes through the working image.
  var usesImage: Bool
  var width: Int
  /// Bytes of pixels that the dispatches read and write, each counted once.
  var bytesRead: Int
  var bytesWritten: Int

  /// Device memory that a slot holds for the band.
  var cost: Int { uploadBytes + scratchBytes + outputBytes * (usesImage ? 2 : 1) }
}

/// One dispatch of a band.
struct BandDispatch {
  var pass: Int
  /// `FrameLayout` words, and where in the input buffer they go.
  var frame: [UInt32]
  var frameOffset: Int
  /// Where the pass's constants go.
  var constantsOffset: Int
  var constantsBytes: Int
  var sources: [Region]
  var output: Region
  /// Invocations needed.
  var columns: Int
  var rows: Int
}

/// A part of one of a slot's buffers.
enum Region {
  case input(offset: Int, bytes: Int)
  case scratch(offset: Int, bytes: Int)
  case output(bytes: Int)
  case image
}

/// Rows of one memory block that go to the input buffer together: one channel, or channels that interleave.
struct SlabCopy {
  var buffer: PixelBuffer
  var offset: Int
  var rowBytes: Int
  var target: Int
  var targetRowBytes: Int
  var rows: Int
  /// Bytes to copy of each row.
  var bytes: Int
}

/// Where an output plane lies in the band's memory.
struct OutputPlane {
  var offset: Int
  var rowBytes: Int
  /// Rows of the plane in the picture.
  var rows: Range<Int>
}

/// What a band may use.
struct BandLimits {
  /// Device memory of one slot, wished for; a band of the fewest rows may exceed it.
  var slotBytes: Int
  var storageRange: Int
  var alignment: Int
  var imageSide: Int
  /// Work-groups and their size.
  var groups: (x: Int, y: Int)
  var localSize: (x: Int, y: Int)
}
