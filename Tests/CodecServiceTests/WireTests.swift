import CodecService
import Foundation
import HDRCore
import HDRRecipe
import ImageFiles
import TestFiles
import TestSamples
import TestSupport
import Testing

/// Messages between supervisor and codec process: nothing is lost on the way, and nothing hostile gets through.
@Suite struct WireTests {
  /// Memory that both sides see.
  final class Memory {
    var blocks: [(offset: Int, buffer: PixelBuffer)] = []
    var next = 4096

    func place(_ buffer: PixelBuffer) -> Int {
      if let known = blocks.first(where: { $0.buffer === buffer }) { return known.offset }
      blocks.append((next, buffer))
      defer { next += (buffer.byteCount + 127) & ~63 }
      return next
    }

    func pixels(_ limits: DecodeLimits = DecodeLimits(), isTrusted: Bool = false) -> WireReader.Pixels {
      WireReader.Pixels(limits: limits, isTrusted: isTrusted) { [self] offset, count throws(WireError) in
        guard let found = blocks.first(where: { $0.offset == offset && $0.buffer.byteCount == count }) else {
          throw WireError("no such block")
        }
        return found.buffer
      }
    }
  }

  /// Written, read, and written again.
  func again<Value: WireValue>(_ value: Value, isTrusted: Bool = false) throws -> (first: [UInt8], second: [UInt8]) {
    let memory = Memory()
    var writer = WireWriter(place: memory.place)
    writer.put(value)
    var reader = WireReader(writer.bytes, memory.pixels(isTrusted: isTrusted))
    let copy = try reader.take(Value.self)
    try reader.end()
    var second = WireWriter(place: memory.place)
    second.put(copy)
    return (writer.bytes, second.bytes)
  }

  @Test(.enabled(if: SharedData.hasImages, "skipped: no data"))
  func everySampleComesAcrossWhole() throws {
    var pictures = 0, payloads = 0
    for file in SharedData.pictures {
      let bytes = try #require(SharedData.bytes("data/images/" + file))
      for request in [DecodeRequest.metadata, .pixels] {
        guard let source = try? decodeImage(bytes, request: request) else { continue }
        let (first, second) = try again(source)
        #expect(first == second && first.count > 100, "\(file)")
        pictures += 1
      }
      if let coded = try? codedRenditions(bytes) {
        let (first, second) = try again(coded)
        #expect(first == second && first.count > 100, "\(file)")
        payloads += 1
      }
    }
    #expect(pictures > 100 && payloads > 10)
  }

