@testable import HDRCore
import HDRPlan
@testable import ImageFiles
import Kernels

extension Target {
  /// SMPTE ST 2094-50: a payload, SEI messages, OBUs. The first byte says which.
  static let tone = Target("st2094-50", maxLength: 1024, mutate: ToneGrammar.mutate) { bytes in
    guard let kind = bytes.first else { return }
    let body = Array(bytes.dropFirst())
    switch kind % 3 {
    case 0: payload(body)
    case 1: if let found = PictureMessages(units: [body[...]]).toneMetadata { payload(found) }
    default: if let found = PictureMessages(obus: body[...]).toneMetadata { payload(found) }
    }
    demandFound(body)
  }

  private static func payload(_ bytes: [UInt8]) {
    guard let metadata = try? HeadroomAdaptiveMetadata(parsing: bytes) else { return }
    demandInOrder(metadata)
    // Bytes before and after change nothing; of two codes before, the second is the payload's.
    let code = HeadroomAdaptiveMetadata.t35
    for other in [
      HeadroomAdaptiveMetadata.payload(ofT35: bytes[...]) == nil ? code + bytes : bytes, bytes + [0xFF],
    ] {
      demand((try? HeadroomAdaptiveMetadata(parsing: other)) == metadata, "other metadata than before")
    }
    let written = ToneGrammar.bytes(metadata)
    demand((try? HeadroomAdaptiveMetadata(parsing: written))?.isNear(metadata) == true, "another payload than was read")
    _ = (metadata.text, metadata.space)
    for display in [0, 0.5, 2, 3.7, 6.5] {
      let shares = metadata.shares(displayStops: display).map(\.share)
      demand(shares.allSatisfy { 0...1 ~= $0 } && shares.reduce(0, +) < 1 + 1e-9, "shares of more than all")
      demand(metadata.resultStops(displayStops: display).isFinite, "a headroom that is not finite")
      for light in [[0, 0, 0], [1, 0.2, 0.001], [4, 900, 1e-9], [-1, 2, 64]] {
        let gains = metadata.log2Gains(light, displayStops: display)
        demand(gains.allSatisfy { !$0.isNaN }, "a gain of NaN")
      }
    }
    var source = SourceImage.small
    source.color.encoding = .cicp(primaries: 9, transfer: 16)
    source.light.toneMetadata = bytes
    for (encoding, sink) in [(OutputSignal.Encoding.sdr, SinkKind.rgba8), (.pq, .rgba16)] {
      let display = DisplayChoice.headroom(Headroom(stops: encoding == .sdr ? 0 : 1.3))
      let plan = try? Planner.plan(
        source, RenderRecipe(target: OutputSignal(encoding: encoding, sink: sink), display: display))
      demand(plan != nil, "no plan for metadata that can be read")
    }
  }

  private static func demandInOrder(_ metadata: HeadroomAdaptiveMetadata) {
    let headrooms = metadata.alternates.map(\.headroom)
    demand(zip(headrooms, headrooms.dropFirst()).allSatisfy { $0 < $1 }, "headrooms out of order")
    demand(headrooms.allSatisfy { 0...6 ~= $0 } && headrooms.count <= 4, "headrooms out of range")
    for alternate in metadata.alternates {
      let curve = alternate.curve
      demand(
        (1...32).contains(curve.x.count) && curve.gain.count == curve.x.count && curve.slope.count == curve.x.count,
        "a curve that is not whole")
      demand(zip(curve.x, curve.x.dropFirst()).allSatisfy { $0 <= $1 }, "control points out of order")
      demand((curve.gain + curve.slope).allSatisfy(\.isFinite), "a number that is not finite")
      let sum = alternate.mix.shares.reduce(0, +)
      demand(abs(sum - 1) < 1e-9 && alternate.mix.shares.allSatisfy { $0 >= 0 }, "a mix of more than all")
    }
  }

  /// A message around any payload is found again, in both kinds of stream.
  private static func demandFound(_ body: [UInt8]) {
    let message = HeadroomAdaptiveMetadata.t35 + body
    demand(
      PictureMessages(units: [ToneGrammar.sei(message)[...]]).toneMetadata == body, "an SEI message that is not found")
    // The end of an OBU is cut off where metadata are left without it.
    func isFound(_ found: [UInt8]?, _ whole: [UInt8]) -> Bool {
      guard let found else { return false }
      if found == Array(whole.prefix(HeadroomAdaptiveMetadata.maxBytes)) { return true }
      guard let metadata = try? HeadroomAdaptiveMetadata(parsing: whole) else { return false }
      return (try? HeadroomAdaptiveMetadata(parsing: found)) == metadata
    }
    demand(
      isFound(PictureMessages(obus: ToneGrammar.obus(message)[...]).toneMetadata, body), "an OBU that is not found")
    // What the writers make is found, too.
    demand(
      PictureMessages(units: [MessageWriter.unit(type: 4, message)[...]]).toneMetadata == body, "an SEI of ours is lost"
    )
    let obu = PictureMessages(obus: MessageWriter.obu(type: 4, message)[...]).toneMetadata
    demand(isFound(obu, body + [0x80]), "an OBU of ours is lost")
    if (try? HeadroomAdaptiveMetadata(parsing: body)) != nil, body.count < HeadroomAdaptiveMetadata.maxBytes {
      demand(obu == body, "an OBU of ours is read with its end")
    }
  }
}

extension HeadroomAdaptiveMetadata {
  /// Equal but for the last digits of what is not stored as it is used.
  fileprivate func isNear(_ other: HeadroomAdaptiveMetadata) -> Bool {
    guard referenceWhite == other.referenceWhite, baselineHeadroom == other.baselineHeadroom,
      usesReferenceWhiteToneMapping == other.usesReferenceWhiteToneMapping, alternates.count == other.alternates.count
    else { return false }
    return zip(alternates, other.alternates).allSatisfy { a, b in
      a.curve.headroom == b.curve.headroom && a.curve.x == b.curve.x && a.curve.gain == b.curve.gain
        && zip(a.mix.shares, b.mix.shares).allSatisfy { abs($0 - $1) < 1e-3 }
        && zip(a.curve.slope, b.curve.slope).allSatisfy { abs($0 - $1) <= 1e-4 * (1 + $0 * $0) }
    }
  }
}
