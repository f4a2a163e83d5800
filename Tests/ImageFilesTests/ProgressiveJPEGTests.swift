import CTurboJPEG
import FileParts
import HDRCore
import ImageFiles
import TestFiles
import Testing

/// Progressive JPEG is the baseline file's coefficients in other scans.
@Suite struct ProgressiveJPEGTests {
  private static func photo(_ width: Int, _ height: Int, quality: Int, grey: Bool, progressive: Bool) throws -> [UInt8]
  {
    var request = Writer.request(.sdrJPEG, AdaptiveJPEG.waves(width, height, channels: grey ? 1 : 4))
    request.coding.quality = quality
    request.coding.isProgressiveJPEG = progressive
    let files = try encodeImage(request)
    try verifyEncoded(files, request)
    return files.main
  }

  @Test("progressive SDR JPEGs have the coefficients and pixels of baseline ones", arguments: [60, 94, 95, 100])
  func samePictures(quality: Int) throws {
    for (width, height) in [(1, 1), (17, 9), (160, 120), (321, 64)] {
      for grey in [false, true] {
        let plain = try Self.photo(width, height, quality: quality, grey: grey, progressive: false)
        let made = try Self.photo(width, height, quality: quality, grey: grey, progressive: true)
        #expect(Frame(plain[...]) == Frame(marker: 0xC0, scans: 1))
        #expect(Frame(made[...]) == Frame(marker: 0xC2, scans: grey ? 6 : 10))
        #expect(try coefficients(plain) == coefficients(made))
        let one = try decodeImage(plain), other = try decodeImage(made)
        #expect(one.image.channels.map(samples) == other.image.channels.map(samples))
        #expect(one.image.chroma == other.image.chroma && one.color == other.color)
        #expect(width * height < 1000 || made.count < plain.count, "\(made.count) of \(plain.count)")
      }
    }
  }

  @Test("all bytes before the tables are those of a baseline file")
  func sameSegments() throws {
    var request = Writer.request(.sdrJPEG, AdaptiveJPEG.waves(64, 48, channels: 4))
    request.exif = TinyExif.orientation(8, littleEndian: true)
    request.xmp = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8)
    let plain = try encodeImage(request).main
    request.coding.isProgressiveJPEG = true
    let made = try encodeImage(request).main
    let heads = [plain, made].map { file in AdaptiveJPEG.segments(file[...]).prefix { 0xE0...0xEF ~= $0.marker } }
    #expect(heads[0].count == 4 && heads[0].map { Array($0.bytes) } == heads[1].map { Array($0.bytes) })
    // Tables of its own leave nothing to optimise.
    request.coding.optimizesJPEG = true
    #expect(try encodeImage(request).main == made)
  }

  @Test("base and map of an Adaptive JPEG are progressive, and readers find both", arguments: [1, 4])
  func adaptive(mapChannels: Int) throws {
    var request = AdaptiveJPEG.request(width: 160, height: 120, mapChannels: mapChannels)
    let plain = try encodeAdaptive(request).main
    request.isProgressiveJPEG = true
    let files = try encodeAdaptive(request), made = files.main
    try verifyAdaptive(files, request)
    #expect(made.count < plain.count)
    let old = try AdaptiveJPEG.streams(plain), new = try AdaptiveJPEG.streams(made)
    #expect(Frame(new.primary) == Frame(marker: 0xC2, scans: 10))
    #expect(Frame(new.map) == Frame(marker: 0xC2, scans: mapChannels == 1 ? 6 : 10))
    #expect(try coefficients(Array(old.primary)) == coefficients(Array(new.primary)))
    #expect(try coefficients(Array(old.map)) == coefficients(Array(new.map)))
    // Each binding alone leads to the map.
    for bindings in [[.iso, .multiPicture], [.iso, .container], .iso] as [AdaptiveBindings] {
      request.bindings = bindings
      let source = try decodeImage(encodeAdaptive(request).main)
      #expect(source.warnings.isEmpty && source.gainMap?.metadata == AdaptiveJPEG.threeChannels)
    }
  }

  @Test("kept streams become progressive, and progressive ones stay bit for bit")
  func keptStreams() throws {
    let plain = try encodeAdaptive(AdaptiveJPEG.request(width: 160, height: 120)).main
    var request = try AdaptiveJPEG.rewriting(plain)
    request.isProgressiveJPEG = true
    let made = try encodeAdaptive(request).main
    let old = try AdaptiveJPEG.streams(plain), new = try AdaptiveJPEG.streams(made)
    #expect(Frame(new.primary).marker == 0xC2 && Frame(new.map).marker == 0xC2)
    #expect(try coefficients(Array(old.primary)) == coefficients(Array(new.primary)))
    #expect(try coefficients(Array(old.map)) == coefficients(Array(new.map)))
    for isProgressive in [false, true] {
      var again = try AdaptiveJPEG.rewriting(made)
      again.isProgressiveJPEG = isProgressive
      let kept = try AdaptiveJPEG.streams(encodeAdaptive(again).main)
      #expect(AdaptiveJPEG.coded(kept.primary) == AdaptiveJPEG.coded(new.primary))
      #expect(AdaptiveJPEG.coded(kept.map) == AdaptiveJPEG.coded(new.map))
    }
  }

  // MARK: - Reading

  /// The process of a stream and the number of its scans.
  private struct Frame: Equatable {
    var marker = 0, scans = 0

    init(marker: Int, scans: Int) { (self.marker, self.scans) = (marker, scans) }

    init(_ stream: ArraySlice<UInt8>) {
      marker = AdaptiveJPEG.segments(stream).first { 0xC0...0xC2 ~= $0.marker }?.marker ?? 0
      for (one, other) in zip(stream, stream.dropFirst()) where one == 0xFF {
        if other == 0xDA { scans += 1 }
        if other == 0xD9 { break }
      }
    }
  }

  /// All coefficients of a stream, component by component, as the library hands them over.
  private func coefficients(_ stream: [UInt8]) throws -> [Int16] {
    final class Found { var values: [Int16] = [] }
    let found = Found(), codec = try #require(tjInitTransform())
    defer { tjDestroy(codec) }
    var transform = tjtransform()
    transform.options = TJXOPT_NOOUTPUT
    transform.data = Unmanaged.passUnretained(found).toOpaque()
    transform.customFilter = { coefficients, region, _, _, _, transform in
      guard let coefficients, let data = transform?.pointee.data else { return -1 }
      let found = Unmanaged<Found>.fromOpaque(data).takeUnretainedValue()
      found.values += UnsafeBufferPointer(start: coefficients, count: Int(region.w * region.h))
      return 0
    }
    var memory: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let code = stream.withUnsafeBufferPointer {
      tjTransform(codec, $0.baseAddress, UInt($0.count), 1, &memory, &count, &transform, 0)
    }
    #expect(code == 0 && !found.values.isEmpty)
    return found.values
  }
}
