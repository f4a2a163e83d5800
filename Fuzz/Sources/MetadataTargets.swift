@testable import FileParts
import HDRCore
import HDRPlan
@testable import ImageFiles
import PlainData

extension Target {
  /// The binary payload of `tmap` items and APP2 segments: read, written, read again.
  static let iso21496 = Target("iso21496", maxLength: 256) { bytes in
    var warnings: [Warning] = []
    for container in [ISO21496.Container.tmap, .jpeg] {
      guard let first = try? ISO21496(parsing: bytes[...], container: container) else { continue }
      var again: ISO21496
      do throws(ISO21496.ParseError) {
        again = try ISO21496(parsing: first.serialized(for: container)[...], container: container)
      } catch {
        fatalError("what was written is not read: \(error)")
      }
      (again.writerVersion, again.trailingByteCount) = (first.writerVersion, first.trailingByteCount)
      (again.isLegacyLayout, again.wasBackward) = (first.isLegacyLayout, first.wasBackward)
      demand(again == first, "other numbers than were written")
    }
    for metadata in [
      parseISO21496(tmapPayload: bytes[...], warnings: &warnings),
      parseISO21496(jpegPayload: bytes[...], warnings: &warnings),
    ] {
      guard let metadata else { continue }
      demand(metadata.allNumbersAreFinite, "a number that is not finite")
      demandFractions(metadata)
      // The draft layout is never written; its fractions become the simplest near ones.
      let isDraft = (try? ISO21496(parsing: metadata.rawPayload[...], container: .jpeg))?.isLegacyLayout == true
      if !isDraft, let written = ISO21496(metadata) {
        demand(GainMapMetadata(written, rawPayload: metadata.rawPayload) == metadata, "a parsed map changes")
      }
    }
  }

  /// Numbers that no fraction is: the nearest ones are written, or none.
  private static func demandFractions(_ metadata: GainMapMetadata) {
    var other = metadata
    (other.kind, other.rawPayload) = (.hdrgm, [])
    for (factor, shift) in [(1.000_123_456_789, 0.1), (-0.7, 1e-7), (1e9, 0.3)] {
      func moved(_ row: [Double]) -> [Double] { row.map { $0 * factor + shift } }
      (other.min, other.max) = (moved(metadata.min), moved(metadata.max))
      (other.baseOffset, other.alternateOffset) = (moved(metadata.baseOffset), moved(metadata.alternateOffset))
      guard let written = ISO21496(other) else { continue }
      for (row, index) in zip(written.channels, [0, 1, 2]) {
        for (fraction, value) in [(row.min, other.min[index]), (row.alternateOffset, other.alternateOffset[index])] {
          demand(abs(fraction.value - value) <= 1e-9 * max(1, abs(value)), "\(fraction.value) for \(value)")
        }
      }
    }
  }

  static let jhgm = Target("jhgm", maxLength: 1024) { bytes in
    guard let box = try? JHGM(parsing: bytes[...]) else { return }
    demand(box.serialized == bytes, "other bytes than were read")
    var warnings: [Warning] = []
    _ = parseISO21496(jpegPayload: box.metadata[...], warnings: &warnings)
  }

