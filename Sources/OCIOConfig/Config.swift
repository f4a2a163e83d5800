import HDRCore

/// A config of OpenColorIO says which spaces, displays, views and looks there are, as its file states it: nothing is
/// resolved. Versions 1 to 2.6.
package struct Config: Sendable {
  /// The name of its file, or of a built-in one, for messages.
  package internal(set) var source: String
  /// The folder of its file, for relative paths; empty for the process's folder and for built-in ones.
  package internal(set) var folder: String
  package internal(set) var version: ConfigVersion
  /// The name that the config gives itself.
  package internal(set) var name: String?
  /// Variables with their defaults; `nil` if the config names none: then all of the process may be used.
  package internal(set) var environment: [String: String]?
  package internal(set) var searchPath: [String] = []
  /// Roles in their order, with the spaces that they stand for.
  package internal(set) var roles: [(role: String, space: String)] = []
  package internal(set) var fileRules: [FileRule] = []
  package internal(set) var viewingRules: [ViewingRule] = []
  /// All displays, active or not, in their order, with shared views in their places.
  package internal(set) var displays: [Display] = []
  package internal(set) var activeDisplays: [String] = []
  package internal(set) var activeViews: [String] = []
  package internal(set) var inactiveSpaces: [String] = []
  package internal(set) var looks: [Look] = []
  package internal(set) var defaultViewTransform: String?
  package internal(set) var viewTransforms: [ViewTransform] = []
  /// Spaces of scenes and displays, in their order: those of displays first.
  package internal(set) var spaces: [Space] = []
  package internal(set) var namedTransforms: [NamedTransform] = []
  /// The lists of names, made last.
  var names = ConfigNames<ConfigItem>(), lookNumbers = ConfigNames<Int>(), viewNumbers = ConfigNames<Int>()
  /// Warnings say what the reader has left out: `config.key`, `config.name`.
  package internal(set) var warnings: [Warning] = []

  init(source: String, folder: String, version: ConfigVersion) {
    (self.source, self.folder, self.version) = (source, folder, version)
  }
}

extension Config {
  /// A reference connects spaces: light of the scene, or light of a display (CIE XYZ, D65, 1.0 = 100 cd/m²).
  package enum Reference: Sendable, Hashable {
    case scene, display
  }

  package struct Space: Sendable {
    package var name: String
    package var aliases: [String] = []
    package var family = "", description = ""
    /// `scene-linear`, `log`, `sdr-video`, `hdr-video`, `display-linear`, `data` and others; empty if not stated.
    package var encoding = ""
    package var interopID: String?
    package var isData = false
    package var reference: Reference
    var toReference: Transform?
    var fromReference: Transform?
    package var place: ConfigPlace
  }

  package struct NamedTransform: Sendable {
    package var name: String
    package var aliases: [String] = []
    package var family = "", description = "", encoding = ""
    var forward: Transform?
    var inverse: Transform?
    package var place: ConfigPlace
  }

  package struct Look: Sendable {
    package var name: String
    package var processSpace: String
    package var description = ""
    var forward: Transform?
    var inverse: Transform?
    package var place: ConfigPlace
  }

  /// A view transform makes light of a display of the scene's: the part of a view that all displays share.
  package struct ViewTransform: Sendable {
    package var name: String
    package var description = ""
    /// The light that it starts from: of the scene, or of a display if it changes that.
    package var reference: Reference
    var toReference: Transform?
    var fromReference: Transform?
    package var place: ConfigPlace
  }

  package struct Display: Sendable {
    package var name: String
    /// Its views in the order of the config.
    package var views: [View]
  }

  package struct View: Sendable {
    package var name: String
    /// A space, a display's space or a named transform; `<USE_DISPLAY_NAME>` is replaced by the display's name.
    package var space: String
    package var viewTransform: String?
    /// The looks as the config writes them; empty for none.
    package var looks = ""
    package var rule: String?
    package var description = ""
    package var place: ConfigPlace
  }

  package struct ViewingRule: Sendable {
    package var name: String
    package var spaces: [String] = []
    package var encodings: [String] = []
  }
}