  @Test("long bytes lie in shared memory if it has room, and count as part of the message")
  func placedBytes() throws {
    let lists = [1, CodecProtocol.placedBytes - 1, CodecProtocol.placedBytes, 100_000, 70_000].map { count in
      (0..<count).map { UInt8(truncatingIfNeeded: 31 * $0 + count) }
    }
    var memory: [[UInt8]] = []
    // Room for two.
    var writer = WireWriter(placeData: { bytes in
      guard memory.count < 2 else { return nil }
      memory.append(bytes)
      return memory.count - 1
    })
    for list in lists { writer.put(list) }
    #expect(memory == [lists[2], lists[3]])
    #expect(writer.byteCount == writer.bytes.count + lists[2].count + lists[3].count)
    var pixels = WireReader.Pixels.none
    pixels.data = { offset, count throws(WireError) in
      guard memory.indices.contains(offset), memory[offset].count == count else { throw WireError("no such bytes") }
      return memory[offset]
    }
    var reader = WireReader(writer.bytes, pixels)
    for list in lists { #expect(try reader.take([UInt8].self) == list) }
    try reader.end()
    var other = WireReader(writer.bytes)
    for list in lists[..<2] { #expect(try other.take([UInt8].self) == list) }
    #expect(throws: WireError("bytes in shared memory where none can be")) { try other.take([UInt8].self) }
  }

  @Test("the same bytes in shared memory are not read without end")
  func placedAgainAndAgain() throws {
    let count = 1 << 20, list = [UInt8](repeating: 7, count: count)
    var bytes: [UInt8] = []
    for _ in 0..<100 {
      var writer = WireWriter(placeData: { _ in 4096 })
      writer.put(list)
      bytes += writer.bytes
    }
    var pixels = WireReader.Pixels.none
    pixels.data = { offset, count throws(WireError) in
      #expect(offset == 4096)
      return list
    }
    var reader = WireReader(bytes, pixels)
    for _ in 0..<CodecProtocol.maxPlacedBytes / count { #expect(try reader.take([UInt8].self) == list) }
    #expect(throws: WireError("\(count) more bytes in shared memory")) { try reader.take([UInt8].self) }
  }

  @Test func sensorsComeAcrossWhole() throws {
    let (first, second) = try again(SensorPicture.sample)
    #expect(first == second && first.count > 1000)
    var reader = WireReader(first, Memory().pixels())
    #expect(try reader.take(SensorPicture.self) == SensorPicture.sample)
  }

  @Test("a sensor with any byte changed is read or refused, and never more than its bounds allow")
  func changedSensors() throws {
    let bytes = SensorPicture.sample.bytes
    var read = 0
    for at in bytes.indices {
      for value in [bytes[at] ^ 1, bytes[at] ^ 0x80, 0xFF, 0] where value != bytes[at] {
        var changed = bytes
        changed[at] = value
        var reader = WireReader(changed, Memory().pixels())
        guard let sensor = try? reader.take(SensorPicture.self) else { continue }
        read += 1
        #expect(sensor.activeArea.right <= sensor.width && sensor.crop.right <= sensor.activeArea.width)
        #expect(sensor.levels.value(100, x: 3, y: 3).isFinite)
      }
    }
    #expect(read > 100 && read < 3 * bytes.count)
  }

  @Test("profiles without an inverse, and curves that fall, are refused")
  func brokenProfiles() throws {
    for wrong in [
      DeviceSpace(description: "", toBT2020: [Double](repeating: 1, count: 9), coding: .curves([.sRGB, .sRGB, .sRGB])),
      DeviceSpace(description: "", toBT2020: Matrix3.identity.rows, coding: .curves([.table([1, 0]), .sRGB, .sRGB])),
    ] {
      var reader = WireReader(wrong.bytes)
      #expect(throws: WireError.self) { _ = try reader.take(DeviceSpace.self) }
    }
  }

  @Test("what a device has encoded is read in an order and refused in an answer: no codec process makes one")
  func scansInAnswersAreRefused() throws {
    var source = Self.picture()
    func read(isTrusted: Bool) throws -> SampleImage {
      let memory = Memory()
      var writer = WireWriter(place: memory.place)
      writer.put(source)
      var reader = WireReader(writer.bytes, memory.pixels(isTrusted: isTrusted))
      return try reader.take(SourceImage.self).image
    }
    #expect(try read(isTrusted: false).scan == nil)
    source.image.scan = JPEGScan([1, 2, 3], chroma: .s420)
    source.image = source.image.forEncoder
    #expect(try read(isTrusted: true).scan == source.image.scan)
    #expect(throws: WireError("a scan that no device of ours has made")) { try read(isTrusted: false) }
    source.image.scan = nil
    source.image.deflated = DeflatedRows(PNGLine(width: 1, sampleBytes: 2, keepsAlpha: false), [1])
    #expect(try read(isTrusted: true).deflated == source.image.deflated)
    #expect(throws: WireError("rows that no device of ours has deflated")) { try read(isTrusted: false) }
    let exr = DeflateLine.exr(EXRLine(width: 1, channels: 3))
    source.image.deflated = DeflatedRows(exr, [[1, 2], [], [3]])
    let streams = try #require(try read(isTrusted: true).deflated)
    #expect(streams == source.image.deflated && streams.places == [0..<2, 2..<2, 2..<3])
    source.image.deflated?.counts = [2, 2]
    #expect(throws: WireError("streams that do not fill their memory")) { try read(isTrusted: true) }
  }

  @Test("a scan in the place of samples is read if it was asked for, belongs to the picture, and has no fault")
  func promise09_scansInThePlaceOfSamples() throws {
    let good = try #require(try FieldSamples.handovers.first)
    func refusal(_ least: Int?, _ change: (inout SampleImage, inout JPEGSourceScan) -> Void = { _, _ in }) -> String? {
      var image = good
      guard case .scan(var scan) = good.handover else { return "no scan" }
      change(&image, &scan)
      image.handover = .scan(scan)
      let memory = Memory()
      var writer = WireWriter(place: memory.place), limits = DecodeLimits()
      writer.put(image)
      limits.leastScan = least
      var reader = WireReader(writer.bytes, memory.pixels(limits))
      do throws(WireError) {
        let read = try reader.take(SampleImage.self)
        return read.handover == image.handover ? nil : "another scan"
      } catch {
        return error.description
      }
    }
    #expect(refusal(0) == nil && refusal(61 * 45) == nil)
    for least in [nil, 61 * 45 + 1] { #expect(refusal(least) == "a scan that nobody asked for") }
    let faults: [(inout SampleImage, inout JPEGSourceScan) -> Void] = [
      { $1.width = 0 }, { $1.height = 65_536 }, { $1.tables.removeLast() }, { $1.tables[1].quantisers[0...] = [1] },
      { $1.tables[0].dc.counts[0] = 3 }, { $1.tables[2].ac.values.removeLast() }, { $1.tables[0].dc.values[0] = 16 },
      { $1.restartInterval = -1 }, { $1.restartInterval = 0 }, { $1.starts = [] }, { $1.starts = [4] },
      { $1.bytes = 1 }, { $1.bytes = JPEGSourceScan.mostBytes + 1 },
      { $1.words.removeLast($1.words.count - ($1.bytes + JPEGSourceScan.padding - 1) / 4) },
    ]
    for (number, fault) in faults.enumerated() { #expect(refusal(0, fault) != nil, "fault \(number)") }
    let others: [(inout SampleImage, inout JPEGSourceScan) -> Void] = [
      { image, _ in image.width = 60 }, { image, _ in image.height = 44 }, { image, _ in image.chroma = .s444 },
      { image, _ in image.model = .rgb }, { image, _ in image.siting = .left }, { image, _ in image.bitDepth = 7 },
      { image, _ in image.format = .uint16 }, { image, _ in image.lowZeroBits = 1 },
    ]
    for (number, change) in others.enumerated() { #expect(refusal(0, change) != nil, "other picture \(number)") }
    let planes = SampleImage.planar(
      width: 61, height: 45, model: .ycc, format: .uint8, bitDepth: 8, chroma: .s420, siting: .center, hasAlpha: true)
    #expect(refusal(0) { image, _ in image.channels = planes.channels } == "a scan beside samples")
    #expect(refusal(0) { image, _ in image.alpha = planes.alpha } == "a scan beside samples")
    #expect(
      refusal(0) { image, _ in image.reduction = Reduction(scale: 2, width: 122, height: 90) }
        == "a scan beside samples")
  }

  @Test("a format that no reader has is refused") func unknownFormat() {
    for (word, format) in [("jxl", FileFormat.jxl), ("gif", nil), ("", nil)] {
      var reader = WireReader(word.bytes)
      #expect((try? reader.take(FileFormat.self)) == format)
    }
  }

  /// Codec processes may name the settings that the rooms in them name, and no others.
  @Test func settingsOfMessagesAreKnown() throws {
    var named: Set<String> = []
    for room in ["PlainData", "HDRCore", "FileParts", "ImageFiles", "KernelCompiler", "CodecService", "CodecProcess"] {
      let folder = SharedData.repository.appendingPathComponent("Sources/" + room)
      for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where path.hasSuffix(".swift") {
        let code = try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
          .replacing(/\/\/[^\n]*/, with: "")
        named.formUnion(code.matches(of: /(?:\(setting: |\.setting\()"([a-z-]+)"/).map { String($0.1) })
      }
    }
    #expect(named == CodecProtocol.settings)
    #expect(CodecProtocol.settings.isSubset(of: Settings.all.map(\.name)))
  }

  @Test("a codec process makes an option of known settings alone")
  func promise09_messagesNameKnownSettings() throws {
    func read(_ text: String) throws -> Message {
      var reader = WireReader(text.bytes)
      return try reader.take()
    }
    #expect(try read("raise \u{1F}max-pixels\u{1F} to 3") == "raise \(setting: "max-pixels") to 3")
    #expect(try read("\u{1F}isolation\u{1F} none") == "isolation none")
    #expect(try read("\u{1F}max-pixels") == "max-pixels" && read("a\u{1F}b\u{1F}cicp\u{1F}c") == "abcicpc")
    // Marks in a file's own text are escaped, so that the text names no setting.
    var reader = WireReader(Message("\u{1F}cicp\u{1F}").bytes)
    #expect(try reader.take(Message.self) == "\\x1fcicp\\x1f")
  }

  /// A property that is added to a type fails here until the type's list has it and a sample sets it.
  @Test("all properties of all types that cross the border are listed, set by a sample, and read as they were written")
  func everyFieldComesAcross() throws {
    var survey = FieldSurvey()
    func cross<Value: Fields>(_ value: Value, isTrusted: Bool = false) throws {
      survey.add(value)
      let memory = Memory()
      var writer = WireWriter(place: memory.place)
      writer.put(value)
      var reader = WireReader(writer.bytes, memory.pixels(isTrusted: isTrusted))
      let read = try reader.take(Value.self)
      try reader.end()
      #expect(FieldSurvey.text(read) == FieldSurvey.text(value))
    }
    for source in [FieldSamples.picture, FieldSamples.sensorPicture] {
      try cross(AnswerMessage(.success(source), [.decode: PhaseSeconds(wall: 1, cpu: 2)], inputDigest: Digest(of: [1])))
    }
    for image in try FieldSamples.handovers { try cross(image, isTrusted: true) }
    for error in FieldSamples.errors { try cross(error) }
    for encoding in FieldSamples.encodings { try cross(encoding) }
    for space in FieldSamples.deviceSpaces { try cross(space) }
    for apple in FieldSamples.appleMaps { try cross(apple) }
    for answer in FieldSamples.kernels { try cross(answer) }
    for request in FieldSamples.requests { try cross(request, isTrusted: true) }
    for request in [DecodeRequest.pixels, .metadata] {
      for decoder in HEVCDecoder.allCases {
        var order = FieldSamples.order
        (order.request, order.limits.hevcDecoder) = (request, decoder)
        try cross(order, isTrusted: true)
      }
    }
    try cross(FieldSamples.renditions)
    // Binary32 is made finite where it is loaded.
    try cross(SampleImage.planar(width: 4, height: 4, model: .rgb, format: .float32, bitDepth: 32))
    try cross(CodedFiles(mainBytes: 9, sidecarBytes: 2, warnings: [Warning("a.b", "c")]))
    try cross(ReadyMessage(landlock: 7, hasSeccomp: true, missing: "a", addressSpace: 1 << 30))
    try cross(
      DecodeHead(
        width: 1, height: 2, pixels: 3, bytes: 4, mapPixels: 1, pixelBytes: 5, answerBytes: 6, workBytes: 7))
    survey.check()
    #expect(try survey.types == Self.describedTypes())
  }

  /// Returns the names of all types that the sources describe by a list of fields.
  private static func describedTypes() throws -> Set<String> {
    let folder = SharedData.repository.appendingPathComponent("Sources/CodecService")
    var names: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".swift") {
      let text = try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
      for match in text.matches(of: /(?:extension|struct|enum) ([A-Za-z0-9.]+)[^\n{]*?: (?:Fields|Cases)\b/) {
        names.insert(String(match.1))
      }
    }
    return names
  }

  static func picture(_ format: SampleFormat = .uint16) -> SourceImage {
    let image = SampleImage.planar(
      width: 61, height: 43, model: .ycc, format: format, bitDepth: 10, chroma: .s420, hasAlpha: true)
    var source = SourceImage(
      format: .heic, image: image,
      color: SourceColor(matrix: 9, fullRange: true, encoding: .cicp(primaries: 9, transfer: 16), icc: [1, 2, 3]),
      geometry: Geometry(width: 61, height: 43, orientation: .left))
    let map = SampleImage.planar(width: 31, height: 22, model: .grey, format: .uint8, bitDepth: 8)
    source.gainMap = GainMap(
      metadata: GainMapMetadata(kind: .iso, baseHeadroom: 0, alternateHeadroom: 3, min: [0, 0, 0], max: [3, 3, 3]),
      image: map, matrix: 6, fullRange: true, alternateColor: source.color, bindings: ["tmap"])
    source.light.clli = ContentLightLevel(maxCLL: 1000, maxFALL: 200)
    source.light.mdcv = MasteringDisplay(
      primaries: [0.7, 0.2, 0.1, 0.3].map { Chromaticity($0, 0.3) }, maxLuminance: 1000, minLuminance: 0.01)
    source.exif = [0x49, 0x49, 0x2A, 0]
    source.warnings = [Warning("a.b", "c")]
    source.decoder = "libavcodec 1.2.3"
    source.pictures = [
      FilePicture(width: 1, height: 2, note: "grid", isReduced: true),
      FilePicture(name: "beauty", width: 3, height: 4),
    ]
    source.picture = 2
    return source
  }

  @Test("pictures whose smaller planes would be read at every pixel are refused")
  func promise09_subsampledPlanesAreYCbCr() throws {
    let good = Self.picture()
    _ = try again(good)
    func refused(_ change: (inout SourceImage) -> Void) -> Bool {
      var source = good
      change(&source)
      return (try? again(source)) == nil
    }
    let small = SampleImage.planar(width: 8, height: 8, model: .ycc, format: .uint16, bitDepth: 10, chroma: .s420)
    func plain(_ source: inout SourceImage) {
      source.image = small
      source.geometry = Geometry(width: 8, height: 8)
    }
    #expect(!refused(plain))
    #expect(
      refused {
        plain(&$0)
        $0.color.matrix = CICP.Matrix.identity
      })
    #expect(
      refused {
        plain(&$0)
        $0.image.model = .rgb
      })
    #expect(
      refused {
        plain(&$0)
        ($0.image.format, $0.image.bitDepth) = (.float16, 16)
      })
    // Halves whose alpha are bytes: they would be read as halves, too.
    func light(_ source: inout SourceImage) {
      source.image = .planar(width: 8, height: 8, model: .rgb, format: .float16, bitDepth: 16, hasAlpha: true)
      source.geometry = Geometry(width: 8, height: 8)
    }
    #expect(!refused(light))
    #expect(
      refused {
        light(&$0)
        ($0.image.alphaFormat, $0.image.alphaBitDepth) = (.uint8, 8)
      })
    #expect(
      refused {
        $0.gainMap?.image = small
        $0.gainMap?.matrix = CICP.Matrix.identity
      })
  }

  @Test("numbers beyond those of any file are refused", arguments: [1e300, -1e300, 1e10, Double.infinity, .nan])
  func promise10_numbersAreThoseOfFiles(number: Double) {
    let changes: [(inout SourceImage) -> Void] = [
      { $0.gainMap?.metadata.min[1] = number }, { $0.gainMap?.metadata.alternateOffset[0] = number },
      { $0.light.clli?.maxCLL = number }, { $0.light.diffuseWhite = number },
      {
        $0.color.encoding = .matrixTRC(
          curves: [.gamma(number)], toBT2020: [1, 0, 0, 0, 1, 0, 0, 0, 1], primaries: 9)
      },
    ]
    for change in changes {
      var source = Self.picture()
      change(&source)
      #expect((try? again(source)) == nil)
    }
    var dark = Self.picture()
    dark.light.mdcv?.maxLuminance = -1
    #expect((try? again(dark)) == nil)
  }

  /// 10 000 messages that a hostile process can send: random bytes, and valid ones with bytes changed, cut or doubled.
  /// What gets through has all of its samples in its memory, its crop inside the picture, and finite numbers.
  @Test func promise09_hostileMessagesAreRefusedOrHarmless() throws {
    var generator = SystemRandomNumberGenerator()
    let seed = generator.next()
    var random = XorShift(state: seed | 1)
    let memory = Memory()
    var writer = WireWriter(place: memory.place)
    writer.put(
      AnswerMessage<SourceImage>(.success(Self.picture()), [.decode: PhaseSeconds(wall: 1, cpu: 1)], inputDigest: nil))
    let valid = writer.bytes
    let room = PixelBuffer(byteCount: 1 << 20)
    var accepted = 0
    for round in 0..<10_000 {
      var bytes = valid
      switch round % 5 {
      case 0: bytes = (0..<random.below(400)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      case 1: bytes.removeLast(random.below(bytes.count))
      case 2:
        // A number where a number stands.
        let place = random.below(bytes.count - 8)
        let odd: [UInt64] = [
          0, 1, 63, 64, 65, 1 << 31, 1 << 32, 1 << 62, 1 << 63, UInt64.max, UInt64.max - 7, 0x7FF8 << 48,
        ]
        withUnsafeBytes(of: odd[random.below(odd.count)].littleEndian) { number in
          for index in 0..<8 { bytes[place + index] = number[index] }
        }
      default:
        for _ in 0...random.below(4) {
          bytes[random.below(bytes.count)] = random.below(2) == 0 ? 0xFF : UInt8(truncatingIfNeeded: random.next())
        }
      }
      var reader = WireReader(
        bytes,
        WireReader.Pixels(limits: DecodeLimits(maxPixels: 1 << 20, maxSide: 4096), isTrusted: false) {
          offset, count throws(WireError) in
          guard offset >= 0, count >= 0, count <= room.byteCount, offset <= room.byteCount - count else {
            throw WireError("outside")
          }
          return PixelBuffer(adopting: room.base + offset, byteCount: count) { _ in }
        })
      guard let answer = try? reader.take(AnswerMessage<SourceImage>.self), (try? reader.end()) != nil,
        case .success(let source) = answer.result
      else { continue }
      accepted += 1
      for image in [source.image] + (source.gainMap.map { [$0.image] } ?? []) {
        let planes = image.channels.map { ($0, image.format) } + (image.alpha.map { [($0, image.alphaFormat)] } ?? [])
        for (plane, format) in planes {
          let last = plane.offset + (plane.height - 1) * plane.rowBytes + (plane.width - 1) * plane.stepBytes
          #expect(plane.offset >= 0 && last + format.bytes <= plane.buffer.byteCount, "seed \(seed), round \(round)")
        }
      }
      let crop = source.geometry.crop
      #expect(crop.x + crop.width <= source.image.width && crop.y + crop.height <= source.image.height)
      #expect(source.gainMap?.metadata.max.allSatisfy(\.isFinite) != false)
    }
    // Many changes change only names, numbers and samples' meaning.
    #expect(accepted > 100)
  }
}
