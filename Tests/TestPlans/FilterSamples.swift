import HDRPlan

/// Gives values to tests that take every filter of the list.
package enum FilterSamples {
  /// Values that change something, for filters whose defaults change nothing.
  package static let values: [String: [String: FilterValue]] = [
    "exposure": ["ev": .number(1)], "gamma": ["power": .number(1.3)], "hue-adjust": ["angle": .number(0.4)],
    "color-controls": ["contrast": .number(1.2)], "vibrance": ["amount": .number(0.5)],
    "tone-curve": ["point1": .numbers([0.25, 0.2])], "highlight-shadow": ["highlight-amount": .number(0.5)],
    "color-matrix": ["r-vector": .numbers([0.9, 0.1, 0, 0])],
    "color-polynomial": ["red-coefficients": .numbers([0, 0.9, 0.1, 0])],
    "temperature-tint": ["neutral": .numbers([5000, 0])], "vignette": ["intensity": .number(0.5)],
    "cdl": ["slope": .numbers([1.2, 1, 0.9]), "power": .numbers([1.1, 0.9, 1.3]), "sat": .number(0.8)],
    "ocio": ["to": .word("show")], "look": ["name": .word("warm")],
    "color-cross-polynomial": ["red-coefficients": .numbers([0.9, 0, 0.1, 0.1, 0, 0, 0, 0, 0, 0])],
    "convert-lab-to-rgb": ["normalize": .flag(true)],
    "mix": ["amount": .number(0.5)], "clamp": ["extent": .numbers([5, 6, 30, 40])],
    "perspective-rotate": ["pitch": .number(8)], "maximum-scale-transform": ["scale": .number(0.5)],
    "perspective-transform-with-extent": ["extent": .numbers([2, 3, 90, 80])],
    "keystone-correction-vertical": tilted, "keystone-correction-horizontal": tilted,
    "keystone-correction-combined": tilted,
  ]

  /// Corners of a door that was taken from below.
  private static let tilted: [String: FilterValue] = [
    "top-left": .numbers([14, 9]), "top-right": .numbers([70, 5]), "bottom-right": .numbers([80, 60]),
    "bottom-left": .numbers([8, 66]),
  ]
}
