import HDRCore

/// The statements of a stream's RPUs so far, in the order in which frames are decoded.
package struct DolbyState: Sendable {
  private var sequence: DolbySequence?
  private var mappings: [Int: DolbyMapping] = [:]
  private var colors: DolbyDisplay.Colors?

  package init() {}

  /// An RPU with what it takes from those before it.
  package struct Frame: Sendable, Equatable {
    package var rpu: DolbyRPU
    package var mapping: DolbyMapping
    package var colors: DolbyDisplay.Colors

    package var reshape: DolbyReshape { DolbyReshape(mapping, rpu.sequence, colors) }
  }

  /// Reads the RPU of the next frame.
  ///
  /// - Parameters:
  ///   - payload: as of `DolbyRPU.init(parsing:after:)`.
  ///   - startsOver: true if nothing before the frame is needed to decode it; what earlier RPUs stated is forgotten then.
  package mutating func read(_ payload: ArraySlice<UInt8>, startsOver: Bool) throws(DecodeError) -> Frame {
    if startsOver { self = DolbyState() }
    let rpu = try DolbyRPU(parsing: payload, after: sequence)
    sequence = rpu.sequence
    let mapping: DolbyMapping
    switch rpu.mapping {
    case .own(let own):
      mappings[own.id] = own
      mapping = own
    case .earlier(let id):
      guard let earlier = mappings[id] else {
        throw .malformed(where: DolbyRPU.place, what: "it uses mapping \(id), which no RPU before it has")
      }
      mapping = earlier
    }
    colors = rpu.display?.colors ?? colors
    guard let colors else {
      throw .malformed(where: DolbyRPU.place, what: "neither it nor an RPU before it has matrices of colour")
    }
    return Frame(rpu: rpu, mapping: mapping, colors: colors)
  }
}
