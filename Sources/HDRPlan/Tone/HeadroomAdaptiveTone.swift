import HDRCore

/// The curves stored with the picture: SMPTE ST 2094-50 metadata, evaluated for a display (clauses 6.2 to 6.5 of the
/// second public committee draft; docs/tone-formulas.md#reference-white).
///
/// It uses the baseline headroom of the metadata, even if the content headroom is known from elsewhere. Without
/// metadata this is `ReferenceWhiteTone`, which equals the standard's default form.
package enum HeadroomAdaptiveTone: ToneOperator {
  package static let name = "st2094-50"
  package static let summary = "the picture's own gain curves (SMPTE ST 2094-50 metadata)"
  package static let space = "linear light in the primaries that the metadata say, a mix of components that they say"

  package static func operations(content: Headroom, display: Headroom, _ values: ToneValues) -> [ToneOperation] {
    ReferenceWhiteTone.operations(content: content, display: display, values)
  }
}