  /// Properties by name, as lines `NAME=VALUE`; and numbers of an ISO payload as XMP and back.
  static let hdrgm = Target("hdrgm", maxLength: 1024) { bytes in
    var warnings: [Warning] = []
    var properties: [String: [String]] = ["Version": ["1.0"]]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n").prefix(32) {
      let sides = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if sides.count == 2 { properties[sides[0], default: []].append(sides[1]) }
    }
    if properties["Version"]?.count == 2 { properties["Version"]?.removeFirst() }
    for metadata in [
      HDRGainMapXMP.parse(properties, warnings: &warnings), parseISO21496(jpegPayload: bytes[...], warnings: &warnings),
    ] {
      guard let metadata else { continue }
      demand(metadata.allNumbersAreFinite, "a number that is not finite")
      if let iso = ISO21496(metadata),
        let read = try? ISO21496(parsing: iso.serialized(for: .jpeg)[...], container: .jpeg)
      {
        demand(read.channels == iso.channels, "other fractions than were written")
      }
      guard let writer = HDRGainMapXMPWriter(metadata) else { continue }
      guard let packet = XMPPacket(writer.packet, warnings: &warnings),
        let found = packet.properties[HDRGainMapXMP.namespace].flatMap({ HDRGainMapXMP.parse($0, warnings: &warnings) })
      else { fatalError("what was written is not read") }
      demand(found.sameNumbers(as: metadata), "other numbers than were written")
    }
  }

  /// A packet: scanned, freed of what describes pixels, and with a description of ours.
  static let xmp = Target("xmp", maxLength: 1 << 15) { bytes in
    var warnings: [Warning] = []
    guard let packet = XMPPacket(bytes, warnings: &warnings) else {
      demand(!warnings.isEmpty, "refused without a word")
      return
    }
    if let properties = packet.properties[HDRGainMapXMP.namespace] {
      _ = HDRGainMapXMP.parse(properties, warnings: &warnings)
    }
    _ = AppleGainMap(packet.properties[AppleGainMap.namespace] ?? [:], note: nil, warnings: &warnings)
    _ = containerPositions(packet.containerItems, primaryLength: 1 << 32)
    for choice in [MetadataChoice.noLocation, .copyright] {
      guard let rest = choice.xmp(bytes) else { continue }
      demand(choice.xmp(rest) == rest, "what stays of XMP changes on the second way")
    }
    demand(XMPAssembly.unwrapped(bytes).map { (try? XMLScanner($0)) != nil } == true, "the bare packet is not read")
    guard let cut = xmpWithoutPixelDescription(bytes) else { fatalError("a packet that was read cannot be cut") }
    guard let rest = XMPPacket(cut, warnings: &warnings) else { return }
    for namespace in [HDRGainMapXMP.namespace, XMPNamespace.container, XMPNamespace.appleGainMap] {
      demand(rest.properties[namespace] == nil, "properties of \(namespace) are left")
    }
    let added = XMPAssembly.adding(
      { XMPAssembly.primaryDescription(isMarked: true, mapSize: 7, extended: "AB", about: $0) }, to: cut)
    guard let added else { return }
    guard let whole = XMPPacket(added, warnings: &warnings) else { fatalError("what was put together is not read") }
    demand(whole.value(HDRGainMapXMP.namespace, "Version") == "1.0", "the description is not found again")
  }

  /// The target reads what lies beside pictures: Samsung's trailer, videos, C2PA in one piece and in segments.
  static let extras = Target("extras", maxLength: 1 << 13) { bytes in
    let all = FileRange(start: 0, byteCount: bytes.count)
    func isInside(_ range: FileRange) -> Bool { range.lies(in: bytes.count) }
    var warnings: [Warning] = []
    let samsung = SamsungTrailer(bytes[...])
    for entry in samsung?.entries ?? [] {
      demand(all.end >= entry.data.upperBound && entry.data.lowerBound >= 0, "an entry outside the file")
    }
    for form in ["", "GCamera:MotionPhoto='1'", "GCamera:MicroVideo='1' GCamera:MicroVideoOffset='\(bytes.count / 2)'"]
    {
      let text =
        "<r:RDF xmlns:r='\(XMPNamespace.rdf)'><r:Description xmlns:GCamera='\(MotionPhoto.namespace)' \(form)/></r:RDF>"
      let claims = MotionPhoto.Claims(XMPPacket(Array(text.utf8), warnings: &warnings))
      let end = bytes.count / 3
      let video = MotionPhoto.find(
        in: bytes, primaryEnd: end, picturesEnd: end, claims: claims, samsung: samsung, warnings: &warnings)
      demand(video.map { isInside($0.range) && $0.range.byteCount > 0 } ?? true, "a video outside the file")
      let boxed = MotionPhoto.find(inBox: bytes[end...], isLast: true, claims: claims, warnings: &warnings)
      demand(boxed.map { isInside($0.range) && $0.range.start == end } ?? true, "a video outside its box")
    }
    let parts = stride(from: 0, to: bytes.count, by: 97).map { bytes[$0..<min($0 + 97, bytes.count)] }
    for found in [
      ContentCredentials(bytes[...], place: "fuzz", warnings: &warnings),
      ContentCredentials(segments: parts, warnings: &warnings),
    ] {
      demand(found?.pieces.allSatisfy(isInside) ?? true, "a piece outside the file")
    }
  }

  static let mpf = Target("mpf", maxLength: 4096) { bytes in
    var warnings: [Warning] = []
    for origin in [0, 1 << 32] {
      guard let index = MultiPicture(bytes[...], origin: origin, warnings: &warnings) else { continue }
      demand(index.pictures.count <= MultiPicture.maxPictures, "too many pictures")
    }
    func number(_ at: Int) -> Int { bytes.dropFirst(at).prefix(4).reduce(0) { $0 << 8 | Int($1) } }
    let position = number(4) % 65_536, size = position + number(0) % (1 << 30)
    let segment = MultiPicture.segment(primarySize: size, headerPosition: position, mapSize: number(8))
    let found = MultiPicture(segment.dropFirst(MultiPicture.headerOffset), origin: position, warnings: &warnings)
    demand(
      found?.pictures.map(\.size) == [size, number(8)] && found?.pictures.last?.position == size,
      "the index that was written says something else")
  }

  /// Read; orientation put back; set for an output of another size.
  static let exif = Target("exif", maxLength: 1 << 14) { bytes in
    var warnings: [Warning] = []
    guard let exif = Exif(bytes, warnings: &warnings) else {
      demand(
        exifForOutput(bytes, width: 1, height: 1, cicp: CICP(9, 16, 0, full: true)) == nil, "Exif without a header")
      return
    }
    for choice in [MetadataChoice.noLocation, .copyright] {
      guard let rest = choice.exif(bytes) else { continue }
      demand(ExifValues(rest)?.gps.isEmpty != false && choice.exif(rest) == rest, "what stays of Exif changes again")
    }
    _ = exif.makerNote.flatMap { AppleMakerNote($0, warnings: &warnings) }
    let reset = exifResettingOrientation(bytes)
    demand(reset.count == bytes.count, "another length")
    demand(Exif(reset, warnings: &warnings)?.orientation == .up, "the orientation is not reset")
    guard let out = exifForOutput(bytes, width: 640, height: 480, cicp: CICP(1, 13, 0, full: true)) else { return }
    demand(out.count == bytes.count, "another length")
    demand(Exif(out, warnings: &warnings)?.orientation == .up, "the output's orientation is not reset")
  }

  static let makerNote = Target("makernote", maxLength: 1024) { bytes in
    var warnings: [Warning] = []
    // A first line is the headroom of the XMP.
    let line = bytes.firstIndex(of: 10).map { String(decoding: bytes[..<$0], as: UTF8.self) }
    var properties = ["HDRGainMapVersion": ["65536"]]
    if let line { properties["HDRGainMapHeadroom"] = [line] }
    for note in [bytes, Array("Apple iOS\0\0\u{1}MM".utf8) + bytes] {
      let read = AppleMakerNote(note[...], warnings: &warnings)
      let map = AppleGainMap(properties, note: read, warnings: &warnings)
      demand(map.headroom.map { $0.isFinite && $0 >= 0 } != false, "a headroom of no number")
    }
  }

  /// Everything but Little CMS, whose work on a table is always the same 65³ nodes.
  static let icc = Target("icc", maxLength: 1 << 14, mutate: ICCGrammar.mutate) { bytes in
    roundTripProfile(bytes)
    guard let profile = try? ICCProfile(bytes) else { return }
    _ = (profile.cicp, profile.description, profile.chromaticAdaptation)
    for tag in ["rTRC", "gTRC", "bTRC", "kTRC"] { _ = try? profile.curve(tag) }
    for tag in ["rXYZ", "gXYZ", "bXYZ", "wtpt"] { _ = profile.xyz(tag) }
    try? profile.checkTables()
    _ = (profile.has("A2B0"), profile.has("cicp"))
    if profile.isBaked { return }
    var warnings: [Warning] = []
    for model in [ColorModel.rgb, .grey] {
      guard let found = resolveICC(bytes, model: model, warnings: &warnings) else { continue }
      if case .matrixTRC(_, let matrix, _) = found.encoding {
        demand(matrix.allSatisfy(\.isFinite), "a matrix that is not finite")
      }
    }
    if !profile.hasWayToDevice { output(bytes) }
  }

  /// The profile as the space of an output: one that is taken has a plan with numbers only.
  private static func output(_ bytes: [UInt8]) {
    guard let space = try? deviceSpace(ofICC: bytes) else { return }
    demand((space.toBT2020 + space.fromBT2020.rows).allSatisfy(\.isFinite), "a device's matrix that is not finite")
    if case .curves(let curves) = space.coding {
      for curve in curves {
        for step in 0...64 {
          demand((0...1).contains(curve.inverse(Double(step) / 64)), "a code outside the device")
        }
      }
    }
    var target = OutputSignal(encoding: .sdr, sink: .rgba8)
    target.profile = OutputProfile(bytes: bytes, space: space)
    guard let plan = try? Planner.plan(.small, RenderRecipe(target: target)) else { return }
    demand((plan.constants + plan.tables).allSatisfy { Float(bitPattern: $0).isFinite }, "a plan of no numbers")
  }

  /// Profiles that Little CMS turns into a cube.
  static let iccBake = Target("icc-bake", maxLength: 1 << 14, mutate: ICCGrammar.mutate) { bytes in
    guard let profile = try? ICCProfile(bytes), profile.isBaked else { return }
    var warnings: [Warning] = []
    _ = resolveICC(bytes, model: .rgb, warnings: &warnings)
    output(bytes)
  }

  /// Profiles that are written say the code points that were asked for.
  private static func roundTripProfile(_ bytes: [UInt8]) {
    guard bytes.count == 2, let made = ICCProfileWriter.profile(primaries: Int(bytes[0]), transfer: Int(bytes[1]))
    else { return }
    var warnings: [Warning] = []
    let found = resolveICC(made, model: .rgb, warnings: &warnings)
    demand(
      found?.cicp == CICP(Int(bytes[0]), Int(bytes[1]), 0, full: true) && found?.description?.isEmpty == false,
      "the profile says other code points")
  }

  static let photoshop = Target("photoshop", maxLength: 4096) { bytes in
    guard let kept = photoshopWithoutPixelDescription(bytes) else { return }
    demand(photoshopWithoutPixelDescription(kept) == kept, "what travels changes on the second way")
    for choice in [MetadataChoice.noLocation, .copyright] {
      guard let rest = choice.photoshop(kept) else { continue }
      demand(choice.photoshop(rest) == rest, "what stays of IPTC changes on the second way")
    }
  }
}

