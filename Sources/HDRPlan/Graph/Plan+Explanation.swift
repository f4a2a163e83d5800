import HDRCore

/// A plan in words and as a graph: what was decided, then what runs and what memory it moves.

extension Plan {
  /// Readable lines: decisions in order, then the passes.
  package var explanation: [String] { decisions + work }

  private var decisions: [String] {
    let r = report, cicp = r.outputCICP
    var lines = ["content   \(r.inputKind), headroom \(short(r.contentHeadroom)) (from \(r.contentHeadroomSource))"]
    if r.readsScene || r.writesScene {
      let ways = [r.readsScene ? "read" : nil, r.writesScene ? "written" : nil].compactMap { $0 }
      lines.append("HLG       \(ways.joined(separator: " and ")) as light of the scene, without OOTF")
    }
    if let weight = r.gainMapWeight {
      lines.append("gain map  weight \(short(weight)), formula \(r.gainMapFormula ?? "none")")
    }
    if !r.idleEdits.isEmpty { lines.append(PlanReport.explanation(idleEdits: r.idleEdits)) }
    if !r.edits.isEmpty {
      lines.append(
        "edits     from headroom \(short(r.editedFrom))" + (r.editedRendition.map { ", \($0.text)" } ?? ""))
    }
    let width = r.edits.map(\.name.count).max() ?? 0
    for edit in r.edits {
      // A tone operator is listed among filters if one of them takes SDR only.
      let effect = Filters.named(edit.name)?.headroomEffect.rawValue ?? "tone mapped"
      let headroom = edit.headroom.map { "\(effect), \(short($0))" } ?? "unknown (0)"
      lines.append("          \(padded(edit.name, width))  headroom \(headroom)")
    }
    lines.append(
      "display   headroom \(short(r.displayHeadroom))"
        + (r.white == ReferenceWhite.nits ? "" : ", a reference display of white \(short(r.white)) cd/m²")
        + (r.takesSDRPath ? ", and below sdr-below: rendered as for an SDR display" : ""))
    lines += r.config.map { "ocio      " + $0 }
    lines.append("operator  \(r.operatorName): \(r.operatorReason)")
    if let text = r.cameraLook { lines.append("look      \(text)") }
    if let text = r.toneMetadata { lines.append("metadata  ST 2094-50: \(text)") }
    if !r.operatorSpace.isEmpty { lines.append("works in  \(r.operatorSpace)") }
    if !r.operatorParameters.isEmpty {
      lines.append(
        "with      " + r.operatorParameters.map { "\($0.name) \(short($0.value))" }.joined(separator: ", "))
    }
    lines.append("gamut     \(r.gamutRule)")
    lines.append(
      "output    headroom \(short(r.outputHeadroom)), "
        + (r.outputProfile.map { "ICC profile \($0)" } ?? r.outputSpace
          ?? "CICP \(cicp.primaries)/\(cicp.transfer)/\(cicp.matrix)")
        + (r.hasAlpha ? ", with alpha" : ""))
    return lines
  }

  private var work: [String] {
    if let kept { return ["passes    none: planes of \(kept.sampleText) are coded as they are"] }
    let planes = planeBytes
    var head = "passes    \(passes.count), kernels \(kernelCount)"
    if planes.total > 0 {
      head += "; planes between them \(megabytes(planes.total)), at most \(megabytes(planes.peak)) at a time"
    }
    var lines = [head]
    for (index, pass) in passes.enumerated() {
      let sources = pass.sources.map { source in
        switch source {
        case .image(let image): "picture \(image.width)x\(image.height) \(image.sampleText)"
        case .earlier(let from, _): "pass \(from)"
        }
      }
      lines.append(
        "  \(index)  \(pass.name), \(pass.width)x\(pass.height), of "
          + (sources.isEmpty ? "nothing" : sources.joined(separator: " and "))
          + ": reads \(short(bytesRead(by: index) / pass.pixels)), writes \(short(pass.bytesWritten / pass.pixels)) "
          + "bytes a pixel")
      lines.append("     " + pass.stageNames.joined(separator: " > "))
    }
    return lines
  }

