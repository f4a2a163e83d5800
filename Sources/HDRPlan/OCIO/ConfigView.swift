import HDRCore
import OCIOConfig

/// A view of a config's display, ready for plans.
package struct ConfigView: Sendable, Hashable {
  package var display: String
  package var name: String
  /// The looks before the view, as the config or the caller writes them; empty for none.
  package var looks: String
  /// From scene light in linear BT.2020 to light of the display in linear BT.2020, 1.0 = 100 cd/m².
  package var chain: LUTChain
  package var signal: DisplaySignal
  /// The output transform of ACES in the chain, which says how bright the light becomes; `nil`: nobody says it.
  package var aces: ACESView?

  package init(
    display: String, name: String, looks: String, _ chain: LUTChain, _ signal: DisplaySignal, aces: ACESView?
  ) {
    (self.display, self.name, self.looks) = (display, name, looks)
    (self.chain, self.signal, self.aces) = (chain, signal, aces)
  }
}

/// A view that shows scene light: an output transform of ACES, or a view of a config.
package enum SceneView: Sendable, Hashable {
  case aces(ACESView), config(ConfigView)

  /// The name in records: `sdr-709`, or a config's own.
  package var name: String {
    switch self {
    case .aces(let view): view.name
    case .config(let view): view.name
    }
  }

  /// The name with what it is of, for reports.
  package var title: String {
    switch self {
    case .aces(let view): view.title
    case .config(let view): "\(view.name) of \(view.display)" + (view.looks.isEmpty ? "" : " with \(view.looks)")
    }
  }

  /// The output transform of ACES that it is, or has inside.
  package var aces: ACESView? {
    switch self {
    case .aces(let view): view
    case .config(let view): view.aces
    }
  }

  /// The luminance of the brightest white in cd/m²; `nil`: unknown.
  package var peak: Double? { isSDR ? 100 : aces?.peak }

  package var isSDR: Bool {
    switch self {
    case .aces(let view): view.isSDR
    case .config(let view): view.signal.isSDR
    }
  }

  /// The cd/m² that are reference white: the white of SDR, and that of HDR as in BT.2408.
  package var referenceWhite: Double { isSDR ? 100 : ReferenceWhite.nits }

  /// The H.273 code of the narrowest display primaries that hold the view: 1, 12 or 9.
  package var primaries: Int {
    guard case .config(let view) = self else { return aces?.primaries ?? CICP.Primaries.bt2020 }
    let order = [CICP.Primaries.bt709, CICP.Primaries.p3, CICP.Primaries.bt2020]
    let codes = [view.signal.primaries] + (view.aces.map { [$0.primaries] } ?? [])
    return order.first(where: codes.contains) ?? CICP.Primaries.bt2020
  }

  /// Returns the operations from scene light to the view's light, 1.0 = `white` cd/m²; both in linear BT.2020.
  func operations(white: Double) -> [PixelOperation] {
    switch self {
    case .aces(let view): view.operations(white: white)
    case .config(let view): view.chain.configSteps + [.matrix(.identity * (100 / white))]
    }
  }

  /// The chain of a config's view; `nil` for others.
  package var chain: LUTChain? { if case .config(let view) = self { view.chain } else { nil } }
}
