import HDRCore

/// An operation changes R, G and B as a config asks for; resolving a pipeline gives a list, in the order of work. Alpha
/// stays as it is; operations that are not linear take colour that is not premultiplied.
package struct ConfigOperation: Sendable, Hashable {
  package var kind: Kind
  /// True if the operation is to be undone.
  package var isInverse: Bool
  /// The place in the config that asked for it, for messages.
  package var place: ConfigPlace

  package init(_ kind: Kind, isInverse: Bool = false, place: ConfigPlace) {
    (self.kind, self.isInverse, self.place) = (kind, isInverse, place)
  }

  /// The operations of OCIO's transforms. Lists have a number for R, G and B each; all numbers are finite.
  package enum Kind: Sendable, Hashable {
    /// A matrix on columns, then an offset. Its inverse exists where it is asked for.
    case matrix(Matrix3, offset: [Double])
    /// x^value.
    case exponent([Double], ExponentStyle)
    /// ((x + offset) / (1 + offset))^gamma above a break, and a line below; gamma 1 is a line with no offset.
    case exponentWithLinear(gamma: [Double], offset: [Double], ExponentWithLinearStyle)
    /// log_base(max(x, 2^-126)).
    case log(base: Double)
    /// logSlope · log_base(max(linSlope · x + linOffset, 2^-126)) + logOffset.
    case logAffine(base: Double, [LogSides])
    /// `logAffine` holds above `breaks`, a line below. `linearSlopes` are the line's; `nil`: the logarithm's own there.
    case logCamera(base: Double, [LogSides], breaks: [Double], linearSlopes: [Double]?)
    case range(ConfigRange)
    /// ASC CDL: (x · slope + offset)^power, then saturation. `clamps`: within 0 to 1 before the power and at the end;
    /// else negative bases stay.
    case cdl(slope: [Double], offset: [Double], power: [Double], saturation: Double, clamps: Bool)
    case file(ConfigFile)
    case builtin(BuiltinStyle)
    case fixedFunction(FixedFunction)
    case exposureContrast(ExposureContrast)
    case gradingPrimary(GradingPrimary)
    /// Codes 0 to 1 of numbers from `low` to `high`: (x - low) / (high - low).
    case allocationUniform(low: Double, high: Double)
    /// An allocation of log2(x + offset), with logarithms from `low` to `high`.
    case allocationLog2(low: Double, high: Double, offset: Double)
  }

  /// Returns the operation that undoes this one.
  package var inverse: ConfigOperation { ConfigOperation(kind, isInverse: !isInverse, place: place) }
}

/// The style of an exponent decides about numbers below 0: they become 0, the curve is odd, or they stay as they are.
package enum ExponentStyle: String, Sendable, Hashable, CaseIterable {
  case clamp, mirror
  case passThrough = "pass_thru"
}

/// The style of an exponent with a line decides what is below 0: the line goes on, or the curve is odd.
package enum ExponentWithLinearStyle: String, Sendable, Hashable, CaseIterable {
  case linear, mirror
}

/// A logarithm of one channel has two sides, each with a slope and an offset.
package struct LogSides: Sendable, Hashable {
  package var logSlope = 1.0, logOffset = 0.0, linSlope = 1.0, linOffset = 0.0

  package init(logSlope: Double = 1, logOffset: Double = 0, linSlope: Double = 1, linOffset: Double = 0) {
    (self.logSlope, self.logOffset, self.linSlope, self.linOffset) = (logSlope, logOffset, linSlope, linOffset)
  }
}

/// A range maps `low.from`...`high.from` to `low.to`...`high.to`; an end that is `nil` is open.
package struct ConfigRange: Sendable, Hashable {
  package struct End: Sendable, Hashable {
    package var from: Double, to: Double
    package init(from: Double, to: Double) { (self.from, self.to) = (from, to) }
  }
  package var low: End?
  package var high: End?
  /// True if numbers outside end at the bounds; false only if there are both ends.
  package var clamps: Bool

  package init(low: End?, high: End?, clamps: Bool = true) { (self.low, self.high, self.clamps) = (low, high, clamps) }
}

/// A file holds operations: a LUT, a CDL, a matrix.
package struct ConfigFile: Sendable, Hashable {
  /// The interpolation finds numbers between the nodes of tables; `best` is tetrahedral in 3D tables, linear in others,
  /// and `cubic` is taken as `best`.
  package enum Interpolation: String, Sendable, Hashable, CaseIterable {
    case nearest, linear, tetrahedral, best, cubic
  }
  /// The path: absolute, or relative to the process's folder if the config's folder is.
  package var path: String
  package var interpolation: Interpolation
  /// The id or the index of a correction in a file that has several; `nil`: the first.
  package var correction: String?
  /// True if CDLs of the file clamp (style `asc`).
  package var clampsCDL: Bool

  package init(
    path: String, interpolation: Interpolation = .linear, correction: String? = nil, clampsCDL: Bool = false
  ) {
    (self.path, self.interpolation) = (path, interpolation)
    (self.correction, self.clampsCDL) = (correction, clampsCDL)
  }
}

