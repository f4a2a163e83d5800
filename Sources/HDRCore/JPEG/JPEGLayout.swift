/// The place of samples, blocks and MCUs of a baseline JPEG with one scan (ITU-T T.81, clause 4.8 and A.2).
package struct JPEGLayout: Sendable, Hashable {
  package let width: Int
  package let height: Int
  /// `.none` is one grey component.
  package let chroma: ChromaSubsampling
  package let components: [JPEGComponent]

  /// - Parameter chroma: `.none`, `.s444`, `.s422` or `.s420`.
  package init(width: Int, height: Int, chroma: ChromaSubsampling) {
    self.width = width
    self.height = height
    self.chroma = chroma
    let shifts = chroma == .none ? (0, 0) : (chroma.horizontalShift, chroma.verticalShift)
    let luma = JPEGComponent(blocksX: 1 << shifts.0, blocksY: 1 << shifts.1)
    components =
      chroma == .none
      ? [luma]
      : [luma]
        + (0..<2).map { JPEGComponent(firstInMCU: luma.blocks + $0, shiftX: shifts.0, shiftY: shifts.1) }
  }

  /// The blocks of luma in an MCU, and of all components.
  package var lumaOfMCU: Int { components[0].blocks }
  package var blocksOfMCU: Int { components.reduce(0) { $0 + $1.blocks } }
  /// The size of an MCU in pixels.
  package var mcuWidth: Int { 8 * components[0].blocksX }
  package var mcuHeight: Int { 8 * components[0].blocksY }
  package var mcuColumns: Int { (width + mcuWidth - 1) / mcuWidth }
  package var mcuRows: Int { (height + mcuHeight - 1) / mcuHeight }

  /// Returns the layout of some rows as a picture of their own: whole rows of MCUs, but for the picture's last.
  package func rows(_ rows: Range<Int>) -> JPEGLayout { JPEGLayout(width: width, height: rows.count, chroma: chroma) }

  /// The blocks of all components, those outside the picture that fill MCUs included.
  package var blockCount: Int { mcuColumns * mcuRows * blocksOfMCU }

  /// Returns a component's samples, which are not padded.
  package func samples(_ component: JPEGComponent) -> (width: Int, height: Int) {
    (
      (width + (1 << component.shiftX) - 1) >> component.shiftX,
      (height + (1 << component.shiftY) - 1) >> component.shiftY
    )
  }
}

/// A component of a scan.
package struct JPEGComponent: Sendable, Hashable {
  /// The place of its first block among those of an MCU.
  package var firstInMCU = 0
  /// Its blocks in an MCU.
  package var blocksX = 1
  package var blocksY = 1
  /// The power of two by which it has fewer samples than the picture has pixels.
  package var shiftX = 0
  package var shiftY = 0

  package var blocks: Int { blocksX * blocksY }
}
