import HDRRecipe
import Testing

/// A setting that has no effect, or that cannot be carried out, is refused with its place.
@Suite struct RecipeCheckTests {
  static func fault(_ text: String) -> String {
    do {
      try RecipeText(parsing: Array(text.utf8), file: "r.yaml", folder: "").check()
      return ""
    } catch {
      return error.description
    }
  }

  /// A recipe, and what its message must hold.
  @Test(arguments: [
    ("quality: 3\noutputs: [{to: pq-png}]", "r.yaml:1:1: quality has no effect on pq-png, only on sdr-jpeg"),
    ("outputs: [{to: pq-png, quality: 3}]", "r.yaml:1:24: quality has no effect"),
    ("outputs: [{to: adaptive-avif, headroom: 3}]", "r.yaml:1:31: headroom has no effect on adaptive-avif"),
    ("outputs: [{to: adaptive-avif, map-metadata: iso}]", "HEIC and AVIF have one way, tmap"),
    ("outputs: [{to: sdr-png, headroom: 2}]", "r.yaml:1:25: sdr-png has a headroom of 1"),
    ("headroom: 2\ndisplay: sdr\noutputs: [{to: pq-png}]", "display and headroom both say the display headroom"),
    ("outputs: [{to: pq-png, lut-space: pq}]", "r.yaml:1:24: lut-space needs lut"),
    ("outputs: [{to: pq-png, lut: [a, b, c], lut-space: [pq, pq]}]", "3 lut with 2 lut-space"),
    ("outputs: [{to: adaptive-jpeg, base: hdr}]", "base hdr needs adaptive-heic"),
    ("outputs: [{to: adaptive-jpeg, map-depth: 10}]", "map-depth 10 needs adaptive-heic"),
    ("outputs: [{to: linear-tiff, depth: 12}]", "r.yaml:1:29: linear-tiff has 16 or 32 bits"),
    ("outputs: [{to: pq-heic, depth: 32}]", "pq-heic has 10 or 12 bits"),
    ("outputs: [{to: adaptive-jpeg, content-headroom: measured}]", "map-headroom"),
    ("outputs: [{to: pq-png, strategy: hdr}]", "r.yaml:1:24: edit-strategy and allow-sdr-filter need filters"),
    ("steps: [exposure]\nstrategy: sdr+gain\noutputs: [{to: pq-png}]", "r.yaml:2:1: edit-strategy sdr+gain: exposure"),
    ("steps: [exposure]\noutputs: [{to: extract-base}]", "parts out as they are"),
    ("from: raw:p010,16x16\noutputs: [{to: pq-png}]", "r.yaml:1:1: raw and Y4M pictures do not say their primaries"),
    ("from: raw:p010,16x16\ncicp: 9/16/9\noutputs: [{to: pq-png}]", "full or limited range: range"),
    ("from: raw:rgb48,16x16\ncicp: 9/16/9\nrange: full\noutputs: [{to: pq-png}]", "has no matrix 9"),
    ("outputs: [{to: pq-png, cicp: 9/16/9}]", "cicp is of all inputs"),
    ("range: limited\noutputs: [{to: pq-png}]", "range has no effect on pq-png"),
    ("steps: [flip]\noutputs: [{to: recompress-jxl}]", "recompress-jxl keeps the picture as it is: leave out filters"),
    ("outputs: [{to: recompress-jxl, tone-map: clip}]", "r.yaml:1:32: recompress-jxl keeps the picture as it is"),
    ("primaries: p3\noutputs: [{to: recompress-jxl}]", "r.yaml:1:1: recompress-jxl keeps the picture as it is"),
    ("outputs: [{to: recompress-jxl, quality: 3}]", "r.yaml:1:32: quality has no effect on recompress-jxl"),
    ("outputs: [{to: pq-jxl, recompress: whole}]", "r.yaml:1:24: recompress has no effect on pq-jxl"),
    ("outputs: [{to: pq-png, hdr-view: hdr1000-p3}]", "r.yaml:1:24: hdr-view has no effect on pq-png"),
    ("outputs: [{to: pq-png, scene-exposure: 2}]", "r.yaml:1:24: scene-exposure needs view"),
    (
      "view: sdr-709\noutputs: [{to: pq-png, tone-map: clip}]",
      "r.yaml:2:24: view decides the light: leave out tone-map"
    ),
    ("headroom: 2\noutputs: [{to: pq-png, view: sdr-709}]", "r.yaml:1:1: view decides the light: leave out headroom"),
    ("outputs: [{to: exr, view: sdr-709, gamut: clip}]", "leave out gamut"),
    ("exr-luminance: absolute\noutputs: [{to: exr, view: sdr-p3}]", "leave out exr-luminance"),
    ("outputs: [{to: sdr-png, view: hdr1000-p3}]", "hdr1000-p3 is an HDR view, and sdr-png wants one of SDR"),
    ("outputs: [{to: adaptive-heic, view: sdr-p3}]", "adaptive-heic has two renditions: give hdr-view too"),
    (
      "view: sdr-709\noutputs: [{to: adaptive-jpeg, hdr-view: sdr-p3}]",
      "sdr-p3 is an SDR view: hdr-view wants one of HDR"
    ),
    ("outputs: [{to: adaptive-jpeg, hdr-view: hdr1000-p3}]", "hdr-view needs view"),
    ("steps: [flip]", "say what to make"),
    ("inputs: {a: b.png}\noutputs: [{to: pq-png}]", "r.yaml:1:13: no filter uses"),
  ])
  func mistakesAreNamedAtTheirPlace(text: String, message: String) {
    #expect(Self.fault(text).contains(message), "\(Self.fault(text))")
    #expect(Self.fault(text).hasPrefix("r.yaml:") || text.hasPrefix("steps: [flip]"))
  }

  /// A recipe's settings are no options in its file. Those of runs are nothing else.
  @Test func settingsOfAFileAreNoOptions() throws {
    let text = try RecipeText(parsing: Array("lut: a.cube\noutputs: [{to: pq-png}]".utf8), file: "r.yaml", folder: "")
    let error = text.error(
      .setting("lut", output: nil), "\(setting: "lut") a.cube: raise it with \(setting: "max-file-bytes")")
    #expect(error.message.text(dashes: true) == "r.yaml:1:1: lut a.cube: raise it with --max-file-bytes")
  }

  /// A setting for several outputs is for those that it has an effect on.
  @Test(arguments: [
    "quality: 80\noutputs: [{to: pq-png}, {to: sdr-jpeg, name: x}]",
    "headroom: 4\noutputs: [{to: pq-png}, {to: sdr-jpeg}, {to: adaptive-jpeg}]",
    "headroom: 1\noutputs: [{to: sdr-png}]",
    "view: sdr-709\nhdr-view: hdr1000-p3\npair-white: match\noutputs: [{to: adaptive-heic}, {to: sdr-jpeg}]",
    "view: ACES 2.0 - HDR 1000 nits (P3 D65)\nscene-exposure: -1\noutputs: [{to: pq-png}, {to: exr}]",
    "from: raw:p010,16x16\ncicp: 9/16/9\nrange: limited\noutputs: [{to: pq-png}, {to: 'pq-raw:p210'}]",
    "from: 'raw:p010,16x16,range=full'\ncicp: 9/16/9\noutputs: [{to: pq-png}]",
  ])
  func commonSettingsNeedToAffectOneOutput(text: String) { #expect(Self.fault(text) == "") }
}