/// A fixed function is one that OpenColorIO defines by its name and numbers.
package enum FixedFunction: Sendable, Hashable {
  case acesRedMod03, acesRedMod10, acesGlow03, acesGlow10, acesDarkToDim10
  /// Limits of cyan, magenta and yellow, thresholds of the same, power.
  case acesGamutComp13(limits: [Double], thresholds: [Double], power: Double)
  /// ACES 2.0 from ACES2065-1 to R, G, B of the limiting primaries: peak in cd/m², then x, y of red, green, blue, white.
  case acesOutputTransform20(peak: Double, primaries: [Double])
  /// R, G, B times a power of their BT.2020 luminance.
  case rec2100Surround(gamma: Double)
  case rgbToHSV, xyzToXYY, xyzToUVY, xyzToLUV
  /// Light, 1.0 = 100 cd/m², to codes of ST 2084; odd.
  case linearToPQ
  /// A power up to `break`, a logarithm above, the same for each channel, odd about `mirror`.
  case linearToGammaLog(GammaLog)
  /// Two logarithms and a line between two breaks.
  case linearToDoubleLog(DoubleLog)

  package struct GammaLog: Sendable, Hashable {
    package var mirror: Double, `break`: Double
    package var power: Double, postScale: Double, preOffset: Double
    package var base: Double
    package var sides: LogSides

    package init(
      mirror: Double, break: Double, power: Double, postScale: Double, preOffset: Double, base: Double, sides: LogSides
    ) {
      (self.mirror, self.break, self.power) = (mirror, `break`, power)
      (self.postScale, self.preOffset, self.base, self.sides) = (postScale, preOffset, base, sides)
    }
  }

  package struct DoubleLog: Sendable, Hashable {
    package var base: Double
    /// The breaks: the first logarithm below `breaks.low`, the second above `breaks.high`.
    package var low: Double, high: Double
    package var lowSides: LogSides, highSides: LogSides
    package var slope: Double, offset: Double

    package init(
      base: Double, low: Double, high: Double, lowSides: LogSides, highSides: LogSides, slope: Double, offset: Double
    ) {
      (self.base, self.low, self.high) = (base, low, high)
      (self.lowSides, self.highSides, self.slope, self.offset) = (lowSides, highSides, slope, offset)
    }
  }
}

/// Exposure changes light by stops, contrast and gamma about a pivot.
package struct ExposureContrast: Sendable, Hashable {
  package enum Style: String, Sendable, Hashable, CaseIterable {
    case linear, video
    case log
  }
  package var style: Style
  package var exposure = 0.0, contrast = 1.0, gamma = 1.0, pivot = 0.18
  /// The codes of a stop and of mid grey, of style `log`.
  package var logExposureStep = 0.088, logMidGray = 0.435

  package init(style: Style) { self.style = style }
}

/// Primary grading has numbers of red, green, blue and master.
package struct GradingPrimary: Sendable, Hashable {
  package enum Style: String, Sendable, Hashable, CaseIterable {
    case log
    case linear, video
  }
  package struct Values: Sendable, Hashable {
    package var red: Double, green: Double, blue: Double, master: Double
    package init(_ red: Double, _ green: Double, _ blue: Double, master: Double) {
      (self.red, self.green, self.blue, self.master) = (red, green, blue, master)
    }
  }
  package var style: Style
  package var brightness = Values(0, 0, 0, master: 0), contrast = Values(1, 1, 1, master: 1)
  package var gamma = Values(1, 1, 1, master: 1), offset = Values(0, 0, 0, master: 0)
  package var exposure = Values(0, 0, 0, master: 0), lift = Values(0, 0, 0, master: 0)
  package var gain = Values(1, 1, 1, master: 1)
  package var saturation = 1.0
  package var pivot: Double, pivotBlack = 0.0, pivotWhite = 1.0
  /// The bounds of the result; `nil`: open.
  package var clampBlack: Double?, clampWhite: Double?

  /// Makes a grade that changes nothing, with the pivot of its style.
  package init(style: Style) {
    self.style = style
    pivot = style == .log ? -0.2 : 0.18
  }
}
