import HDRCore
import HDRPlan

/// A part of a plan's output that one ring slot renders: rows of the last pass with everything they need.
package struct Band {
  /// Output rows of the last pass.
  package var rows: Range<Int>
  /// The dispatches in order; the last one writes the band.
  package var dispatches: [BandDispatch]
  /// Pixels to upload.
  package var copies: [SlabCopy]
  /// Bytes of the input buffer: frame words, constants, slabs.
  package var uploadBytes: Int
  /// Bytes of intermediate planes of binary32.
  package var scratchBytes: Int
  /// Intermediate images of halves; several pictures that do not live at the same time may share one.
  package var images: [ImageSize]
  /// Bytes of the band in host memory, planes in order.
  package var outputBytes: Int
  package var outputPlanes: [BandPlane]
  /// True if the band goes through the output image.
  package var usesImage: Bool
  /// The place in the output of what the device has encoded; `nil` for pixels.
  package var encoded: EncodedBand?
  /// The place of what was measured in the output, behind the planes; `nil` for bands that are not measured by
  /// themselves.
  package var sums: BandSums?
  /// The pixels that stay on the device for other plans; `nil` for none.
  package var kept: KeptPixels?
  package var width: Int
  /// True if dispatches read planes that an earlier band has left on the device.
  package var readsPlanes: Bool {
    dispatches.contains { $0.sources.contains { if case .planes = $0 { true } else { false } } }
  }
  /// Bytes of pixels that the dispatches read and write, each counted once.
  package var bytesRead: Int
  package var bytesWritten: Int

  /// The bytes of the output that come back at once: of a picture that is encoded only the head, which says how long it
  /// is.
  var readBytes: Int { encoded?.head.upperBound ?? outputBytes }
  /// The part of these bytes that is no plane of the picture.
  var extraBytes: Range<Int>? { encoded?.head ?? sums?.bytes }

  /// Device memory that a slot holds for the band.
  package var cost: Int {
    uploadBytes + scratchBytes + images.reduce(0) { $0 + $1.bytes } + outputBytes * (usesImage ? 2 : 1)
  }
}

/// Pixels of a band that are copied, on the device, to memory that outlives the band.
package struct KeptPixels {
  /// Where the last pass has made them.
  var pixels: Region
  var picture: DevicePlanes
  /// Their place in the picture's memory.
  var plane: BandPlane
}

/// The size of an image of halves in pixels.
package struct ImageSize: Hashable {
  package var width: Int
  package var height: Int
  package var bytes: Int { 8 * width * height }

  func holds(_ other: ImageSize) -> Bool { width >= other.width && height >= other.height }
}

/// A dispatch of a band.
package struct BandDispatch {
  /// The index of its kernel: those of the plan's passes, then `BandPlanner.followers`.
  package var kernel: Int
  /// The words of `FrameLayout`, and their place in the input buffer.
  package var frame: [UInt32]
  package var frameOffset: Int
  /// The place of the pass's constants in the input buffer.
  package var constantsOffset: Int
  package var sources: [Region]
  package var output: Region
  /// Invocations needed.
  package var columns: Int
  package var rows: Int
}

/// A part of one of a slot's buffers, or of planes that stay on the device.
package enum Region {
  case input(offset: Int, bytes: Int)
  case scratch(offset: Int, bytes: Int)
  case output(offset: Int = 0, bytes: Int)
  case planes(DevicePlanes, offset: Int = 0, bytes: Int)
  /// The output image.
  case image
  /// An image by its index in `Band.images`.
  case intermediate(Int)
}

/// Rows of one memory block that go to the input buffer together: one channel, or channels that interleave.
package struct SlabCopy {
  package var buffer: PixelBuffer
  package var offset: Int
  package var rowBytes: Int
  package var target: Int
  package var targetRowBytes: Int
  package var rows: Int
  /// Bytes to copy of each row.
  package var bytes: Int
}

/// A plane of a band in host memory.
package struct BandPlane {
  package var offset: Int
  package var rowBytes: Int
  /// Rows of the plane in the picture.
  package var rows: Range<Int>
}

/// The limits of a band.
package struct BandLimits {
  /// The device memory that a slot aims at; a band of the fewest rows may exceed it.
  package var slotBytes: Int
  package var storageRange: Int
  package var alignment: Int
  package var imageSide: Int
  /// The most work-groups, and their size.
  package var groups: (x: Int, y: Int)
  package var localSize: (x: Int, y: Int)

  package init(
    slotBytes: Int, storageRange: Int, alignment: Int, imageSide: Int, groups: (x: Int, y: Int),
    localSize: (x: Int, y: Int)
  ) {
    self.slotBytes = slotBytes
    self.storageRange = storageRange
    self.alignment = alignment
    self.imageSide = imageSide
    self.groups = groups
    self.localSize = localSize
  }
}
