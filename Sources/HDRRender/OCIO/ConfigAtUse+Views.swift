import HDRCore
import HDRPlan
import HDRRecipe
import OCIOConfig
import PlainData

/// A view by its name, ready for plans.
struct ShownView {
  var view: SceneView
  /// Looks that the view has not inside, as it is one of the program's own.
  var look: LUTChain?
  var use = ConfigUse()
}

extension ConfigAtUse {
  /// Resolves a view for files that take a signal.
  ///
  /// - Parameters:
  ///   - display: the display; `nil`: the first active one that has the view and whose light the files take.
  ///   - looks: in the place of the view's own; `nil`: those.
  ///   - kind: of the output, for messages.
  ///   - fits: returns true for the signals that the files take.
  /// - Throws: `HDRError`: `view.unknown`, `ocio.display`, `ocio.output`, and what its transforms throw.
  func view(
    _ name: ViewName, display: String?, looks: String?, for kind: String, fits: (DisplaySignal) -> Bool
  ) throws(HDRError) -> ShownView {
    let names = [name.text] + (name.known.map { [$0.title] } ?? [])
    let displays = try self.displays(display)
    var refused: [String] = []
    for shown in displays {
      guard let view = names.lazy.compactMap({ self.config.view($0, display: shown) }).first else { continue }
      let signal = try self.signal(view, shown)
      if fits(signal) { return try resolve(view, shown, looks, signal) }
      refused.append(shown)
    }
    if !refused.isEmpty {
      throw HDRError(
        code: "ocio.display",
        message:
          "the view \(printable(name.text)) is of \(refused.map { printable($0) }.joined(separator: ", ")), whose "
          + "signal \(kind) does not take: choose another view or kind, or \(setting: "ocio-display")")
    }
    guard let known = name.known, display == nil else { throw unknownView(name, displays) }
    guard !bridge.isAssumed else {
      throw HDRError(
        code: "view.unknown",
        message: "\(title) has no view \(printable(name.text)), and none of ACES: it has no role aces_interchange, so "
          + "nobody knows its primaries; hdrbatch doctor lists its views")
    }
    guard let looks, !looks.isEmpty else { return ShownView(view: .aces(known)) }
    let made = try self.looks(looks)
    return ShownView(view: .aces(known), look: made.chain, use: made.use)
  }

  /// The active displays with their views, a line each: what a config can show.
  var viewList: [String] {
    config.displayNames.map { display in
      "\(printable(display)): \(config.viewNames(display: display).map { printable($0) }.joined(separator: "; "))"
    }
  }

  /// The active displays, what their views are for, and the views with the uses that their rules name.
  var shown: [(name: String, signal: String, views: [(name: String, uses: [String])])] {
    config.displayNames.map { display in
      let views = config.viewNames(display: display).compactMap { config.view($0, display: display) }
      let signal = views.lazy.compactMap { try? self.signal($0, display) }.first
      return (display, signal?.kinds ?? "not described", views.map { ($0.name, config.uses(of: $0)) })
    }
  }

  private func displays(_ wanted: String?) throws(HDRError) -> [String] {
    guard let wanted else { return config.displayNames }
    let all = config.displays.map(\.name)
    guard let found = all.first(where: { $0.lowercased() == wanted.lowercased() }) else {
      let near = Nearest.hint(wanted, among: all)
      let hint = near.isEmpty ? "; there are \(config.displayNames.joined(separator: ", "))" : near
      throw HDRError(
        code: "ocio.display", message: "\(title) has no display \"\(printable(wanted))\"\(printable(hint))")
    }
    return [found]
  }

  private func unknownView(_ name: ViewName, _ displays: [String]) -> HDRError {
    let own = displays.flatMap { config.viewNames(display: $0) }
    let names = name.known == nil ? own + ACESView.all.map(\.name) : own
    return HDRError(
      code: "view.unknown",
      message: "\(title) \(printable(SettingFault.unknownView(name.text, among: names).message))")
  }

  /// Returns the signal of a view's codes.
  private func signal(_ view: Config.View, _ display: String) throws(HDRError) -> DisplaySignal {
    let space = config.space(view.space)
    func refused(_ reason: String) -> HDRError {
      HDRError(
        code: "ocio.display",
        message: "the view \(printable(view.name)) of \(printable(display)) in \(title) \(reason): take another view")
    }
    if space?.isData == true { throw refused("shows data as they are") }
    guard space?.reference == .display else {
      // Codes for a monitor that the config does not describe.
      let signal = DisplaySignal([], space) ?? DisplaySignal(.sdr, CICP.Primaries.bt709)
      if !signal.isSDR { throw refused("makes HDR codes by a space that is not among its display_colorspaces") }
      return signal
    }
    do throws(ConfigError) {
      let codes = try config.operations(from: .display, to: view.space, context)
      if let signal = DisplaySignal(codes, space) { return signal }
    } catch {
      throw HDRError(error)
    }
    throw refused("has codes of a space without an encoding")
  }

  private func resolve(
    _ view: Config.View, _ display: String, _ looks: String?, _ signal: DisplaySignal
  ) throws(HDRError) -> ShownView {
    do throws(ConfigError) {
      let made = try config.operations(display: display, view: view.name, from: bridge.space, looks: looks, context)
      var operations = [ConfigOperation(bridge.fromBT2020, in: config)]
      if made.reference == .display, made.hasLight {
        operations += made.light + [ConfigOperation(Self.lightFromXYZ, in: config)]
      } else {
        operations += made.all + decoding(signal)
      }
      let found = try chain(of: operations)
      let shown = ConfigView(
        display: display, name: view.name, looks: looks ?? view.looks, found.chain, signal,
        aces: made.light.lazy.compactMap(\.aces).last)
      return ShownView(view: .config(shown), use: found.use)
    } catch {
      throw HDRError(error)
    }
  }

  /// Returns the operations from codes of an SDR monitor to its light.
  private func decoding(_ signal: DisplaySignal) -> [ConfigOperation] {
    let matrix = Primaries(code: signal.primaries)?.matrix(to: .bt2020) ?? .identity
    let curve = ConfigOperation.Kind.exponentWithLinear(
      gamma: [2.4, 2.4, 2.4], offset: [0.055, 0.055, 0.055], .mirror)
    return [
      ConfigOperation(curve, place: ConfigPlace(config: config.source)), ConfigOperation(matrix, in: config),
    ]
  }

  private static let lightFromXYZ = Primaries.bt2020.rgbToXYZ?.inverse ?? .identity
}

extension ConfigOperation {
  /// The output transform of ACES that it is; `nil`: none.
  fileprivate var aces: ACESView? {
    let start = "ACES-OUTPUT - ACES2065-1_to_CIE-XYZ-D65 - "
    guard case .builtin(let style) = kind, !isInverse, style.name.hasPrefix(start) else { return nil }
    return ACESView.named(String(style.name.dropFirst(start.count)))
  }
}
