/// The one list of memory figures and their reasons. Code that gives memory, waits for it or bounds a process asks
/// here. A result that does not fit in an `Int` is `Int.max`.
package enum MemoryNeed {
  // MARK: An item

  /// Numbers that a file declares about its pictures.
  package struct Source: Sendable, Hashable {
    /// The number of pixels of all pictures; `mapPixels` are those of the gain map.
    package var pixels: Int
    package var mapPixels: Int
    /// The bytes of the main picture's samples at one pixel (`pixel`).
    package var pixelBytes: Int
    package var fileBytes: Int
    /// The bytes of the codec process's answer, which holds metadata.
    package var answerBytes: Int
    /// The bytes that the decoder takes (`decoder`).
    package var workBytes: Int

    package init(
      pixels: Int, mapPixels: Int, pixelBytes: Int, fileBytes: Int, answerBytes: Int = 0, workBytes: Int = 0
    ) {
      (self.pixels, self.mapPixels, self.pixelBytes) = (pixels, mapPixels, pixelBytes)
      (self.fileBytes, self.answerBytes, self.workBytes) = (fileBytes, answerBytes, workBytes)
    }
  }

  /// The kinds of work on a source that take memory.
  package struct Work: Sendable, Hashable {
    package var hasEdits: Bool
    /// True if a file with a gain map is computed.
    package var isAdaptive: Bool
    /// True if a video codec encodes.
    package var isVideo: Bool
    /// True if samples of 32 bits are written.
    package var isWide: Bool
    /// True if curves are fitted to another rendition (`ToneMetadataFit`).
    package var fitsTone = false
    /// True if the file may keep channels of its source, whose bytes are then read again.
    package var keepsChannels = false
    /// The metrics by which the file is compared with its rendition; `nil`: it is not judged.
    package var judging: Metrics?

    package init(hasEdits: Bool = false, isAdaptive: Bool = false, isVideo: Bool = false, isWide: Bool = false) {
      (self.hasEdits, self.isAdaptive, self.isVideo, self.isWide) = (hasEdits, isAdaptive, isVideo, isWide)
    }
  }

  /// Returns the most bytes of an item, in this process and its codec process, by its head alone.
  ///
  /// Measured on 12.5 MP (docs/performance.md): 16 bytes a pixel for a PQ PNG, 35 for a PQ HEIC.
  ///
  /// - Parameter sources: the number of equal sources that make one file.
  package static func item(_ source: Source, _ work: Work, sources: Int = 1) -> Int {
    // Decoded samples, once in the decoder and once after they are handed over.
    var perPixel = 2 * source.pixelBytes
    // The rendered picture, four samples a pixel, here and in the encoder.
    perPixel += 2 * (work.isWide ? 16 : 8)
    // Pictures between passes, of up to four binary32 a pixel: one is read while the next is written.
    if work.hasEdits { perPixel += 2 * 16 }
    // The other rendition, and the map with the data for its computation.
    if work.isAdaptive { perPixel += 24 }
    // A rendition as halves beside the picture; one is made small before the next.
    if work.fitsTone { perPixel += 8 }
    // Frames inside x265 or libaom.
    if work.isVideo { perPixel += 20 }
    // The rendition of 16 bits, the file's samples in the decoder and here, and the light of both in binary32.
    if work.judging != nil { perPixel += 8 + 2 * 6 + 24 }
    let main = source.pixels - source.mapPixels
    let one = sum(
      // Tables, metadata, profiles.
      (1, 16 << 20),
      // The decoder frees its own memory before the picture is rendered.
      (1, max(sum((main, perPixel)), sum((1, source.workBytes), (main, source.pixelBytes)))),
      // A decoded gain map and its picture of halves.
      (source.mapPixels, 8),
      // The file in the codec process, and the output file.
      (source.fileBytes, 2),
      // The source here and in the encoder, channels decoded, and the file that they are in.
      (work.keepsChannels ? source.fileBytes : 0, 8),
      // The answer, and the objects parsed from it.
      (source.answerBytes, 2))
    // A map that is made has at most the pixels of its picture.
    let made = work.isAdaptive ? max(main, source.mapPixels) : source.mapPixels
    return sum((sources, one), (1, work.judging?.bytes(pixels: main, mapPixels: made) ?? 0))
  }

  /// Returns the most bytes of a comparison of two equal sources.
  package static func comparison(_ source: Source, _ metrics: Metrics) -> Int {
    sum(
      (1, item(source, Work(isWide: true), sources: 2)),
      (1, metrics.bytes(pixels: source.pixels - source.mapPixels, mapPixels: source.mapPixels)))
  }

  /// Returns the bytes of a picture's samples at one pixel, as if chroma had a sample for each.
  package static func pixel(of image: SampleImage) -> Int {
    3 * image.format.bytes + (image.alpha == nil ? 0 : image.alphaFormat.bytes)
  }

  /// Returns the bytes of all samples of a picture, decoded or not, as if it had alpha.
  package static func samples(of image: SampleImage) -> Int {
    let colors =
      switch image.model {
      case .grey: 1.0
      case .rgb: 3.0
      case .ycc: 1 + 2 / Double((1 << image.chroma.horizontalShift) * (1 << image.chroma.verticalShift))
      }
    return Int(Double(image.pixelCount) * (colors * Double(image.format.bytes) + Double(image.alphaFormat.bytes)))
  }

  /// The most bytes per pixel that libjxl 0.7 takes, including samples: a PQ picture of 5968 x 3979 took 1.41 GB.
  private static let jxlPixel = 72

  /// The bytes per pixel that OpenJPEG 2.5 takes at most: a word of 32 bits for each of four components, and some for its
  /// transforms; pictures of three components of 2000 x 1500 took 13.
  private static let jp2Pixel = 24

  /// The bytes per pixel of a progressive JPEG's coefficients, which are all kept until the last scan.
  private static let jpegPixel = 6

  /// Returns the bytes that a decoder takes in addition to tables, if more than a few times the samples; else 0.
  package static func decoder(of source: SourceImage) -> Int {
    let pictures = [source.image, source.gainMap?.image].compactMap(\.self)
    if pictures.contains(where: { $0.reduction != nil }) {
      return sum((pictures.reduce(0) { $0 + $1.codedPixelCount }, jpegPixel))
    }
    if source.format == .jp2 { return sum((source.image.pixelCount, jp2Pixel)) }
    guard source.format == .jxl else { return 0 }
    return sum((source.image.pixelCount + (source.gainMap?.image.pixelCount ?? 0), jxlPixel))
  }

  /// Returns the largest result of `decoder` for any file.
  package static func maxDecoder(pixels: Int) -> Int { sum((pixels, jxlPixel)) }

  // MARK: A batch

  /// Returns the memory for the pictures of all items in flight. Two fifths of the process's memory remain for
  /// programs, libraries and the system's cache of files.
  ///
  /// - Parameter allotted: the memory of the process; `nil` if it is not known.
  package static func batch(allotted: Int?) -> Int { (allotted ?? 2 << 30) / 10 * 6 }

  /// Returns a batch's memory for items in flight. The rest is kept between items, as touched pages cost nothing.
  package static func items(ofBatch bytes: Int) -> Int {
    bytes - keptProcesses(ofBatch: bytes) - keptPictures(ofBatch: bytes)
  }

  /// Returns the memory that all codec processes together keep, including the memory they share with this one.
  package static func keptProcesses(ofBatch bytes: Int) -> Int { bytes / 8 }

  /// Returns the bytes of finished pictures that are kept for the next ones. An item whose gain map is computed has 12
  /// to 20 bytes a pixel between its passes: without room for all items in flight, their pages are cleared for every picture,
  /// which is a sixth of all CPU time.
  package static func keptPictures(ofBatch bytes: Int) -> Int { bytes / 8 }

  /// The bytes that are kept without a batch: a rendered picture of 12 megapixels and its source, for two at a time.
  package static let keptPictures = 256 << 20

  /// The bytes of pictures between passes up to which the CPU holds them whole. Of larger ones it renders the result in
  /// parts and gives rows back that no part needs any more, whose pages are then cleared for every picture.
  package static let wholePictures = 256 << 20

  // MARK: A codec process

  /// Address space in addition to the program and the pictures: libraries' tables, stacks of their threads, arenas of
  /// the allocator.
  private static let codecProcess = 512 << 20

  /// Returns the bytes to read a file's structure, metadata and profiles: no pictures, and no threads.
  package static func reading(fileBytes: Int) -> Int { sum((1, 96 << 20), (fileBytes, 2)) }

  /// Returns the most bytes of an answer without payloads: metadata twice, raw and parsed, with tables of curves,
  /// profiles and gains.
  package static func answer(_ limits: DecodeLimits) -> Int {
    sum((1, 32 << 20), (limits.maxMetadataBytes, 2), (limits.maxICCBytes, 2))
  }

  /// The bytes of an answer that its head does not state: a profile's table is computed with the pixels.
  package static let computedTables = 16 << 20

  /// Returns the most bytes of the scans of a file in an answer: the streams, and four bytes for each restart of two or
  /// three.
  package static func scans(fileBytes: Int) -> Int { sum((1, 64 << 10), (fileBytes, 2)) }

  /// Returns the bytes to decode: decoders keep frames in addition to the returned one, and decode tile by tile.
  ///
  /// - Parameters:
  ///   - bytes: the size of the samples.
  ///   - threads: each further one has addresses for its stack and its part of the allocator.
  ///   - work: the bytes that the decoder takes (`decoder`).
  package static func decoding(bytes: Int, fileBytes: Int, threads: Int = 1, work: Int = 0) -> Int {
    sum((1, codecProcess), (1, max(work, sum((bytes, 4)))), (fileBytes, 4), (max(1, threads) - 1, 72 << 20))
  }

  /// Returns the bytes to encode: video encoders keep several frames and data about each block.
  ///
  /// - Parameter bytes: the size of the request, samples included.
  package static func encoding(bytes: Int) -> Int { sum((1, codecProcess), (bytes, 16)) }

  /// Returns the most bytes of an encoded file: no codec here makes pictures twice as large, and metadata is added.
  package static func encoded(bytes: Int) -> Int { sum((1, 64 << 20), (bytes, 2)) }

  /// Returns the private memory at which a process is retired, by its private memory after the first operation. Memory
  /// that the allocator keeps for the next picture does not count as growth.
  package static func retirement(first: Int) -> Int { sum((first / 2, 3), (1, codecProcess)) }

  /// Returns the bytes shared with a process: all pictures of an item twice, at eight bytes per pixel. Untouched pages
  /// take addresses, not memory.
  package static func arena(maxPixels: Int) -> Int { min(max(sum((maxPixels, 16)), 256 << 20), 1 << 40) }

  /// Returns the shared bytes if addresses are limited: a third for all pictures in flight, in three processes each.
  package static func arena(maxPixels: Int, addressSpace: Int?, jobs: Int) -> Int {
    let whole = arena(maxPixels: maxPixels)
    return addressSpace.map { min(whole, max($0 / 3 / (3 * max(1, jobs)), 32 << 20)) } ?? whole
  }

  /// Returns the shared bytes for pictures of so many bytes; each begins at a multiple of 64, with 64 bytes after it.
  package static func arena(holding bytes: Int, pictures: Int = 1) -> Int {
    sum((1, 1 << 20), (1, bytes), (pictures, 3 * 64))
  }

  /// Returns the largest number of pictures in flight in so many addresses. Each has a thread with its part of the
  /// allocator, and processes that it shares memory with.
  package static func jobs(addressSpace: Int) -> Int { max(1, addressSpace / (512 << 20) - 1) }

  /// Returns the shared bytes for an item's decoded pictures: twice their samples, as a decoder's workspace, and rows
  /// of up to four planes that begin at multiples of 64 bytes.
  package static func shared(bytes: Int, height: Int) -> Int { sum((1, 16 << 20), (bytes, 2), (height, 4 * 64)) }

  /// The bytes of an encoder's file that are kept for the next one.
  package static let keptOutput = 128 << 20

  /// The most touched bytes of the arena that are kept for the next picture.
  package static let keptArena = 256 << 20

  /// Returns the touched bytes of the arena that are kept for pictures that usually need this much: what a few large ones
  /// have touched is given back while small ones follow.
  package static func keptArena(usual: Int) -> Int { min(max(sum((usual, 2)), 32 << 20), keptArena) }

  // MARK: A GPU

  /// The device memory that a band aims at; smaller bands overlap better, larger ones need fewer submissions. Bands that
  /// share many rows with their neighbours are larger (`largestBand`).
  package static let band = 32 << 20

  /// Returns the device memory of a ring and its tables, which takes host memory for staging and readback too.
  ///
  /// - Parameters:
  ///   - heap: the size of the largest device-local heap; `nil` if it has none. A quarter of it: other programs use the
  ///     device too.
  ///   - free: the bytes of it that no program uses now; `nil` if that is not known.
  ///   - host: the memory of the process; `nil` if it is not known.
  package static func ring(heap: Int?, free: Int? = nil, host: Int? = nil) -> Int {
    min((heap ?? 1 << 28) / 4, max((free ?? .max) / 2, 64 << 20), (host ?? 8 << 30) / 4)
  }

  /// Returns the device memory of all bands in flight. There is about as much host memory for staging and readback, and
  /// more for tables.
  package static func bands(ring: Int) -> Int { max(4 << 16, ring / 2) }

  /// Returns the most device memory of pictures that stay on a device between their bands, beside its ring. A decoded JPEG
  /// has 1.5 to 3 bytes a pixel, light and base of an Adaptive JPEG 12: a card of 1 GiB holds all of 17 megapixels.
  ///
  /// - Parameter free: as of `ring`, with which this takes five eighths of it.
  package static func heldPlanes(ring: Int, free: Int? = nil) -> Int { min(ring, (free ?? .max) / 4) }

  /// Returns the most device memory of a band: four are in flight, so that upload, dispatch and readback overlap.
  package static func largestBand(ring: Int) -> Int { bands(ring: ring) / 4 }

  /// Returns the number of a ring's slots: pictures do not wait for each other while there is memory for their bands.
  package static func slots(jobs: Int) -> Int { max(4, jobs + 2) }

  /// Returns the bytes of the tables that stay on the device.
  package static func tables(ring: Int) -> Int { max(1 << 20, ring / 4) }

  static func sum(_ terms: (count: Int, bytes: Int)...) -> Int {
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
