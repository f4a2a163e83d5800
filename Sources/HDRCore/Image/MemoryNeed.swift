/// How much memory things take, and why: the one list of such figures. Who gives memory, waits for it or bounds a
/// process asks here. What does not fit in an `Int` is `Int.max`.
package enum MemoryNeed {
  // MARK: An item

  /// What a file declares of its pictures.
  package struct Source: Sendable, Hashable {
    /// Of all pictures, and of these the gain map's.
    package var pixels: Int
    package var mapPixels: Int
    /// Of the main picture's samples at one pixel (`pixel`).
    package var pixelBytes: Int
    package var fileBytes: Int
    /// Of the codec process's answer, which holds metadata.
    package var answerBytes: Int
    /// What the decoder takes (`decoder`).
    package var workBytes: Int

    package init(
      pixels: Int, mapPixels: Int, pixelBytes: Int, fileBytes: Int, answerBytes: Int = 0, workBytes: Int = 0
    ) {
      (self.pixels, self.mapPixels, self.pixelBytes) = (pixels, mapPixels, pixelBytes)
      (self.fileBytes, self.answerBytes, self.workBytes) = (fileBytes, answerBytes, workBytes)
    }
  }

  /// What is made of a source, as far as it takes memory.
  package struct Work: Sendable, Hashable {
    package var hasEdits: Bool
    /// A file with a gain map is computed.
    package var isAdaptive: Bool
    /// A video codec encodes.
    package var isVideo: Bool
    /// Samples of 32 bits are written.
    package var isWide: Bool

    package init(hasEdits: Bool = false, isAdaptive: Bool = false, isVideo: Bool = false, isWide: Bool = false) {
      (self.hasEdits, self.isAdaptive, self.isVideo, self.isWide) = (hasEdits, isAdaptive, isVideo, isWide)
    }
  }

  /// Of an item at its worst, in this process and its codec process, by its head alone.
  ///
  /// Measured on 12.5 MP (docs/performance.md): 16 bytes a pixel for a PQ PNG, 35 for a PQ HEIC.
  ///
  /// - Parameter sources: alike, of which one file is made.
  package static func item(_ source: Source, _ work: Work, sources: Int = 1) -> Int {
    // Decoded samples, once in the decoder and once where they are handed over.
    var perPixel = 2 * source.pixelBytes
    // The rendered picture, four samples a pixel, here and in the encoder.
    perPixel += 2 * (work.isWide ? 16 : 8)
    // Pictures between passes, of up to four binary32 a pixel: one is read while the next is written.
    if work.hasEdits { perPixel += 2 * 16 }
    // The other rendition, and the map with what it is computed from.
    if work.isAdaptive { perPixel += 24 }
    // Frames inside x265 or libaom.
    if work.isVideo { perPixel += 20 }
    let main = source.pixels - source.mapPixels
    let one = sum(
      // Tables, metadata, profiles.
      (1, 16 << 20),
      // The decoder's own memory is gone when the picture is rendered.
      (1, max(sum((main, perPixel)), sum((1, source.workBytes), (main, source.pixelBytes)))),
      // A decoded gain map and its picture of halves.
      (source.mapPixels, 8),
      // The file in the codec process, and the file that is made.
      (source.fileBytes, 2),
      // The answer, and what is made of it.
      (source.answerBytes, 2))
    return sum((sources, one))
  }

  /// Of a picture's samples at one pixel, as if chroma had a sample for each.
  package static func pixel(of image: SampleImage) -> Int {
    3 * image.format.bytes + (image.alpha == nil ? 0 : image.alphaFormat.bytes)
  }

  /// Of all samples of a picture, decoded or not, as if it had alpha.
  package static func samples(of image: SampleImage) -> Int {
    let colors =
      switch image.model {
      case .grey: 1.0
      case .rgb: 3.0
      case .ycc: 1 + 2 / Double((1 << image.chroma.horizontalShift) * (1 << image.chroma.verticalShift))
      }
    return Int(Double(image.pixelCount) * (colors * Double(image.format.bytes) + Double(image.alphaFormat.bytes)))
  }

  /// Bytes a pixel that libjxl 0.7 takes at most, samples with them: a PQ picture of 5968 x 3979 took 1.41 GB.
  private static let jxlPixel = 72

  /// What the decoder of a file takes beside tables, where it is more than a few times the samples; else 0.
  package static func decoder(of source: SourceImage) -> Int {
    guard source.format == "jxl" else { return 0 }
    return sum((source.image.pixelCount + (source.gainMap?.image.pixelCount ?? 0), jxlPixel))
  }

  /// The most that it is for any file.
  package static func mostDecoder(pixels: Int) -> Int { sum((pixels, jxlPixel)) }

  // MARK: A batch

  /// For the pictures of all items in flight: leaves two fifths of what the process was given to programs, libraries
  /// and the system's cache of files.
  ///
  /// - Parameter allotted: `nil` where nothing is known.
  package static func batch(allotted: Int?) -> Int { (allotted ?? 2 << 30) / 10 * 6 }

  /// Of a batch's memory what items in flight may have. The rest is kept between items, for touched pages cost nothing.
  package static func items(ofBatch bytes: Int) -> Int {
    bytes - keptProcesses(ofBatch: bytes) - keptPictures(ofBatch: bytes)
  }

  /// What all codec processes together keep, with the memory that they share with this one.
  package static func keptProcesses(ofBatch bytes: Int) -> Int { bytes / 8 }

  /// Finished pictures that wait for the next ones.
  package static func keptPictures(ofBatch bytes: Int) -> Int { min(keptPictures, bytes / 8) }

  /// A rendered picture of 12 megapixels and its source, for two pictures at a time.
  package static let keptPictures = 256 << 20

  // MARK: A codec process

  /// Address space beside the program and the pictures that are handed over: libraries' tables, stacks of their
  /// threads, arenas of the allocator.
  private static let codecProcess = 512 << 20

  /// To read a file and its structure, metadata and profiles: no pictures, and no threads.
  package static func reading(fileBytes: Int) -> Int { sum((1, 96 << 20), (fileBytes, 2)) }

  /// Of an answer without payloads at most: metadata twice, as it was and as it is understood, with tables of curves,
  /// profiles and gains.
  package static func answer(_ limits: DecodeLimits) -> Int {
    sum((1, 32 << 20), (limits.maxMetadataBytes, 2), (limits.maxICCBytes, 2))
  }

  /// Of an answer more than its head says: a profile's table is computed with the pixels.
  package static let computedTables = 16 << 20

  /// To decode: decoders keep frames beside the one that they return, and tiles are decoded one by one.
  ///
  /// - Parameters:
  ///   - bytes: of the samples.
  ///   - threads: each more has addresses for its stack and its part of the allocator.
  ///   - work: what the decoder takes (`decoder`).
  package static func decoding(bytes: Int, fileBytes: Int, threads: Int = 1, work: Int = 0) -> Int {
    sum((1, codecProcess), (1, max(work, sum((bytes, 4)))), (fileBytes, 4), (max(1, threads) - 1, 72 << 20))
  }

  /// To encode: video encoders keep several frames with what they know of each block.
  ///
  /// - Parameter bytes: of the order, samples included.
  package static func encoding(bytes: Int) -> Int { sum((1, codecProcess), (bytes, 16)) }

  /// Of an encoded file at most: no codec here makes pictures twice as large, and metadata comes on top.
  package static func encoded(bytes: Int) -> Int { sum((1, 64 << 20), (bytes, 2)) }

  /// Private memory at which a process is replaced, by that after its first operation. What the allocator keeps for the
  /// next picture does not count as growth.
  package static func retirement(first: Int) -> Int { sum((first / 2, 3), (1, codecProcess)) }

  /// Memory shared with a process: all pictures of an item twice over, at eight bytes a pixel. Untouched pages are no
  /// memory, but addresses.
  package static func arena(maxPixels: Int) -> Int { min(max(sum((maxPixels, 16)), 256 << 20), 1 << 40) }

  /// The same where addresses are limited: for the pictures in flight together a third of them, in three processes each.
  package static func arena(maxPixels: Int, addressSpace: Int?, jobs: Int) -> Int {
    let whole = arena(maxPixels: maxPixels)
    return addressSpace.map { min(whole, max($0 / 3 / (3 * max(1, jobs)), 32 << 20)) } ?? whole
  }

  /// Shared memory for pictures of so many bytes, each of which begins at a multiple of 64 and has as much behind it.
  package static func arena(holding bytes: Int, pictures: Int = 1) -> Int {
    sum((1, 1 << 20), (1, bytes), (pictures, 3 * 64))
  }

  /// Pictures in flight at most in so many addresses: each has a thread with its part of the allocator, and processes
  /// that it shares memory with.
  package static func jobs(addressSpace: Int) -> Int { max(1, addressSpace / (512 << 20) - 1) }

  /// Of it for one item's decoded pictures: twice their samples, for what a decoder works with, and rows of up to four
  /// planes that begin at multiples of 64 bytes.
  package static func shared(bytes: Int, height: Int) -> Int { sum((1, 16 << 20), (bytes, 2), (height, 4 * 64)) }

  /// Of an encoder's file that stays for the next one.
  package static let keptOutput = 128 << 20

  /// Touched pages of it that stay for the next picture.
  package static let keptArena = 256 << 20

  // MARK: A GPU

  /// Device memory that one band aims at; smaller bands overlap better, larger ones cost fewer submissions.
  package static let band = 32 << 20

  /// Of a ring and its tables: other programs use the device too.
  ///
  /// - Parameter heap: the largest of the device's own; `nil` where it has none.
  package static func ring(heap: Int?) -> Int { min((heap ?? 1 << 28) / 4, 2 << 30) }

  /// Of one slot of a ring. It holds a band on the device and, for staging and readback, about as much in host memory.
  package static func slot(ring: Int, slots: Int, band: Int) -> Int { max(1 << 16, min(band, ring / (2 * slots))) }

  /// Of the tables that stay on the device.
  package static func tables(ring: Int) -> Int { max(1 << 20, ring / 4) }

  private static func sum(_ terms: (count: Int, bytes: Int)...) -> Int {
    var sum = 0
    for term in terms {
      let (product, a) = term.count.multipliedReportingOverflow(by: term.bytes)
      let (next, b) = sum.addingReportingOverflow(product)
      if a || b { return Int.max }
      sum = next
    }
    return sum
  }
}