extension ICCProfile {
  /// True if Little CMS gets the profile as an output's.
  var hasWayToDevice: Bool { ["B2A0", "B2A1", "B2A2", "B2D0", "B2D1", "B2D2", "B2D3"].contains(where: has) }

  /// True if Little CMS gets the profile.
  var isBaked: Bool { colorSpace == "RGB " && !(has("rXYZ") && has("gXYZ") && has("bXYZ") && has("rTRC")) }
}

extension GainMapMetadata {
  var allNumbersAreFinite: Bool {
    ([baseHeadroom, alternateHeadroom] + min + max + gamma + baseOffset + alternateOffset).allSatisfy(\.isFinite)
  }

  func sameNumbers(as other: GainMapMetadata) -> Bool {
    (baseHeadroom, alternateHeadroom) == (other.baseHeadroom, other.alternateHeadroom) && min == other.min
      && max == other.max && gamma == other.gamma && baseOffset == other.baseOffset
      && alternateOffset == other.alternateOffset
  }
}

extension SourceImage {
  /// 8x8 pixels of sRGB.
  static var small: SourceImage {
    SourceImage(
      format: .png, image: .planar(width: 8, height: 8, model: .rgb, format: .uint8, bitDepth: 8),
      color: SourceColor(matrix: 0, fullRange: true, encoding: .cicp(primaries: 1, transfer: 13)),
      geometry: Geometry(width: 8, height: 8))
  }
}