  /// The passes as a graph in GraphViz's language.
  package var dot: String {
    func quoted(_ lines: [String]) -> String {
      // A label's line breaks; names of stages and sizes need no other escapes.
      "\"" + lines.joined(separator: "\\n") + "\""
    }
    var text = "digraph plan {\n  rankdir=LR; node [shape=box, fontname=\"sans-serif\"];\n"
    if let kept {
      return text + "  s [shape=ellipse, label=" + quoted(["\(kept.width)x\(kept.height)", kept.sampleText])
        + "];\n  out [shape=ellipse, label=\"output\"];\n  s -> out;\n}\n"
    }
    for (index, pass) in passes.enumerated() {
      text +=
        "  p\(index) [label="
        + quoted(["\(index)  \(pass.name)", "\(pass.width)x\(pass.height)"] + pass.stageNames) + "];\n"
      for (number, source) in pass.sources.enumerated() {
        let bytes = megabytes(self.bytes(of: source))
        switch source {
        case .image(let image):
          text +=
            "  s\(index)_\(number) [shape=ellipse, label="
            + quoted(["\(image.width)x\(image.height)", image.sampleText]) + "];\n"
            + "  s\(index)_\(number) -> p\(index) [label=\"\(bytes)\"];\n"
        case .earlier(let from, _):
          text += "  p\(from) -> p\(index) [label=\"\(bytes)\"];\n"
        }
      }
    }
    if let last = passes.last {
      text += "  out [shape=ellipse, label=\"output\"];\n"
      text += "  p\(passes.count - 1) -> out [label=\"\(megabytes(last.bytesWritten))\"];\n"
    }
    return text + "}\n"
  }

  // MARK: Figures

  /// The bytes that all passes read and write, each once a pass, over the pixels of the result.
  package var bytesPerPixel: Double {
    passes.indices.reduce(0) { $0 + bytesRead(by: $1) + passes[$1].bytesWritten } / passes[passes.count - 1].pixels
  }

  /// Returns the bytes that a pass reads, each once.
  package func bytesRead(by pass: Int) -> Double {
    passes[pass].sources.reduce(0) { $0 + bytes(of: $1) }
  }

  private func bytes(of source: PassSource) -> Double {
    switch source {
    case .image(let image):
      let planes = image.channels + (image.alpha.map { [$0] } ?? [])
      return planes.reduce(0) { $0 + Double($1.width) * Double($1.height) * Double(image.format.bytes) }
    case .earlier(let from, _): return passes[from].bytesWritten
    }
  }

  /// The bytes of the planes that passes hand on: of all, and of those that exist at the same time when whole pictures
  /// are rendered. Devices that render bands hold less.
  package var planeBytes: (total: Double, peak: Double) {
    let uses = lastUses
    var total = 0.0, now = 0.0, peak = 0.0
    for (index, pass) in passes.enumerated() where index < passes.count - 1 {
      total += pass.bytesWritten
      now += pass.bytesWritten
      peak = max(peak, now)
      for earlier in 0...index where uses[earlier] == index { now -= passes[earlier].bytesWritten }
    }
    return (total, peak)
  }
}

extension PlanReport {
  /// Returns the line for filters that were left out.
  package static func explanation(idleEdits: [String]) -> String {
    "left out  \(idleEdits.joined(separator: ", ")): nothing would change"
  }
}

extension Pass {
  var pixels: Double { Double(max(1, width)) * Double(max(1, height)) }

  fileprivate var stageNames: [String] { stages.map(\.kind.rawValue) + [sink.kind.rawValue] }

  /// The bytes of the output without padding of rows.
  package var bytesWritten: Double {
    switch sink.kind {
    case .rgba16f, .rgba16: 8 * pixels
    case .rgba8: 4 * pixels
    case .floatPlanes: 4 * Double(sink.channels) * pixels
    case .planarYCC:
      (0..<sink.channels).reduce(0) {
        $0 + 2 * Double(sink.planeWidth($1, width: width)) * Double(sink.planeHeight($1, height: height))
      }
    }
  }
}

extension SampleImage {
  /// The format as text: "ycc uint16 10 bit" and the like.
  fileprivate var sampleText: String {
    "\(model.rawValue) \(format.rawValue)"
      + (format == .uint8 || format == .uint16 ? " \(bitDepth) bit" : "")
      + (model == .ycc ? " \(chroma.rawValue)" : "")
  }
}

private func padded(_ text: String, _ width: Int) -> String {
  text + String(repeating: " ", count: max(0, width - text.count))
}

private func megabytes(_ bytes: Double) -> String {
  bytes < 99_950 ? "\(short(bytes / 1e3)) kB" : "\(short((bytes / 1e5).rounded() / 10)) MB"
}
