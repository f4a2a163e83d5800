import BatchEngine
import HDRCore
import PlainData

/// A report as one HTML file that needs nothing else: bars, rooflines, sentences, and the raw figures.
///
/// Text is HTML, so that it stays readable on a phone; only bars and rooflines are inline SVG.
package struct BenchPage {
  private let report: BenchReport

  package init(_ report: BenchReport) { self.report = report }

  package var html: String {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>hdrbatch bench, \(xmlEscaped(report.machine.date))</title>
    <style>\(Self.style)</style></head><body><main>
    <h1>hdrbatch bench</h1>
    <ul class="machine">\(report.machine.lines.map { "<li>\(xmlEscaped($0))</li>" }.joined())</ul>
    \(sentences)
    \(rooflines)
    \(report.sections.map { chart($0.section, $0.figures) }.joined(separator: "\n"))
    \(problems)
    <details><summary>All figures</summary>\(table)</details>
    <p class="method">Each figure is the median of its runs after a warm-up; the thin line spans the middle half of the
    runs. Figures of one run can be compared with each other; figures of two runs only on a quiet machine.</p>
    </main></body></html>

    """
  }

  private var sentences: String {
    let all = report.sentences
    if all.isEmpty { return "" }
    return "<section><h2>What limits what</h2><ul>\(all.map { "<li>\(xmlEscaped($0))</li>" }.joined())</ul></section>"
  }

  private var problems: String {
    if report.problems.isEmpty { return "" }
    return
      "<section><h2>Left out</h2><ul>\(report.problems.map { "<li>\(xmlEscaped($0))</li>" }.joined())</ul></section>"
  }

  /// Returns the bars of one section; figures of different units stand apart, each group on a scale of its own.
  private func chart(_ section: BenchFigure.Section, _ figures: [BenchFigure]) -> String {
    var text = "<section id=\"\(section.rawValue)\"><h2>\(xmlEscaped(section.title))</h2>"
    for unit in BenchFigure.Unit.allCases {
      let group = figures.filter { $0.unit == unit }
      let top = group.map { max($0.spread.upperQuartile, $0.spread.median) }.max() ?? 0
      guard top > 0 else { continue }
      text += "<h3>\(unit.rawValue), \(unit.isCost ? "less" : "more") is better</h3>"
      text += group.map { bar($0, top: top) }.joined()
    }
    return text + "</section>"
  }

  private func bar(_ figure: BenchFigure, top: Double) -> String {
    func x(_ value: Double) -> String { decimals(min(max(value / top, 0), 1) * 100, 2) }
    let s = figure.spread
    // A bus has no backend.
    let isDevice = figure["backend"].map { $0.string == "gpu" } ?? figure["device"].map { $0.string != "cpu" } ?? false
    return """
      <div class="row"><div class="label"><span>\(xmlEscaped(figure.name))</span>\
      <b>\(significant(s.median))&nbsp;\(figure.unit.rawValue)</b></div>\
      <svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" \
      aria-label="\(significant(s.median)) \(figure.unit.rawValue)">\
      <rect class="\(isDevice ? "device" : "host")" width="\(x(s.median))" height="10"/>\
      <path d="M\(x(s.lowerQuartile)) 5H\(x(s.upperQuartile))"/></svg></div>
      """
  }

  private var rooflines: String {
    let charts = Roofline.all(of: report).map {
      "<figure>\($0.svg)<figcaption>\(xmlEscaped($0.title))</figcaption></figure>"
    }
    if charts.isEmpty { return "" }
    return "<section id=\"roofline\"><h2>Rooflines</h2>\(charts.joined())</section>"
  }

  private var table: String {
    let head = ["section", "name", "median", "unit", "q1", "q3", "min", "max", "runs"]
    let rows = report.figures.map { figure in
      let s = figure.spread
      return [
        figure.section.rawValue, figure.name, significant(s.median), figure.unit.rawValue,
        significant(s.lowerQuartile), significant(s.upperQuartile), significant(s.least),
        significant(s.greatest), "\(s.runs)",
      ]
    }
    return "<div class=\"scroll\"><table><tr>\(head.map { "<th>\($0)</th>" }.joined())</tr>"
      + rows.map { "<tr>\($0.map { "<td>\(xmlEscaped($0))</td>" }.joined())</tr>" }.joined(separator: "\n")
      + "</table></div>"
  }

  private static let style = """
    :root{color-scheme:light dark;--ink:#1d2126;--soft:#5d6671;--line:#d8dce1;--paper:#fff;--host:#3b73b9;--device:#d9772b}
    @media(prefers-color-scheme:dark){:root{--ink:#e8eaed;--soft:#a3abb5;--line:#3a4048;--paper:#15181c;--host:#6aa3e8;--device:#f0a35e}}
    body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.45 system-ui,sans-serif}
    main{max-width:46rem;margin:0 auto;padding:1rem}
    h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:1.8rem 0 .4rem}
    h3{font-size:.85rem;font-weight:500;color:var(--soft);margin:.9rem 0 .3rem}
    .machine{list-style:none;padding:0;color:var(--soft);font-size:.85rem}
    ul{padding-left:1.1rem}li{margin:.2rem 0;overflow-wrap:anywhere}
    .row{margin:.35rem 0}.label{display:flex;justify-content:space-between;gap:.8rem;font-size:.85rem}
    .label span{overflow-wrap:anywhere}.label b{white-space:nowrap;font-variant-numeric:tabular-nums}
    .bar{display:block;width:100%;height:.6rem;background:var(--line);border-radius:2px}
    .host{fill:var(--host)}.device{fill:var(--device)}.bar path{stroke:var(--ink);stroke-width:2;fill:none}
    figure{margin:1rem 0}figcaption{font-size:.85rem;color:var(--soft)}
    .roof{width:100%;max-width:34rem;display:block}.roof text{fill:var(--ink);font:10px system-ui,sans-serif}
    .roof .grid{stroke:var(--line)}.roof .line{stroke:var(--ink);stroke-width:1.5;fill:none}
    .roof circle{fill:var(--device)}
    .scroll{overflow-x:auto}table{border-collapse:collapse;font-size:.8rem;font-variant-numeric:tabular-nums}
    td,th{border-bottom:1px solid var(--line);padding:.2rem .5rem;text-align:left;white-space:nowrap}
    .method{color:var(--soft);font-size:.85rem}
    """
}
