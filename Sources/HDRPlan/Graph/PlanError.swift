import HDRCore

/// An error that says why no plan can be made for a picture and a recipe.
package enum PlanError: Error, Sendable, Equatable, HasMessage {
  /// A colour code that the project does not decode (docs/colour-formulas.md#code-points).
  case unsupportedColor(field: String, code: Int)
  /// A name that is in no list.
  case unknownOperator(String, known: [String])
  /// An operator does not take these values.
  case invalidParameter(Message)
  /// The samples contradict their description.
  case inconsistent(String)
  /// A choice of the recipe that this picture needs and the caller did not make.
  case missingChoice(String)
  /// The picture of this kind is made for a display, and the recipe's view shows light of a scene.
  case displayLight(String)
  /// Making the plan took too long (`Deadline`).
  case late

  package var code: String {
    switch self {
    case .unsupportedColor: "plan.color"
    case .unknownOperator: "plan.operator"
    case .invalidParameter: "plan.parameter"
    case .inconsistent: "plan.inconsistent"
    case .missingChoice: "plan.choice"
    case .displayLight: "ocio.input"
    case .late: Deadline.code
    }
  }

  package var message: Message {
    switch self {
    case .unsupportedColor(let field, let code): "colour \(field) \(code) is not supported"
    case .unknownOperator(let name, let known):
      "no tone operator \"\(name)\"; there are \(known.joined(separator: ", "))"
    case .invalidParameter(let what): what
    case .inconsistent(let what): "\(what)"
    case .missingChoice(let what): "\(what)"
    case .displayLight(let kind):
      "\(setting: "view") shows light of a scene, and this picture (\(kind)) is made for a display: "
        + Self.wayToScene(kind)
    case .late: "making the plan takes too long"
    }
  }

  /// Returns what to do with a picture for a display; one of two renditions is made one first.
  private static func wayToScene(_ kind: String) -> Message {
    kind.hasPrefix("gain-map")
      ? "render it to pq-png or sdr-png first, and that with the inverse of its view as a filter (aces-inverse)"
      : "give \(setting: "from-space"), or OpenEXR or other floats of linear light, or the view that made it as a "
        + "filter: aces-inverse"
  }
}
