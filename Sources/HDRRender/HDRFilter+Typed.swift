// Made by `hdrbatch filters --swift`.
// swift-format-ignore-file
import HDRCore
import HDRPlan

extension HDRFilter {
  /// Lists the words of parameters called `interpolation`.
  public enum Interpolation: String, Sendable {
    case tetrahedral
    case trilinear
    case nearest
  }

  /// Lists the words of parameters called `edges`.
  public enum Edges: String, Sendable {
    case clamp
    case transparent
  }

  /// Lists the words of parameters called `gravity`.
  public enum Gravity: String, Sendable {
    case center
    case top
    case bottom
    case left
    case right
    case topLeft = "top-left"
    case topRight = "top-right"
    case bottomLeft = "bottom-left"
    case bottomRight = "bottom-right"
    case centre
  }

  /// Lists the words of parameters called `fit`.
  public enum Fit: String, Sendable {
    case none
    case stretch
  }

  /// Lists the words of parameters called `method`.
  public enum Method: String, Sendable {
    case lanczos
    case bicubic
    case area
    case bilinear
  }

  /// Lists the words of parameters called `space`.
  public enum Space: String, Sendable {
    case linear
    case pq
  }

  /// Lists the words of parameters called `direction`.
  public enum Direction: String, Sendable {
    case horizontal
    case vertical
  }

  /// Lists the words of parameters called `sampling`.
  public enum Sampling: String, Sendable {
    case bilinear
    case bicubic
    case nearest
  }

  /// Lists the words of parameters called `canvas`.
  public enum Canvas: String, Sendable {
    case same
    case expand
  }

  /// Lists the words of parameters called `alpha`.
  public enum Alpha: String, Sendable {
    case kept
    case weighted
  }

  /// Lists the words of parameters called `fit`.
  public enum ResizeFit: String, Sendable {
    case fit
    case fill
    case stretch
  }

  /// Lists the words of parameters called `view`.
  public enum View: String, Sendable {
    case sdr709 = "sdr-709"
    case sdrP3 = "sdr-p3"
    case hdr108P3 = "hdr108-p3"
    case hdr300P3 = "hdr300-p3"
    case hdr500P3 = "hdr500-p3"
    case hdr1000P3 = "hdr1000-p3"
    case hdr2000P3 = "hdr2000-p3"
    case hdr4000P3 = "hdr4000-p3"
    case hdr5002020 = "hdr500-2020"
    case hdr10002020 = "hdr1000-2020"
    case hdr20002020 = "hdr2000-2020"
    case hdr40002020 = "hdr4000-2020"
    case sdr709D60In709 = "sdr-709-d60-in-709"
    case sdr709D60InP3 = "sdr-709-d60-in-p3"
    case sdr709D60In2020 = "sdr-709-d60-in-2020"
    case sdrP3D60InP3 = "sdr-p3-d60-in-p3"
    case sdrP3D60InXyzE = "sdr-p3-d60-in-xyz-e"
    case hdr108P3D60InP3 = "hdr108-p3-d60-in-p3"
    case hdr300P3D60InXyzE = "hdr300-p3-d60-in-xyz-e"
    case hdr500P3D60InP3 = "hdr500-p3-d60-in-p3"
    case hdr1000P3D60InP3 = "hdr1000-p3-d60-in-p3"
    case hdr2000P3D60InP3 = "hdr2000-p3-d60-in-p3"
    case hdr4000P3D60InP3 = "hdr4000-p3-d60-in-p3"
    case hdr500P3D60In2020 = "hdr500-p3-d60-in-2020"
    case hdr1000P3D60In2020 = "hdr1000-p3-d60-in-2020"
    case hdr2000P3D60In2020 = "hdr2000-p3-d60-in-2020"
    case hdr4000P3D60In2020 = "hdr4000-p3-d60-in-2020"
    case hdr5002020D60In2020 = "hdr500-2020-d60-in-2020"
    case hdr10002020D60In2020 = "hdr1000-2020-d60-in-2020"
    case hdr20002020D60In2020 = "hdr2000-2020-d60-in-2020"
    case hdr40002020D60In2020 = "hdr4000-2020-d60-in-2020"
    case aces1Sdr = "aces1-sdr"
    case aces1Sdr709 = "aces1-sdr-709"
    case aces1SdrP3 = "aces1-sdr-p3"
    case aces1SdrD60 = "aces1-sdr-d60"
    case aces1Cinema = "aces1-cinema"
    case aces1Cinema709 = "aces1-cinema-709"
    case aces1CinemaD60 = "aces1-cinema-d60"
    case aces1CinemaDciD60 = "aces1-cinema-dci-d60"
    case aces1CinemaDciD65 = "aces1-cinema-dci-d65"
    case aces1Hdr1000 = "aces1-hdr1000"
    case aces1Hdr1000P3 = "aces1-hdr1000-p3"
    case aces1Hdr2000 = "aces1-hdr2000"
    case aces1Hdr2000P3 = "aces1-hdr2000-p3"
    case aces1Hdr4000 = "aces1-hdr4000"
    case aces1Hdr4000P3 = "aces1-hdr4000-p3"
    case aces1Hdr108Cinema = "aces1-hdr108-cinema"
  }

  /// Lists the words of parameters called `style`.
  public enum Style: String, Sendable {
    case noclamp
    case asc
  }

  /// Makes `exposure`: light times 2^ev.
  ///
  /// - Parameters:
  ///   - ev: stops (-20...20).
  public static func exposure(
    ev: Double = 0
  ) -> HDRFilter {
    typed("exposure", ["ev": .number(ev)])
  }

  /// Makes `gamma`: each component to a power; its sign stays.
  ///
  /// - Parameters:
  ///   - power: exponent; above 1 darker below white (0.1...10).
  public static func gamma(
    power: Double = 1
  ) -> HDRFilter {
    typed("gamma", ["power": .number(power)])
  }

  /// Makes `color-controls`: saturation, brightness and contrast, in this order.
  ///
  /// - Parameters:
  ///   - saturation: 0 is grey, above 1 more colour (0...10).
  ///   - brightness: added to each component (-1...10).
  ///   - contrast: slope about 0.5 of reference white (0...10).
  public static func colorControls(
    saturation: Double = 1, brightness: Double = 0, contrast: Double = 1
  ) -> HDRFilter {
    typed("color-controls", ["saturation": .number(saturation), "brightness": .number(brightness), "contrast": .number(contrast)])
  }

  /// Makes `color-matrix`: each of R, G, B, A a weighted sum of the four, plus a bias.
  ///
  /// - Parameters:
  ///   - rVector: weights of R, G, B, A in the new component (4 of -100...100).
  ///   - gVector: weights of R, G, B, A in the new component (4 of -100...100).
  ///   - bVector: weights of R, G, B, A in the new component (4 of -100...100).
  ///   - aVector: weights of R, G, B, A in the new component (4 of -100...100).
  ///   - bias: added to R, G, B, A (4 of -100...100).
  public static func colorMatrix(
    rVector: [Double] = [1, 0, 0, 0], gVector: [Double] = [0, 1, 0, 0], bVector: [Double] = [0, 0, 1, 0], aVector: [Double] = [0, 0, 0, 1], bias: [Double] = [0, 0, 0, 0]
  ) -> HDRFilter {
    typed("color-matrix", ["r-vector": .numbers(rVector), "g-vector": .numbers(gVector), "b-vector": .numbers(bVector), "a-vector": .numbers(aVector), "bias": .numbers(bias)])
  }

  /// Makes `color-polynomial`: a cubic polynomial for each component; grows fast above white.
  ///
  /// - Parameters:
  ///   - redCoefficients: a0, a1, a2, a3 (4 of -100...100).
  ///   - greenCoefficients: a0, a1, a2, a3 (4 of -100...100).
  ///   - blueCoefficients: a0, a1, a2, a3 (4 of -100...100).
  ///   - alphaCoefficients: a0, a1, a2, a3 (4 of -100...100).
  public static func colorPolynomial(
    redCoefficients: [Double] = [0, 1, 0, 0], greenCoefficients: [Double] = [0, 1, 0, 0], blueCoefficients: [Double] = [0, 1, 0, 0], alphaCoefficients: [Double] = [0, 1, 0, 0]
  ) -> HDRFilter {
    typed("color-polynomial", ["red-coefficients": .numbers(redCoefficients), "green-coefficients": .numbers(greenCoefficients), "blue-coefficients": .numbers(blueCoefficients), "alpha-coefficients": .numbers(alphaCoefficients)])
  }

  /// Makes `color-invert`: reference white minus the light; what is brighter becomes negative.
  public static func colorInvert() -> HDRFilter {
    typed("color-invert")
  }

  /// Makes `color-monochrome`: shades of one colour by luminance.
  ///
  /// - Parameters:
  ///   - color: what white becomes, 0.6/0.45/0.3 if not given.
  ///   - intensity: share of the shades (0...1).
  public static func colorMonochrome(
    color: FilterColor? = nil, intensity: Double = 1
  ) -> HDRFilter {
    typed("color-monochrome", ["color": color.map { .color($0) }, "intensity": .number(intensity)])
  }

  /// Makes `sepia-tone`: shades of a warm brown; luminance stays.
  ///
  /// - Parameters:
  ///   - intensity: share of the shades (0...1).
  public static func sepiaTone(
    intensity: Double = 1
  ) -> HDRFilter {
    typed("sepia-tone", ["intensity": .number(intensity)])
  }

  /// Makes `hue-adjust`: turns hues about the grey axis; luminance stays.
  ///
  /// - Parameters:
  ///   - angle: radians; from red towards green (-100...100).
  public static func hueAdjust(
    angle: Double = 0
  ) -> HDRFilter {
    typed("hue-adjust", ["angle": .number(angle)])
  }

  /// Makes `vibrance`: saturation for pale colours more than for strong ones, and half for skin.
  ///
  /// - Parameters:
  ///   - amount: below 0 paler, above 0 stronger (-1...1).
  public static func vibrance(
    amount: Double = 0
  ) -> HDRFilter {
    typed("vibrance", ["amount": .number(amount)])
  }

  /// Makes `white-point-adjust`: light times a colour: what white becomes.
  ///
  /// - Parameters:
  ///   - color: what white becomes, 1/1/1 if not given.
  public static func whitePointAdjust(
    color: FilterColor? = nil
  ) -> HDRFilter {
    typed("white-point-adjust", ["color": color.map { .color($0) }])
  }

  /// Makes `temperature-tint`: adapts from the white that a scene had to another one.
  ///
  /// - Parameters:
  ///   - neutral: temperature in K and tint of the scene's white, or its x, y (2 of -1000...25000).
  ///   - targetNeutral: temperature in K and tint that it gets, or x, y (2 of -1000...25000).
  public static func temperatureTint(
    neutral: [Double] = [6500, 0], targetNeutral: [Double] = [6500, 0]
  ) -> HDRFilter {
    typed("temperature-tint", ["neutral": .numbers(neutral), "target-neutral": .numbers(targetNeutral)])
  }

  /// Makes `tone-curve`: a smooth curve through five points of sRGB-encoded values.
  ///
  /// - Parameters:
  ///   - point0: x, y of a point; sorted by x (2 of -16...16).
  ///   - point1: x, y of a point; sorted by x (2 of -16...16).
  ///   - point2: x, y of a point; sorted by x (2 of -16...16).
  ///   - point3: x, y of a point; sorted by x (2 of -16...16).
  ///   - point4: x, y of a point; sorted by x (2 of -16...16).
  ///   - extrapolate: go on beyond the points; else light beyond them is cut.
  public static func toneCurve(
    point0: [Double] = [0, 0], point1: [Double] = [0.25, 0.25], point2: [Double] = [0.5, 0.5], point3: [Double] = [0.75, 0.75], point4: [Double] = [1, 1], extrapolate: Bool = true
  ) -> HDRFilter {
    typed("tone-curve", ["point0": .numbers(point0), "point1": .numbers(point1), "point2": .numbers(point2), "point3": .numbers(point3), "point4": .numbers(point4), "extrapolate": .flag(extrapolate)])
  }

  /// Makes `linear-to-srgb`: linear light to sRGB signals, as values of their own.
  public static func linearToSrgb() -> HDRFilter {
    typed("linear-to-srgb")
  }

  /// Makes `srgb-to-linear`: takes values for sRGB signals and makes them linear light.
  public static func srgbToLinear() -> HDRFilter {
    typed("srgb-to-linear")
  }

  /// Makes `highlight-shadow`: light or dark shadows, darker highlights, by luminance nearby.
  ///
  /// - Parameters:
  ///   - shadowAmount: 1 lifts shadows by two stops (-1...1).
  ///   - highlightAmount: 0 lowers highlights by two stops (0...1).
  ///   - radius: standard deviation of the blur of luminance in pixels; 0 is none (0...500).
  public static func highlightShadow(
    shadowAmount: Double = 0, highlightAmount: Double = 1, radius: Double = 0
  ) -> HDRFilter {
    typed("highlight-shadow", ["shadow-amount": .number(shadowAmount), "highlight-amount": .number(highlightAmount), "radius": .number(radius)])
  }

  /// Makes `color-clamp`: each component between a minimum and a maximum; by default cuts HDR light off.
  ///
  /// - Parameters:
  ///   - min: least R, G, B, A (4 of -65504...65504).
  ///   - max: largest R, G, B, A (4 of -65504...65504).
  public static func colorClamp(
    min: [Double] = [0, 0, 0, 0], max: [Double] = [1, 1, 1, 1]
  ) -> HDRFilter {
    typed("color-clamp", ["min": .numbers(min), "max": .numbers(max)])
  }

  /// Makes `color-threshold`: each component 1 where it reaches a threshold, else 0.
  ///
  /// - Parameters:
  ///   - threshold: linear light (-65504...65504).
  public static func colorThreshold(
    threshold: Double = 0.5
  ) -> HDRFilter {
    typed("color-threshold", ["threshold": .number(threshold)])
  }

  /// Makes `color-posterize`: each component to the nearest of equal steps.
  ///
  /// - Parameters:
  ///   - levels: steps from black to reference white (1...1024).
  public static func colorPosterize(
    levels: Double = 6
  ) -> HDRFilter {
    typed("color-posterize", ["levels": .number(levels)])
  }

  /// Makes `color-cube`: what a LUT file holds, in the colour space it was made for.
  ///
  /// - Parameters:
  ///   - lut: the LUT among the inputs, or its file.
  ///   - space: of its inputs and outputs: curve and primaries, srgb if not given.
  ///   - extrapolate: go on beyond the LUT's domain; else cut.
  ///   - interpolation: between nodes; nearest takes the value of one, in 1D tables too.
  ///   - inverse: undo the LUT; 3D tables cannot be undone.
  public static func colorCube(
    lut: HDRValue, space: ColorSpace? = nil, extrapolate: Bool = true, interpolation: Interpolation = .tetrahedral, inverse: Bool = false
  ) -> HDRFilter {
    typed("color-cube", ["lut": lut, "space": space.map { .word($0.name) }, "extrapolate": .flag(extrapolate), "interpolation": .word(interpolation.rawValue), "inverse": .flag(inverse)])
  }

  /// Makes `tone-map-headroom`: tone maps to a smaller headroom (Reference White).
  ///
  /// - Parameters:
  ///   - sourceHeadroom: peak of the light over reference white; without it the content headroom (1...65536).
  ///   - targetHeadroom: peak that it gets (1...65536).
  public static func toneMapHeadroom(
    sourceHeadroom: Double? = nil, targetHeadroom: Double = 1
  ) -> HDRFilter {
    typed("tone-map-headroom", ["source-headroom": sourceHeadroom.map { .number($0) }, "target-headroom": .number(targetHeadroom)])
  }

  /// Makes `apply-gain-map`: the gain map of an input, applied to the picture.
  ///
  /// - Parameters:
  ///   - input: a picture with a gain map.
  ///   - headroom: headroom that the map is to give, over reference white; without it all (1...65536).
  public static func applyGainMap(
    input: HDRValue, headroom: Double? = nil
  ) -> HDRFilter {
    typed("apply-gain-map", ["input": input, "headroom": headroom.map { .number($0) }])
  }

  /// Makes `vignette`: darker towards the corners.
  ///
  /// - Parameters:
  ///   - intensity: 1 is black outside; below 0 brighter (-1...1).
  ///   - radius: in halves of the diagonal (0...2).
  public static func vignette(
    intensity: Double = 0, radius: Double = 1
  ) -> HDRFilter {
    typed("vignette", ["intensity": .number(intensity), "radius": .number(radius)])
  }

  /// Makes `vignette-effect`: darker away from a place.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the middle (2 of -1048576...1048576).
  ///   - radius: in pixels (0...1048576).
  ///   - intensity: 1 is black outside; below 0 brighter (-1...1).
  ///   - falloff: half width of the edge as a share of the radius; at least 0.02 (0...1).
  public static func vignetteEffect(
    center: [Double]? = nil, radius: Double = 150, intensity: Double = 1, falloff: Double = 0.5
  ) -> HDRFilter {
    typed("vignette-effect", ["center": center.map { .numbers($0) }, "radius": .number(radius), "intensity": .number(intensity), "falloff": .number(falloff)])
  }

  /// Makes `gaussian-blur`: Gaussian blur; the radius is its standard deviation.
  ///
  /// - Parameters:
  ///   - radius: standard deviation in pixels; below 0.16 nothing (0...500).
  ///   - edges: beyond the border: the border's pixels, or nothing.
  public static func gaussianBlur(
    radius: Double = 10, edges: Edges = .clamp
  ) -> HDRFilter {
    typed("gaussian-blur", ["radius": .number(radius), "edges": .word(edges.rawValue)])
  }

  /// Makes `crop`: a rectangle of the picture, or the largest of a shape; what of it lies outside is left out.
  ///
  /// - Parameters:
  ///   - rect: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  ///   - aspect: width over height, as 1.25 or 4:5, of the largest that there is room for (0.001...1000).
  ///   - gravity: where that lies.
  public static func crop(
    rect: [Double]? = nil, aspect: Double? = nil, gravity: Gravity = .center
  ) -> HDRFilter {
    typed("crop", ["rect": rect.map { .numbers($0) }, "aspect": aspect.map { .number($0) }, "gravity": .word(gravity.rawValue)])
  }

  /// Makes `source-over`: an input over the picture.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  public static func sourceOver(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none
  ) -> HDRFilter {
    typed("source-over", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue)])
  }

  /// Makes `constant-color`: a picture of one colour.
  ///
  /// - Parameters:
  ///   - color: encoded sRGB; 1 is white, more is brighter, 1/0/0/1 if not given.
  ///   - exposure: stops added to the colours (-20...20).
  public static func constantColor(
    color: FilterColor? = nil, exposure: Double = 0
  ) -> HDRFilter {
    typed("constant-color", ["color": color.map { .color($0) }, "exposure": .number(exposure)])
  }

  /// Makes `checkerboard`: squares of two colours.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
  ///   - color1: second colour, 0/0/0/1 if not given.
  ///   - width: side of a square in pixels (0.5...65536).
  ///   - sharpness: below 1 borders are blended over 1 - sharpness of a square (0...1).
  ///   - exposure: stops added to the colours (-20...20).
  public static func checkerboard(
    center: [Double]? = nil, color0: FilterColor? = nil, color1: FilterColor? = nil, width: Double = 80, sharpness: Double = 1, exposure: Double = 0
  ) -> HDRFilter {
    typed("checkerboard", ["center": center.map { .numbers($0) }, "color0": color0.map { .color($0) }, "color1": color1.map { .color($0) }, "width": .number(width), "sharpness": .number(sharpness), "exposure": .number(exposure)])
  }

  /// Makes `stripes`: upright stripes of two colours.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
  ///   - color1: second colour, 0/0/0/1 if not given.
  ///   - width: width of a stripe in pixels (0.5...65536).
  ///   - sharpness: below 1 borders are blended over 1 - sharpness of a square (0...1).
  ///   - exposure: stops added to the colours (-20...20).
  public static func stripes(
    center: [Double]? = nil, color0: FilterColor? = nil, color1: FilterColor? = nil, width: Double = 80, sharpness: Double = 1, exposure: Double = 0
  ) -> HDRFilter {
    typed("stripes", ["center": center.map { .numbers($0) }, "color0": color0.map { .color($0) }, "color1": color1.map { .color($0) }, "width": .number(width), "sharpness": .number(sharpness), "exposure": .number(exposure)])
  }

  /// Makes `linear-gradient`: from one colour to another along a line.
  ///
  /// - Parameters:
  ///   - point0: x, y where the first colour ends, in pixels (2 of -1048576...1048576).
  ///   - point1: x, y where the second colour begins (2 of -1048576...1048576).
  ///   - color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
  ///   - color1: second colour, 0/0/0/1 if not given.
  ///   - smooth: slower at both ends (smoothLinearGradient).
  ///   - exposure: stops added to the colours (-20...20).
  public static func linearGradient(
    point0: [Double] = [0, 0], point1: [Double] = [200, 200], color0: FilterColor? = nil, color1: FilterColor? = nil, smooth: Bool = false, exposure: Double = 0
  ) -> HDRFilter {
    typed("linear-gradient", ["point0": .numbers(point0), "point1": .numbers(point1), "color0": color0.map { .color($0) }, "color1": color1.map { .color($0) }, "smooth": .flag(smooth), "exposure": .number(exposure)])
  }

  /// Makes `radial-gradient`: from one colour to another between two circles.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius0: radius in pixels where the first colour ends (0...1048576).
  ///   - radius1: radius where the second colour begins; may be the smaller (0...1048576).
  ///   - color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
  ///   - color1: second colour, 0/0/0/1 if not given.
  ///   - exposure: stops added to the colours (-20...20).
  public static func radialGradient(
    center: [Double]? = nil, radius0: Double = 5, radius1: Double = 100, color0: FilterColor? = nil, color1: FilterColor? = nil, exposure: Double = 0
  ) -> HDRFilter {
    typed("radial-gradient", ["center": center.map { .numbers($0) }, "radius0": .number(radius0), "radius1": .number(radius1), "color0": color0.map { .color($0) }, "color1": color1.map { .color($0) }, "exposure": .number(exposure)])
  }

  /// Makes `gaussian-gradient`: a Gaussian spot of the first colour in the second.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
  ///   - color1: second colour, 0/0/0/1 if not given.
  ///   - radius: three standard deviations, in pixels (0.01...1048576).
  ///   - exposure: stops added to the colours (-20...20).
  public static func gaussianGradient(
    center: [Double]? = nil, color0: FilterColor? = nil, color1: FilterColor? = nil, radius: Double = 300, exposure: Double = 0
  ) -> HDRFilter {
    typed("gaussian-gradient", ["center": center.map { .numbers($0) }, "color0": color0.map { .color($0) }, "color1": color1.map { .color($0) }, "radius": .number(radius), "exposure": .number(exposure)])
  }

  /// Makes `addition`: light of the input added.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  public static func addition(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none
  ) -> HDRFilter {
    typed("addition", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue)])
  }

  /// Makes `multiply`: component by component times the input, alpha too.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  public static func multiply(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none
  ) -> HDRFilter {
    typed("multiply", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue)])
  }

  /// Makes `minimum`: the smaller of picture and input, component by component.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  public static func minimum(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none
  ) -> HDRFilter {
    typed("minimum", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue)])
  }

  /// Makes `maximum`: the larger of picture and input, component by component.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  public static func maximum(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none
  ) -> HDRFilter {
    typed("maximum", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue)])
  }

  /// Makes `source-in`: the input where the picture is.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  public static func sourceIn(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none
  ) -> HDRFilter {
    typed("source-in", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue)])
  }

  /// Makes `source-out`: the input where the picture is not.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  public static func sourceOut(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none
  ) -> HDRFilter {
    typed("source-out", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue)])
  }

  /// Makes `source-atop`: the input over the picture, only where the picture is.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  public static func sourceAtop(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none
  ) -> HDRFilter {
    typed("source-atop", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue)])
  }

  /// Makes `blend-with-mask`: the input where a mask is white, the picture where it is black.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - mask: picture whose numbers, 0 to 1, are the input's share.
  ///   - fit: inputs: their own size, or stretched to the picture's.
  public static func blendWithMask(
    input: HDRValue, mask: HDRValue, fit: Fit = .stretch
  ) -> HDRFilter {
    typed("blend-with-mask", ["input": input, "mask": mask, "fit": .word(fit.rawValue)])
  }

  /// Makes `multiply-blend`: blend mode: cB cS, cut to 0...1.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func multiplyBlend(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("multiply-blend", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `screen`: blend mode: cB + cS - cB cS.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func screen(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("screen", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `overlay`: blend mode: hard light with the layers exchanged.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func overlay(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("overlay", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `soft-light`: blend mode: a soft spotlight through the input.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func softLight(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("soft-light", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `hard-light`: blend mode: multiply by the input's dark half, screen with its bright half.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func hardLight(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("hard-light", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `color-dodge`: blend mode: cB / (1 - cS): the input brightens.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func colorDodge(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("color-dodge", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `color-burn`: blend mode: 1 - (1 - cB) / cS: the input darkens.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func colorBurn(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("color-burn", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `darken`: blend mode: the darker component.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func darken(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("darken", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `lighten`: blend mode: the brighter component.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func lighten(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("lighten", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `difference`: blend mode: the distance of the components.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func difference(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("difference", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `exclusion`: blend mode: like difference, softer: cB + cS - 2 cB cS.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func exclusion(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("exclusion", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `divide`: blend mode: cB / cS.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func divide(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("divide", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `subtract`: blend mode: cB - cS.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func subtract(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("subtract", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `linear-dodge`: blend mode: cB + cS.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func linearDodge(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("linear-dodge", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `linear-burn`: blend mode: cB + cS - 1.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func linearBurn(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("linear-burn", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `linear-light`: blend mode: cB + 2 cS - 1.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func linearLight(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("linear-light", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `vivid-light`: blend mode: burn by the input's dark half, dodge by its bright half.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func vividLight(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("vivid-light", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `pin-light`: blend mode: darken by the input's dark half, lighten by its bright half.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func pinLight(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("pin-light", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `hue`: blend mode: hue of the input, saturation and luminosity of the picture.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func hue(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("hue", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `saturation`: blend mode: saturation of the input, hue and luminosity of the picture.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func saturation(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("saturation", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `color`: blend mode: hue and saturation of the input, luminosity of the picture.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func color(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("color", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `luminosity`: blend mode: luminosity of the input, hue and saturation of the picture.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  ///   - headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
  public static func luminosity(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none, headroom: Double = 1
  ) -> HDRFilter {
    typed("luminosity", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue), "headroom": .number(headroom)])
  }

  /// Makes `dissolve`: from the picture to the input: mixed by time.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - time: 0: the picture, 1: the input (0...1).
  ///   - fit: inputs: their own size, or stretched to the picture's.
  public static func dissolve(
    input: HDRValue, time: Double = 0, fit: Fit = .stretch
  ) -> HDRFilter {
    typed("dissolve", ["input": input, "time": .number(time), "fit": .word(fit.rawValue)])
  }

  /// Makes `ripple-transition`: from the picture to the input by a ring wave with glints.
  ///
  /// - Parameters:
  ///   - input: the picture that the wave leaves behind.
  ///   - shading: a shaded sphere in a square, 0.5 adds nothing; without it one of glass.
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - time: 0: the picture, 1: the input (0...1).
  ///   - width: width of the wave in pixels (1...65536).
  ///   - scale: largest displacement in pixels, about (-500...500).
  public static func rippleTransition(
    input: HDRValue, shading: HDRValue? = nil, center: [Double]? = nil, time: Double = 0, width: Double = 100, scale: Double = 50
  ) -> HDRFilter {
    typed("ripple-transition", ["input": input, "shading": shading.map { $0 }, "center": center.map { .numbers($0) }, "time": .number(time), "width": .number(width), "scale": .number(scale)])
  }

  /// Makes `area-average`: one pixel: the mean of an area.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  public static func areaAverage(
    extent: [Double]? = nil
  ) -> HDRFilter {
    typed("area-average", ["extent": extent.map { .numbers($0) }])
  }

  /// Makes `area-maximum`: one pixel: the largest of each component of an area.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  public static func areaMaximum(
    extent: [Double]? = nil
  ) -> HDRFilter {
    typed("area-maximum", ["extent": extent.map { .numbers($0) }])
  }

  /// Makes `area-minimum`: one pixel: the smallest of each component of an area.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  public static func areaMinimum(
    extent: [Double]? = nil
  ) -> HDRFilter {
    typed("area-minimum", ["extent": extent.map { .numbers($0) }])
  }

  /// Makes `area-min-max`: two pixels: the smallest and the largest of each component of an area.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  public static func areaMinMax(
    extent: [Double]? = nil
  ) -> HDRFilter {
    typed("area-min-max", ["extent": extent.map { .numbers($0) }])
  }

  /// Makes `area-maximum-alpha`: one pixel: that with the largest alpha of an area.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  public static func areaMaximumAlpha(
    extent: [Double]? = nil
  ) -> HDRFilter {
    typed("area-maximum-alpha", ["extent": extent.map { .numbers($0) }])
  }

  /// Makes `area-histogram`: a row: histogram of 0 to 1 of an area.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  ///   - count: number of bins: pixels of the row (1...2048).
  ///   - scale: a bin's value is scale times its share of the pixels (0...65536).
  public static func areaHistogram(
    extent: [Double]? = nil, count: Int = 64, scale: Double = 1
  ) -> HDRFilter {
    typed("area-histogram", ["extent": extent.map { .numbers($0) }, "count": .number(Double(count)), "scale": .number(scale)])
  }

  /// Makes `area-logarithmic-histogram`: a row: histogram of stops of an area.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  ///   - count: number of bins: pixels of the row (1...2048).
  ///   - minimumStop: log2 of light where the first bin begins (-24...4).
  ///   - maximumStop: log2 of light where the last bin ends; a stop or more above minimumStop (-20...20).
  ///   - scale: a bin's value is scale times its share of the pixels (0...65536).
  public static func areaLogarithmicHistogram(
    extent: [Double]? = nil, count: Int = 64, minimumStop: Double = -10, maximumStop: Double = 4, scale: Double = 1
  ) -> HDRFilter {
    typed("area-logarithmic-histogram", ["extent": extent.map { .numbers($0) }, "count": .number(Double(count)), "minimum-stop": .number(minimumStop), "maximum-stop": .number(maximumStop), "scale": .number(scale)])
  }

  /// Makes `scale`: another size, by Lanczos, bicubic, area or bilinear weights.
  ///
  /// - Parameters:
  ///   - factor: size of the result over that of the picture (0.001...64).
  ///   - aspectRatio: how much more it is scaled horizontally (0.01...100).
  ///   - width: pixels, instead of the factor; without it the height decides (1...65536).
  ///   - height: pixels, instead of the factor; without it the width decides (1...65536).
  ///   - method: Lanczos of three lobes; Mitchell-Netravali; mean over the pixel's area; triangle.
  ///   - b: B of bicubic (-2...2).
  ///   - c: C of bicubic (-2...2).
  ///   - space: light, or its PQ signal: less ringing around highlights.
  public static func scale(
    factor: Double = 1, aspectRatio: Double = 1, width: Int? = nil, height: Int? = nil, method: Method = .lanczos, b: Double = 0, c: Double = 0.75, space: Space = .linear
  ) -> HDRFilter {
    typed("scale", ["factor": .number(factor), "aspect-ratio": .number(aspectRatio), "width": width.map { .number(Double($0)) }, "height": height.map { .number(Double($0)) }, "method": .word(method.rawValue), "b": .number(b), "c": .number(c), "space": .word(space.rawValue)])
  }

  /// Makes `thumbnail`: a small copy by area averages; never larger than the picture.
  ///
  /// - Parameters:
  ///   - size: pixels of the longer side, at most (1...65536).
  public static func thumbnail(
    size: Int = 256
  ) -> HDRFilter {
    typed("thumbnail", ["size": .number(Double(size))])
  }

  /// Makes `stretch-crop`: another shape, by cropping and by stretching more towards the borders.
  ///
  /// - Parameters:
  ///   - size: width, height in pixels; without it 1280, 1280 (2 of 1...65536).
  ///   - cropAmount: 0 only stretches, 1 only crops (0...1).
  ///   - centerStretchAmount: 0 keeps the shape of the middle, 1 stretches evenly (0...1).
  public static func stretchCrop(
    size: [Double]? = nil, cropAmount: Double = 0.25, centerStretchAmount: Double = 0.25
  ) -> HDRFilter {
    typed("stretch-crop", ["size": size.map { .numbers($0) }, "crop-amount": .number(cropAmount), "center-stretch-amount": .number(centerStretchAmount)])
  }

  /// Makes `flip`: left and right exchanged, or top and bottom.
  ///
  /// - Parameters:
  ///   - direction: horizontal: left and right change places.
  public static func flip(
    direction: Direction = .horizontal
  ) -> HDRFilter {
    typed("flip", ["direction": .word(direction.rawValue)])
  }

  /// Makes `rotate`: turned counter-clockwise about its centre.
  ///
  /// - Parameters:
  ///   - angle: degrees counter-clockwise as seen (-360...360).
  ///   - expand: grows the canvas so that nothing is lost; otherwise it keeps its size.
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  public static func rotate(
    angle: Double = 90, expand: Bool = true, sampling: Sampling = .bilinear
  ) -> HDRFilter {
    typed("rotate", ["angle": .number(angle), "expand": .flag(expand), "sampling": .word(sampling.rawValue)])
  }

  /// Makes `straighten`: turned a little and cropped to the largest rectangle of the same shape.
  ///
  /// - Parameters:
  ///   - angle: degrees counter-clockwise as seen (-45...45).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  public static func straighten(
    angle: Double = 0, sampling: Sampling = .bilinear
  ) -> HDRFilter {
    typed("straighten", ["angle": .number(angle), "sampling": .word(sampling.rawValue)])
  }

  /// Makes `affine`: scaled, turned, sheared and moved by a 2x3 matrix.
  ///
  /// - Parameters:
  ///   - matrix: a, b, tx, c, d, ty: x' = a x + b y + tx, y' = c x + d y + ty in pixels from the top left corner (6 of -1048576...1048576).
  ///   - canvas: the picture's own size, or as large as what becomes of it.
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  public static func affine(
    matrix: [Double] = [1, 0, 0, 0, 1, 0], canvas: Canvas = .same, sampling: Sampling = .bilinear
  ) -> HDRFilter {
    typed("affine", ["matrix": .numbers(matrix), "canvas": .word(canvas.rawValue), "sampling": .word(sampling.rawValue)])
  }

  /// Makes `perspective-correction`: a quadrilateral of the picture as a rectangle of its mean sides.
  ///
  /// - Parameters:
  ///   - topLeft: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
  ///   - topRight: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
  ///   - bottomRight: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
  ///   - bottomLeft: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
  ///   - crop: the quadrilateral alone; otherwise all of the picture, on a canvas as large as that becomes.
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  public static func perspectiveCorrection(
    topLeft: [Double]? = nil, topRight: [Double]? = nil, bottomRight: [Double]? = nil, bottomLeft: [Double]? = nil, crop: Bool = true, sampling: Sampling = .bilinear
  ) -> HDRFilter {
    typed("perspective-correction", ["top-left": topLeft.map { .numbers($0) }, "top-right": topRight.map { .numbers($0) }, "bottom-right": bottomRight.map { .numbers($0) }, "bottom-left": bottomLeft.map { .numbers($0) }, "crop": .flag(crop), "sampling": .word(sampling.rawValue)])
  }

  /// Makes `perspective-transform`: the picture's corners moved to four places, transparent around.
  ///
  /// - Parameters:
  ///   - topLeft: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
  ///   - topRight: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
  ///   - bottomRight: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
  ///   - bottomLeft: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
  ///   - canvas: the picture's own size, or as large as what becomes of it.
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  public static func perspectiveTransform(
    topLeft: [Double]? = nil, topRight: [Double]? = nil, bottomRight: [Double]? = nil, bottomLeft: [Double]? = nil, canvas: Canvas = .same, sampling: Sampling = .bilinear
  ) -> HDRFilter {
    typed("perspective-transform", ["top-left": topLeft.map { .numbers($0) }, "top-right": topRight.map { .numbers($0) }, "bottom-right": bottomRight.map { .numbers($0) }, "bottom-left": bottomLeft.map { .numbers($0) }, "canvas": .word(canvas.rawValue), "sampling": .word(sampling.rawValue)])
  }

  /// Makes `motion-blur`: mean along a line: a camera that moves.
  ///
  /// - Parameters:
  ///   - radius: pixels to each side; of what is not whole, points count in part (0...250).
  ///   - angle: degrees counter-clockwise as seen; 0 is level (-360...360).
  public static func motionBlur(
    radius: Double = 20, angle: Double = 0
  ) -> HDRFilter {
    typed("motion-blur", ["radius": .number(radius), "angle": .number(angle)])
  }

  /// Makes `box-blur`: mean over a square of 2 radius + 1 pixels a side.
  ///
  /// - Parameters:
  ///   - radius: pixels to each side; of what is not whole, pixels count in part (0...500).
  ///   - edges: beyond the border: the border's pixels, or nothing.
  public static func boxBlur(
    radius: Double = 10, edges: Edges = .clamp
  ) -> HDRFilter {
    typed("box-blur", ["radius": .number(radius), "edges": .word(edges.rawValue)])
  }

  /// Makes `disc-blur`: mean over a disc.
  ///
  /// - Parameters:
  ///   - radius: pixels from the centre to the rim (0...32).
  public static func discBlur(
    radius: Double = 8
  ) -> HDRFilter {
    typed("disc-blur", ["radius": .number(radius)])
  }

  /// Makes `unsharp-mask`: differences from a Gaussian blur made larger.
  ///
  /// - Parameters:
  ///   - radius: standard deviation of the blur in pixels (0...500).
  ///   - intensity: how much of the difference is added (0...10).
  public static func unsharpMask(
    radius: Double = 2.5, intensity: Double = 0.5
  ) -> HDRFilter {
    typed("unsharp-mask", ["radius": .number(radius), "intensity": .number(intensity)])
  }

  /// Makes `sharpen-luminance`: differences of luminance from a Gaussian blur made larger.
  ///
  /// - Parameters:
  ///   - radius: standard deviation of the blur in pixels (0...500).
  ///   - sharpness: how much of the difference is added (0...10).
  public static func sharpenLuminance(
    radius: Double = 1.69, sharpness: Double = 0.4
  ) -> HDRFilter {
    typed("sharpen-luminance", ["radius": .number(radius), "sharpness": .number(sharpness)])
  }

  /// Makes `bloom`: glow around light, like a screen up to white.
  ///
  /// - Parameters:
  ///   - radius: standard deviation of the glow in pixels (0...500).
  ///   - intensity: 0 nothing, 1 all of the glow (0...10).
  public static func bloom(
    radius: Double = 10, intensity: Double = 0.5
  ) -> HDRFilter {
    typed("bloom", ["radius": .number(radius), "intensity": .number(intensity)])
  }

  /// Makes `gloom`: shade around darkness, a multiplication below white.
  ///
  /// - Parameters:
  ///   - radius: standard deviation of the shade in pixels (0...500).
  ///   - intensity: 0 nothing, 1 all of the shade (0...1).
  public static func gloom(
    radius: Double = 10, intensity: Double = 0.5
  ) -> HDRFilter {
    typed("gloom", ["radius": .number(radius), "intensity": .number(intensity)])
  }

  /// Makes `convolution-3x3`: weighted sum over 3x3 pixels.
  ///
  /// - Parameters:
  ///   - weights: row by row from the top left (9 of -65504...65504).
  ///   - bias: added to R, G and B (-65504...65504).
  ///   - alpha: as it was; weighted: a sum as colours are, multiplied by it.
  public static func convolution3x3(
    weights: [Double] = [0, 0, 0, 0, 1, 0, 0, 0, 0], bias: Double = 0, alpha: Alpha = .kept
  ) -> HDRFilter {
    typed("convolution-3x3", ["weights": .numbers(weights), "bias": .number(bias), "alpha": .word(alpha.rawValue)])
  }

  /// Makes `convolution-5x5`: weighted sum over 5x5 pixels.
  ///
  /// - Parameters:
  ///   - weights: row by row from the top left (25 of -65504...65504).
  ///   - bias: added to R, G and B (-65504...65504).
  ///   - alpha: as it was; weighted: a sum as colours are, multiplied by it.
  public static func convolution5x5(
    weights: [Double] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], bias: Double = 0, alpha: Alpha = .kept
  ) -> HDRFilter {
    typed("convolution-5x5", ["weights": .numbers(weights), "bias": .number(bias), "alpha": .word(alpha.rawValue)])
  }

  /// Makes `convolution-7x7`: weighted sum over 7x7 pixels.
  ///
  /// - Parameters:
  ///   - weights: row by row from the top left (49 of -65504...65504).
  ///   - bias: added to R, G and B (-65504...65504).
  ///   - alpha: as it was; weighted: a sum as colours are, multiplied by it.
  public static func convolution7x7(
    weights: [Double] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], bias: Double = 0, alpha: Alpha = .kept
  ) -> HDRFilter {
    typed("convolution-7x7", ["weights": .numbers(weights), "bias": .number(bias), "alpha": .word(alpha.rawValue)])
  }

  /// Makes `convolution-9-horizontal`: weighted sum over 9 pixels of a row.
  ///
  /// - Parameters:
  ///   - weights: from the left, or from the top (9 of -65504...65504).
  ///   - bias: added to R, G and B (-65504...65504).
  ///   - alpha: as it was; weighted: a sum as colours are, multiplied by it.
  public static func convolution9Horizontal(
    weights: [Double] = [0, 0, 0, 0, 1, 0, 0, 0, 0], bias: Double = 0, alpha: Alpha = .kept
  ) -> HDRFilter {
    typed("convolution-9-horizontal", ["weights": .numbers(weights), "bias": .number(bias), "alpha": .word(alpha.rawValue)])
  }

  /// Makes `convolution-9-vertical`: weighted sum over 9 pixels of a column.
  ///
  /// - Parameters:
  ///   - weights: from the left, or from the top (9 of -65504...65504).
  ///   - bias: added to R, G and B (-65504...65504).
  ///   - alpha: as it was; weighted: a sum as colours are, multiplied by it.
  public static func convolution9Vertical(
    weights: [Double] = [0, 0, 0, 0, 1, 0, 0, 0, 0], bias: Double = 0, alpha: Alpha = .kept
  ) -> HDRFilter {
    typed("convolution-9-vertical", ["weights": .numbers(weights), "bias": .number(bias), "alpha": .word(alpha.rawValue)])
  }

  /// Makes `median`: median of 3x3 pixels, per channel.
  public static func median() -> HDRFilter {
    typed("median")
  }

  /// Makes `morphology-maximum`: the largest of each component over a disc: light grows.
  ///
  /// - Parameters:
  ///   - radius: of a disc of whole pixels, centre to centre (0...50).
  public static func morphologyMaximum(
    radius: Double = 5
  ) -> HDRFilter {
    typed("morphology-maximum", ["radius": .number(radius)])
  }

  /// Makes `morphology-minimum`: the smallest of each component over a disc: light shrinks.
  ///
  /// - Parameters:
  ///   - radius: of a disc of whole pixels, centre to centre (0...50).
  public static func morphologyMinimum(
    radius: Double = 5
  ) -> HDRFilter {
    typed("morphology-minimum", ["radius": .number(radius)])
  }

  /// Makes `morphology-gradient`: the largest minus the smallest of each component over a disc: edges.
  ///
  /// - Parameters:
  ///   - radius: of a disc of whole pixels, centre to centre (0...50).
  public static func morphologyGradient(
    radius: Double = 5
  ) -> HDRFilter {
    typed("morphology-gradient", ["radius": .number(radius)])
  }

  /// Makes `morphology-rectangle-maximum`: the largest of each component over a rectangle: light grows.
  ///
  /// - Parameters:
  ///   - width: of the rectangle; the nearest odd number of pixels (1...501).
  ///   - height: its height, likewise (1...501).
  public static func morphologyRectangleMaximum(
    width: Double = 5, height: Double = 5
  ) -> HDRFilter {
    typed("morphology-rectangle-maximum", ["width": .number(width), "height": .number(height)])
  }

  /// Makes `morphology-rectangle-minimum`: the smallest of each component over a rectangle: light shrinks.
  ///
  /// - Parameters:
  ///   - width: of the rectangle; the nearest odd number of pixels (1...501).
  ///   - height: its height, likewise (1...501).
  public static func morphologyRectangleMinimum(
    width: Double = 5, height: Double = 5
  ) -> HDRFilter {
    typed("morphology-rectangle-minimum", ["width": .number(width), "height": .number(height)])
  }

  /// Makes `zoom-blur`: mean over magnifications: a camera that zooms in.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - amount: percent by which it zooms in (0...200).
  public static func zoomBlur(
    center: [Double]? = nil, amount: Double = 20
  ) -> HDRFilter {
    typed("zoom-blur", ["center": center.map { .numbers($0) }, "amount": .number(amount)])
  }

  /// Makes `noise-reduction`: small differences of luminance blurred, larger ones sharpened.
  ///
  /// - Parameters:
  ///   - noiseLevel: difference of luminance that is noise, in linear light (0.0001...16).
  ///   - sharpness: how much of larger ones is added (0...10).
  public static func noiseReduction(
    noiseLevel: Double = 0.02, sharpness: Double = 0.4
  ) -> HDRFilter {
    typed("noise-reduction", ["noise-level": .number(noiseLevel), "sharpness": .number(sharpness)])
  }

  /// Makes `color-cubes-mixed-with-mask`: two LUTs, the second where a mask is white.
  ///
  /// - Parameters:
  ///   - lut0: the LUT for where the mask is black.
  ///   - lut1: the LUT for where it is white.
  ///   - mask: the mask, stretched to the picture's size.
  ///   - space: of its inputs and outputs: curve and primaries, srgb if not given.
  ///   - extrapolate: go on beyond the LUT's domain; else cut.
  ///   - interpolation: between nodes; nearest takes the value of one, in 1D tables too.
  public static func colorCubesMixedWithMask(
    lut0: HDRValue, lut1: HDRValue, mask: HDRValue, space: ColorSpace? = nil, extrapolate: Bool = true, interpolation: Interpolation = .tetrahedral
  ) -> HDRFilter {
    typed("color-cubes-mixed-with-mask", ["lut0": lut0, "lut1": lut1, "mask": mask, "space": space.map { .word($0.name) }, "extrapolate": .flag(extrapolate), "interpolation": .word(interpolation.rawValue)])
  }

  /// Makes `color-curves`: curves of a 1D LUT for R, G and B, in their own colour space; cut beyond their domain.
  ///
  /// - Parameters:
  ///   - curves: the 1D LUT among the inputs, or its file.
  ///   - domain: values that the first and the last sample are for; else the file's (2 of -65504...65504).
  ///   - space: of its inputs and outputs: curve and primaries, srgb if not given.
  public static func colorCurves(
    curves: HDRValue, domain: [Double]? = nil, space: ColorSpace? = nil
  ) -> HDRFilter {
    typed("color-curves", ["curves": curves, "domain": domain.map { .numbers($0) }, "space": space.map { .word($0.name) }])
  }

  /// Makes `color-map`: luminance 0 to 1 as the place in a picture that is a scale of colours.
  ///
  /// - Parameters:
  ///   - gradient: the scale, dark to bright from the left.
  public static func colorMap(
    gradient: HDRValue
  ) -> HDRFilter {
    typed("color-map", ["gradient": gradient])
  }

  /// Makes `convert-rgb-to-lab`: light to CIE L*a*b* (D50) as values of their own.
  ///
  /// - Parameters:
  ///   - normalize: L* / 100 and (a*, b* + 128) / 256, so that 0 to 1 is what L* 0 to 100 and a*, b* -128 to 128 are.
  public static func convertRgbToLab(
    normalize: Bool = false
  ) -> HDRFilter {
    typed("convert-rgb-to-lab", ["normalize": .flag(normalize)])
  }

  /// Makes `convert-lab-to-rgb`: takes R, G, B for CIE L*a*b* (D50) and makes them light.
  ///
  /// - Parameters:
  ///   - normalize: L* / 100 and (a*, b* + 128) / 256, so that 0 to 1 is what L* 0 to 100 and a*, b* -128 to 128 are.
  public static func convertLabToRgb(
    normalize: Bool = false
  ) -> HDRFilter {
    typed("convert-lab-to-rgb", ["normalize": .flag(normalize)])
  }

  /// Makes `dither`: noise by place, in sRGB-encoded values.
  ///
  /// - Parameters:
  ///   - intensity: from the least to the largest noise; 1/255 is a step of 8 bits (0...5).
  public static func dither(
    intensity: Double = 0.1
  ) -> HDRFilter {
    typed("dither", ["intensity": .number(intensity)])
  }

  /// Makes `false-color`: luminance as the place between two colours.
  ///
  /// - Parameters:
  ///   - color0: what black becomes, encoded sRGB, 0.3/0/0 if not given.
  ///   - color1: what white becomes, 1/0.9/0.8 if not given.
  public static func falseColor(
    color0: FilterColor? = nil, color1: FilterColor? = nil
  ) -> HDRFilter {
    typed("false-color", ["color0": color0.map { .color($0) }, "color1": color1.map { .color($0) }])
  }

  /// Makes `color-absolute-difference`: the distance of picture and input, component by component; alpha is the product.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
  ///   - fit: its own size, or stretched to the picture's.
  public static func colorAbsoluteDifference(
    input: HDRValue, offset: [Double] = [0, 0], fit: Fit = .none
  ) -> HDRFilter {
    typed("color-absolute-difference", ["input": input, "offset": .numbers(offset), "fit": .word(fit.rawValue)])
  }

  /// Makes `blend-with-alpha-mask`: the input where a mask is opaque, the picture where it is transparent.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - mask: picture whose numbers, 0 to 1, are the input's share.
  ///   - fit: inputs: their own size, or stretched to the picture's.
  public static func blendWithAlphaMask(
    input: HDRValue, mask: HDRValue, fit: Fit = .stretch
  ) -> HDRFilter {
    typed("blend-with-alpha-mask", ["input": input, "mask": mask, "fit": .word(fit.rawValue)])
  }

  /// Makes `blend-with-red-mask`: the input where a mask's red is 1, the picture where it is 0.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - mask: picture whose numbers, 0 to 1, are the input's share.
  ///   - fit: inputs: their own size, or stretched to the picture's.
  public static func blendWithRedMask(
    input: HDRValue, mask: HDRValue, fit: Fit = .stretch
  ) -> HDRFilter {
    typed("blend-with-red-mask", ["input": input, "mask": mask, "fit": .word(fit.rawValue)])
  }

  /// Makes `blend-with-blue-mask`: the input where a mask's blue is 1, the picture where it is 0.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - mask: picture whose numbers, 0 to 1, are the input's share.
  ///   - fit: inputs: their own size, or stretched to the picture's.
  public static func blendWithBlueMask(
    input: HDRValue, mask: HDRValue, fit: Fit = .stretch
  ) -> HDRFilter {
    typed("blend-with-blue-mask", ["input": input, "mask": mask, "fit": .word(fit.rawValue)])
  }

  /// Makes `smooth-linear-gradient`: from one colour to another along a line, slower at both ends.
  ///
  /// - Parameters:
  ///   - point0: x, y where the first colour ends, in pixels (2 of -1048576...1048576).
  ///   - point1: x, y where the second colour begins (2 of -1048576...1048576).
  ///   - color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
  ///   - color1: second colour, 0/0/0/1 if not given.
  ///   - exposure: stops added to the colours (-20...20).
  public static func smoothLinearGradient(
    point0: [Double] = [0, 0], point1: [Double] = [200, 200], color0: FilterColor? = nil, color1: FilterColor? = nil, exposure: Double = 0
  ) -> HDRFilter {
    typed("smooth-linear-gradient", ["point0": .numbers(point0), "point1": .numbers(point1), "color0": color0.map { .color($0) }, "color1": color1.map { .color($0) }, "exposure": .number(exposure)])
  }

  /// Makes `edges`: edges in colour: the length of each component's gradient.
  ///
  /// - Parameters:
  ///   - intensity: times the height of an edge (0...10).
  public static func edges(
    intensity: Double = 1
  ) -> HDRFilter {
    typed("edges", ["intensity": .number(intensity)])
  }

  /// Makes `sobel-gradients`: gradients as colours: along rows in R, down columns in G.
  public static func sobelGradients() -> HDRFilter {
    typed("sobel-gradients")
  }

  /// Makes `pixellate`: squares of the mean light in them.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - scale: side of a square in pixels (1...65536).
  public static func pixellate(
    center: [Double]? = nil, scale: Double = 8
  ) -> HDRFilter {
    typed("pixellate", ["center": center.map { .numbers($0) }, "scale": .number(scale)])
  }

  /// Makes `hexagonal-pixellate`: hexagons of one colour.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - scale: width of a hexagon in pixels (1...2000).
  public static func hexagonalPixellate(
    center: [Double]? = nil, scale: Double = 8
  ) -> HDRFilter {
    typed("hexagonal-pixellate", ["center": center.map { .numbers($0) }, "scale": .number(scale)])
  }

  /// Makes `crystallize`: areas of one colour around scattered points.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: half the mean distance of points in pixels (1...1000).
  public static func crystallize(
    center: [Double]? = nil, radius: Double = 20
  ) -> HDRFilter {
    typed("crystallize", ["center": center.map { .numbers($0) }, "radius": .number(radius)])
  }

  /// Makes `pointillize`: dots of one colour at scattered points, transparent between.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: half the mean distance of points in pixels (1...1000).
  public static func pointillize(
    center: [Double]? = nil, radius: Double = 20
  ) -> HDRFilter {
    typed("pointillize", ["center": center.map { .numbers($0) }, "radius": .number(radius)])
  }

  /// Makes `swipe-transition`: from the picture to the input behind a soft front.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - time: 0: the picture, 1: the input (0...1).
  ///   - angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
  ///   - width: of the front in pixels (1...65536).
  ///   - color: of the light, encoded sRGB; 1 is white, 1/1/1 if not given.
  ///   - opacity: of the front's colour in its middle (0...1).
  ///   - fit: inputs: their own size, or stretched to the picture's.
  public static func swipeTransition(
    input: HDRValue, time: Double = 0, angle: Double = 0, width: Double = 300, color: FilterColor? = nil, opacity: Double = 0, fit: Fit = .stretch
  ) -> HDRFilter {
    typed("swipe-transition", ["input": input, "time": .number(time), "angle": .number(angle), "width": .number(width), "color": color.map { .color($0) }, "opacity": .number(opacity), "fit": .word(fit.rawValue)])
  }

  /// Makes `bars-swipe-transition`: from the picture to the input bar by bar.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - time: 0: the picture, 1: the input (0...1).
  ///   - angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
  ///   - width: of a bar in pixels (2...65536).
  ///   - barOffset: pixels by which a bar is behind the one before it (-1000...1000).
  ///   - fit: inputs: their own size, or stretched to the picture's.
  public static func barsSwipeTransition(
    input: HDRValue, time: Double = 0, angle: Double = 180, width: Double = 30, barOffset: Double = 10, fit: Fit = .stretch
  ) -> HDRFilter {
    typed("bars-swipe-transition", ["input": input, "time": .number(time), "angle": .number(angle), "width": .number(width), "bar-offset": .number(barOffset), "fit": .word(fit.rawValue)])
  }

  /// Makes `copy-machine-transition`: from the picture to the input behind a lamp whose light is added.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - time: 0: the picture, 1: the input (0...1).
  ///   - angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
  ///   - width: of the light in pixels (1...65536).
  ///   - color: of the lamp, encoded sRGB; 1 is white, 0.6/1/0.8 if not given.
  ///   - opacity: times the colour: the light in its middle (0...100).
  ///   - fit: inputs: their own size, or stretched to the picture's.
  public static func copyMachineTransition(
    input: HDRValue, time: Double = 0, angle: Double = 0, width: Double = 200, color: FilterColor? = nil, opacity: Double = 1.3, fit: Fit = .stretch
  ) -> HDRFilter {
    typed("copy-machine-transition", ["input": input, "time": .number(time), "angle": .number(angle), "width": .number(width), "color": color.map { .color($0) }, "opacity": .number(opacity), "fit": .word(fit.rawValue)])
  }

  /// Makes `flash-transition`: from the picture to the input by a flash that spreads and fades.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - time: 0: the picture, 1: the input (0...1).
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - color: of the flash, encoded sRGB; 1 is white, 1/0.8/0.6 if not given.
  ///   - maxStriationRadius: how far rays reach, times the flash (0...10).
  ///   - striationStrength: how much of that they do (0...3).
  ///   - striationContrast: of rays and what lies between (0...5).
  ///   - fadeThreshold: time at which the flash fills the picture (0...1).
  ///   - fit: inputs: their own size, or stretched to the picture's.
  public static func flashTransition(
    input: HDRValue, time: Double = 0, center: [Double]? = nil, color: FilterColor? = nil, maxStriationRadius: Double = 2.58, striationStrength: Double = 0.5, striationContrast: Double = 1.375, fadeThreshold: Double = 0.85, fit: Fit = .stretch
  ) -> HDRFilter {
    typed("flash-transition", ["input": input, "time": .number(time), "center": center.map { .numbers($0) }, "color": color.map { .color($0) }, "max-striation-radius": .number(maxStriationRadius), "striation-strength": .number(striationStrength), "striation-contrast": .number(striationContrast), "fade-threshold": .number(fadeThreshold), "fit": .word(fit.rawValue)])
  }

  /// Makes `mod-transition`: from the picture to the input through growing holes.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - time: 0: the picture, 1: the input (0...1).
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
  ///   - radius: of a hole in the middle, in pixels (1...65536).
  ///   - compression: pixels from the centre where holes are twice as far apart (1...65536).
  ///   - fit: inputs: their own size, or stretched to the picture's.
  public static func modTransition(
    input: HDRValue, time: Double = 0, center: [Double]? = nil, angle: Double = 114.6, radius: Double = 150, compression: Double = 300, fit: Fit = .stretch
  ) -> HDRFilter {
    typed("mod-transition", ["input": input, "time": .number(time), "center": center.map { .numbers($0) }, "angle": .number(angle), "radius": .number(radius), "compression": .number(compression), "fit": .word(fit.rawValue)])
  }

  /// Makes `disintegrate-with-mask-transition`: from the picture to the input where a mask is dark first, with a shadow.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - mask: picture whose luminance, 0 to 1, says when.
  ///   - time: 0: the picture, 1: the input (0...1).
  ///   - shadowRadius: standard deviation of the shadow's blur in pixels (0...500).
  ///   - shadowDensity: 0 no shadow, 1 a black one (0...1).
  ///   - shadowOffset: whole pixels to the right and down (2 of -4096...4096).
  public static func disintegrateWithMaskTransition(
    input: HDRValue, mask: HDRValue, time: Double = 0, shadowRadius: Double = 8, shadowDensity: Double = 0.65, shadowOffset: [Double] = [0, 10]
  ) -> HDRFilter {
    typed("disintegrate-with-mask-transition", ["input": input, "mask": mask, "time": .number(time), "shadow-radius": .number(shadowRadius), "shadow-density": .number(shadowDensity), "shadow-offset": .numbers(shadowOffset)])
  }

  /// Makes `accordion-fold-transition`: from the picture, which folds down, to the input behind it.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - time: 0: the picture, 1: the input (0...1).
  ///   - bottomHeight: pixels at the bottom that do not fold (0...65536).
  ///   - numberOfFolds: of two panels each (1...50).
  ///   - foldShadowAmount: share of its light that every second panel loses (0...1).
  public static func accordionFoldTransition(
    input: HDRValue, time: Double = 0, bottomHeight: Double = 0, numberOfFolds: Int = 3, foldShadowAmount: Double = 0.1
  ) -> HDRFilter {
    typed("accordion-fold-transition", ["input": input, "time": .number(time), "bottom-height": .number(bottomHeight), "number-of-folds": .number(Double(numberOfFolds)), "fold-shadow-amount": .number(foldShadowAmount)])
  }

  /// Makes `resize`: made to fit a size; never larger than it was unless enlarge is true.
  ///
  /// - Parameters:
  ///   - size: pixels of the longer side; without any of the four it stays as it is (1...65536).
  ///   - width: pixels; without the height, that follows (1...65536).
  ///   - height: pixels; without the width, that follows (1...65536).
  ///   - percent: of the picture's own size (0.1...6400).
  ///   - fit: into width and height; fill: all of them, what stands over is cut away evenly; stretch: all of them, out of shape.
  ///   - enlarge: makes small pictures larger too.
  ///   - method: Lanczos of three lobes; Mitchell-Netravali; mean over the pixel's area; triangle.
  ///   - space: light, or its PQ signal: less ringing around highlights.
  public static func resize(
    size: Int? = nil, width: Int? = nil, height: Int? = nil, percent: Double? = nil, fit: ResizeFit = .fit, enlarge: Bool = false, method: Method = .lanczos, space: Space = .linear
  ) -> HDRFilter {
    typed("resize", ["size": size.map { .number(Double($0)) }, "width": width.map { .number(Double($0)) }, "height": height.map { .number(Double($0)) }, "percent": percent.map { .number($0) }, "fit": .word(fit.rawValue), "enlarge": .flag(enlarge), "method": .word(method.rawValue), "space": .word(space.rawValue)])
  }

  /// Makes `aces-output`: scene light as an output transform of ACES 2.0 or 1 shows it.
  ///
  /// - Parameters:
  ///   - view: the output transform.
  ///   - white: cd/m² of the view that are reference white; by default 100 for SDR, 203 for HDR (1...10000).
  public static func acesOutput(
    view: View = .sdr709, white: Double? = nil
  ) -> HDRFilter {
    typed("aces-output", ["view": .word(view.rawValue), "white": white.map { .number($0) }])
  }

  /// Makes `aces-inverse`: the scene light that a view of ACES 2.0 or 1 shows like this: for graphics and SDR plates.
  ///
  /// - Parameters:
  ///   - view: the output transform.
  ///   - white: cd/m² of the view that are reference white; by default 100 for SDR, 203 for HDR (1...10000).
  public static func acesInverse(
    view: View = .sdr709, white: Double? = nil
  ) -> HDRFilter {
    typed("aces-inverse", ["view": .word(view.rawValue), "white": white.map { .number($0) }])
  }

  /// Makes `aces-gamut-compress`: scene light with colours outside AP1 brought inside, as ACES 1.3 does it, or back.
  ///
  /// - Parameters:
  ///   - inverse: true undoes it.
  public static func acesGamutCompress(
    inverse: Bool = false
  ) -> HDRFilter {
    typed("aces-gamut-compress", ["inverse": .flag(inverse)])
  }

  /// Makes `aces-blue-light-fix`: scene light with less saturated blues, as ACES 1 fixes lights that it shows violet, or back.
  ///
  /// - Parameters:
  ///   - inverse: true undoes it.
  public static func acesBlueLightFix(
    inverse: Bool = false
  ) -> HDRFilter {
    typed("aces-blue-light-fix", ["inverse": .flag(inverse)])
  }

  /// Makes `cdl`: slope, offset, power and saturation of ASC CDL, by numbers or from a .cc, .ccc or .cdl file.
  ///
  /// - Parameters:
  ///   - file: the correction among the inputs, or its file, with #ID of one of several; then no numbers.
  ///   - slope: factors of R, G, B (3 of 0...1000).
  ///   - offset: added to R, G, B (3 of -1000...1000).
  ///   - power: exponents of R, G, B (3 of 0.01...100).
  ///   - sat: distance from the luminance of BT.709; 0 is grey (0...100).
  ///   - style: noclamp keeps negative bases of the power and all light; asc keeps numbers within 0 to 1.
  ///   - inverse: undo the correction.
  ///   - space: in which the numbers are corrected: curve and primaries, linear-bt2020 if not given.
  public static func cdl(
    file: HDRValue? = nil, slope: [Double] = [1, 1, 1], offset: [Double] = [0, 0, 0], power: [Double] = [1, 1, 1], sat: Double = 1, style: Style = .noclamp, inverse: Bool = false, space: ColorSpace? = nil
  ) -> HDRFilter {
    typed("cdl", ["file": file.map { $0 }, "slope": .numbers(slope), "offset": .numbers(offset), "power": .numbers(power), "sat": .number(sat), "style": .word(style.rawValue), "inverse": .flag(inverse), "space": space.map { .word($0.name) }])
  }

  /// Makes `ocio`: the numbers of a space of the OpenColorIO config become those of another.
  ///
  /// - Parameters:
  ///   - from: the space that the numbers are of; linear BT.2020 without.
  ///   - to: the space that they become those of; linear BT.2020 without.
  public static func ocio(
    from: String? = nil, to: String? = nil
  ) -> HDRFilter {
    typed("ocio", ["from": from.map { .word($0) }, "to": to.map { .word($0) }])
  }

  /// Makes `look`: looks of the OpenColorIO config, by name.
  ///
  /// - Parameters:
  ///   - name: the look, or several, as a, -b; none without.
  public static func look(
    name: String? = nil
  ) -> HDRFilter {
    typed("look", ["name": name.map { .word($0) }])
  }

  /// Makes `maximum-component`: grey of the largest of R, G and B.
  public static func maximumComponent() -> HDRFilter {
    typed("maximum-component")
  }

  /// Makes `minimum-component`: grey of the smallest of R, G and B.
  public static func minimumComponent() -> HDRFilter {
    typed("minimum-component")
  }

  /// Makes `color-cross-polynomial`: each component a polynomial of all three; grows fast above white.
  ///
  /// - Parameters:
  ///   - redCoefficients: of r, g, b, r², g², b², rg, gb, br, 1 (10 of -100...100).
  ///   - greenCoefficients: of r, g, b, r², g², b², rg, gb, br, 1 (10 of -100...100).
  ///   - blueCoefficients: of r, g, b, r², g², b², rg, gb, br, 1 (10 of -100...100).
  public static func colorCrossPolynomial(
    redCoefficients: [Double] = [1, 0, 0, 0, 0, 0, 0, 0, 0, 0], greenCoefficients: [Double] = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0], blueCoefficients: [Double] = [0, 0, 1, 0, 0, 0, 0, 0, 0, 0]
  ) -> HDRFilter {
    typed("color-cross-polynomial", ["red-coefficients": .numbers(redCoefficients), "green-coefficients": .numbers(greenCoefficients), "blue-coefficients": .numbers(blueCoefficients)])
  }

  /// Makes `spot-color`: colours near three centres become three others.
  ///
  /// - Parameters:
  ///   - centerColor1: that changes, encoded sRGB, 0.08/0.06/0.01 if not given.
  ///   - replacementColor1: that it becomes, 0.44/0.19/0.2 if not given.
  ///   - closeness1: how far from the centre colours change; 0: none (0...4).
  ///   - contrast1: 1: all alike; 0: less and less away from the centre (0...1).
  ///   - centerColor2: that changes, encoded sRGB, 0.06/0.06/0.12 if not given.
  ///   - replacementColor2: that it becomes, 0.91/0.56/0.51 if not given.
  ///   - closeness2: how far from the centre colours change; 0: none (0...4).
  ///   - contrast2: 1: all alike; 0: less and less away from the centre (0...1).
  ///   - centerColor3: that changes, encoded sRGB, 0.22/0.45/0.63 if not given.
  ///   - replacementColor3: that it becomes, 0.91/0.75/0.6 if not given.
  ///   - closeness3: how far from the centre colours change; 0: none (0...4).
  ///   - contrast3: 1: all alike; 0: less and less away from the centre (0...1).
  public static func spotColor(
    centerColor1: FilterColor? = nil, replacementColor1: FilterColor? = nil, closeness1: Double = 0.22, contrast1: Double = 0.98, centerColor2: FilterColor? = nil, replacementColor2: FilterColor? = nil, closeness2: Double = 0.15, contrast2: Double = 0.98, centerColor3: FilterColor? = nil, replacementColor3: FilterColor? = nil, closeness3: Double = 0.5, contrast3: Double = 0.99
  ) -> HDRFilter {
    typed("spot-color", ["center-color1": centerColor1.map { .color($0) }, "replacement-color1": replacementColor1.map { .color($0) }, "closeness1": .number(closeness1), "contrast1": .number(contrast1), "center-color2": centerColor2.map { .color($0) }, "replacement-color2": replacementColor2.map { .color($0) }, "closeness2": .number(closeness2), "contrast2": .number(contrast2), "center-color3": centerColor3.map { .color($0) }, "replacement-color3": replacementColor3.map { .color($0) }, "closeness3": .number(closeness3), "contrast3": .number(contrast3)])
  }

  /// Makes `rounded-rectangle-generator`: a rectangle of one colour with round corners.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it the middle third of the picture (4 of -1048576...1048576).
  ///   - radius: of the corners, in pixels (0...1048576).
  ///   - color: encoded sRGB; 1 is white, 1/1/1/1 if not given.
  ///   - exposure: stops added to the colours (-20...20).
  public static func roundedRectangleGenerator(
    extent: [Double]? = nil, radius: Double = 10, color: FilterColor? = nil, exposure: Double = 0
  ) -> HDRFilter {
    typed("rounded-rectangle-generator", ["extent": extent.map { .numbers($0) }, "radius": .number(radius), "color": color.map { .color($0) }, "exposure": .number(exposure)])
  }

  /// Makes `rounded-rectangle-stroke-generator`: the line around a rectangle with round corners.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it the middle third of the picture (4 of -1048576...1048576).
  ///   - radius: of the corners, in pixels (0...1048576).
  ///   - width: of the line, in pixels (0...1048576).
  ///   - color: encoded sRGB; 1 is white, 1/1/1/1 if not given.
  ///   - exposure: stops added to the colours (-20...20).
  public static func roundedRectangleStrokeGenerator(
    extent: [Double]? = nil, radius: Double = 10, width: Double = 10, color: FilterColor? = nil, exposure: Double = 0
  ) -> HDRFilter {
    typed("rounded-rectangle-stroke-generator", ["extent": extent.map { .numbers($0) }, "radius": .number(radius), "width": .number(width), "color": color.map { .color($0) }, "exposure": .number(exposure)])
  }

  /// Makes `star-shine-generator`: a spot of light with a cross of four beams.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - color: of the light, encoded sRGB; 1 is white, 1/0.8/0.6/1 if not given.
  ///   - radius: of the spot, in pixels (0.01...1048576).
  ///   - crossScale: pixels along a beam over which its light halves, for epsilon 0 (0.01...1048576).
  ///   - crossAngle: of a beam, in degrees (-36000...36000).
  ///   - crossOpacity: light of the beams, in stops (-8...2).
  ///   - crossWidth: pixels across a beam over which its light halves (0.01...1048576).
  ///   - epsilon: stops by which beams are shorter (-8...8).
  ///   - exposure: stops added to the colours (-20...20).
  public static func starShineGenerator(
    center: [Double]? = nil, color: FilterColor? = nil, radius: Double = 50, crossScale: Double = 15, crossAngle: Double = 34.4, crossOpacity: Double = -2, crossWidth: Double = 2.5, epsilon: Double = -2, exposure: Double = 0
  ) -> HDRFilter {
    typed("star-shine-generator", ["center": center.map { .numbers($0) }, "color": color.map { .color($0) }, "radius": .number(radius), "cross-scale": .number(crossScale), "cross-angle": .number(crossAngle), "cross-opacity": .number(crossOpacity), "cross-width": .number(crossWidth), "epsilon": .number(epsilon), "exposure": .number(exposure)])
  }

  /// Makes `sunbeams-generator`: a sun whose light fades into rays.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - color: of the light, encoded sRGB; 1 is white, 1/0.5/0/1 if not given.
  ///   - sunRadius: in pixels (0...1048576).
  ///   - maxStriationRadius: how far rays reach, times the sun (0...10).
  ///   - striationStrength: how much of that they do (0...1).
  ///   - striationContrast: of rays and what lies between (0...5).
  ///   - time: turns of the rays (-36000...36000).
  ///   - exposure: stops added to the colours (-20...20).
  public static func sunbeamsGenerator(
    center: [Double]? = nil, color: FilterColor? = nil, sunRadius: Double = 40, maxStriationRadius: Double = 2.58, striationStrength: Double = 0.5, striationContrast: Double = 1.375, time: Double = 0, exposure: Double = 0
  ) -> HDRFilter {
    typed("sunbeams-generator", ["center": center.map { .numbers($0) }, "color": color.map { .color($0) }, "sun-radius": .number(sunRadius), "max-striation-radius": .number(maxStriationRadius), "striation-strength": .number(striationStrength), "striation-contrast": .number(striationContrast), "time": .number(time), "exposure": .number(exposure)])
  }

  /// Makes `lenticular-halo-generator`: the halo of a bright light: rings of red, green and blue with rays.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - color: of the light, encoded sRGB; 1 is white, 1/0.9/0.8/1 if not given.
  ///   - haloRadius: of the green ring, in pixels (0...1048576).
  ///   - haloWidth: of each ring, in pixels (0.01...1048576).
  ///   - haloOverlap: of rings: 1 is all, which is white (0...1).
  ///   - striationStrength: of the rays (0...3).
  ///   - striationContrast: of rays and what lies between (0...5).
  ///   - time: turns of the rays (-36000...36000).
  ///   - exposure: stops added to the colours (-20...20).
  public static func lenticularHaloGenerator(
    center: [Double]? = nil, color: FilterColor? = nil, haloRadius: Double = 70, haloWidth: Double = 87, haloOverlap: Double = 0.77, striationStrength: Double = 0.5, striationContrast: Double = 1, time: Double = 0, exposure: Double = 0
  ) -> HDRFilter {
    typed("lenticular-halo-generator", ["center": center.map { .numbers($0) }, "color": color.map { .color($0) }, "halo-radius": .number(haloRadius), "halo-width": .number(haloWidth), "halo-overlap": .number(haloOverlap), "striation-strength": .number(striationStrength), "striation-contrast": .number(striationContrast), "time": .number(time), "exposure": .number(exposure)])
  }

  /// Makes `spot-light`: the light of a lamp above the picture.
  ///
  /// - Parameters:
  ///   - lightPosition: x, y and height above the picture in pixels; without it above the right bottom corner (3 of -1048576...1048576).
  ///   - lightPointsAt: x, y and height above the picture in pixels; without it the picture's centre (3 of -1048576...1048576).
  ///   - brightness: of the light, a factor (0...100).
  ///   - concentration: the smaller, the narrower the beam (0.001...2).
  ///   - color: of the light, encoded sRGB; 1 is white, 1/1/1 if not given.
  public static func spotLight(
    lightPosition: [Double]? = nil, lightPointsAt: [Double]? = nil, brightness: Double = 3, concentration: Double = 0.1, color: FilterColor? = nil
  ) -> HDRFilter {
    typed("spot-light", ["light-position": lightPosition.map { .numbers($0) }, "light-points-at": lightPointsAt.map { .numbers($0) }, "brightness": .number(brightness), "concentration": .number(concentration), "color": color.map { .color($0) }])
  }

  /// Makes `mesh-generator`: lines of one colour.
  ///
  /// - Parameters:
  ///   - width: of lines, in pixels (0...1048576).
  ///   - color: encoded sRGB; 1 is white, 1/1/1/1 if not given.
  ///   - mesh: lines x0/y0/x1/y1 with ; between them, up to 1024; without them the picture's diagonals.
  ///   - exposure: stops added to the colours (-20...20).
  public static func meshGenerator(
    width: Double = 1.5, color: FilterColor? = nil, mesh: String? = nil, exposure: Double = 0
  ) -> HDRFilter {
    typed("mesh-generator", ["width": .number(width), "color": color.map { .color($0) }, "mesh": mesh.map { .word($0) }, "exposure": .number(exposure)])
  }

  /// Makes `shaded-material`: luminance as a relief, lit like a sphere's picture.
  ///
  /// - Parameters:
  ///   - shading: a lit sphere in a square; without it one of glass.
  ///   - scale: height of white, in pixels (0...1048576).
  public static func shadedMaterial(
    shading: HDRValue? = nil, scale: Double = 10
  ) -> HDRFilter {
    typed("shaded-material", ["shading": shading.map { $0 }, "scale": .number(scale)])
  }

  /// Makes `bokeh-blur`: mean over a disc: lights out of focus.
  ///
  /// - Parameters:
  ///   - radius: of the disc, in pixels (0...100).
  ///   - ringAmount: extra light of the ring (0...1).
  ///   - ringSize: of the ring, times the radius (0...0.2).
  ///   - softness: width of the rim in pixels (0...10).
  public static func bokehBlur(
    radius: Double = 20, ringAmount: Double = 0, ringSize: Double = 0.1, softness: Double = 1
  ) -> HDRFilter {
    typed("bokeh-blur", ["radius": .number(radius), "ring-amount": .number(ringAmount), "ring-size": .number(ringSize), "softness": .number(softness)])
  }

  /// Makes `gabor-gradients`: gradients as colours, by smoother weights: along rows in R, down columns in G.
  public static func gaborGradients() -> HDRFilter {
    typed("gabor-gradients")
  }

  /// Makes `canny-edge-detector`: edges a pixel wide: 1 where there is one, else 0.
  ///
  /// - Parameters:
  ///   - gaussianSigma: of the blur before, in pixels (0...10).
  ///   - perceptual: of sRGB signals instead of light.
  ///   - thresholdHigh: slope of strong edges, in light a pixel (0...65504).
  ///   - thresholdLow: slope of weak edges (0...65504).
  ///   - hysteresisPasses: pixels that edges go on from strong to weak ones (0...20).
  public static func cannyEdgeDetector(
    gaussianSigma: Double = 1.6, perceptual: Bool = false, thresholdHigh: Double = 0.05, thresholdLow: Double = 0.02, hysteresisPasses: Int = 1
  ) -> HDRFilter {
    typed("canny-edge-detector", ["gaussian-sigma": .number(gaussianSigma), "perceptual": .flag(perceptual), "threshold-high": .number(thresholdHigh), "threshold-low": .number(thresholdLow), "hysteresis-passes": .number(Double(hysteresisPasses))])
  }

  /// Makes `edge-preserve-upsample`: a smaller picture in this one's size, with this one's edges.
  ///
  /// - Parameters:
  ///   - small: the smaller picture.
  ///   - spatialSigma: in pixels of the smaller picture (0.1...5).
  ///   - lumaSigma: difference of signals that counts less (0.001...1).
  public static func edgePreserveUpsample(
    small: HDRValue, spatialSigma: Double = 3, lumaSigma: Double = 0.15
  ) -> HDRFilter {
    typed("edge-preserve-upsample", ["small": small, "spatial-sigma": .number(spatialSigma), "luma-sigma": .number(lumaSigma)])
  }

  /// Makes `guided-filter`: the picture in a guide's size, with the guide's edges.
  ///
  /// - Parameters:
  ///   - guide: the picture whose size and edges are wanted.
  ///   - radius: pixels to each side (0...100).
  ///   - epsilon: squared contrast that counts as flat (1e-06...10).
  public static func guidedFilter(
    guide: HDRValue, radius: Int = 1, epsilon: Double = 0.0001
  ) -> HDRFilter {
    typed("guided-filter", ["guide": guide, "radius": .number(Double(radius)), "epsilon": .number(epsilon)])
  }

  /// Makes `page-curl-transition`: from the picture to the input: a page that is rolled up.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - backside: the page's other side; without it the picture too.
  ///   - shading: a lit sphere in a square, 0.5 adds nothing; without it the roll is darker on top.
  ///   - time: 0: the picture, 1: the input (0...1).
  ///   - angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
  ///   - radius: of the roll, in pixels (0.01...1048576).
  public static func pageCurlTransition(
    input: HDRValue, backside: HDRValue? = nil, shading: HDRValue? = nil, time: Double = 0, angle: Double = 0, radius: Double = 100
  ) -> HDRFilter {
    typed("page-curl-transition", ["input": input, "backside": backside.map { $0 }, "shading": shading.map { $0 }, "time": .number(time), "angle": .number(angle), "radius": .number(radius)])
  }

  /// Makes `page-curl-with-shadow-transition`: from the picture to the input: a page that is rolled up and casts a shadow.
  ///
  /// - Parameters:
  ///   - input: the picture on top.
  ///   - backside: the page's other side; without it the picture too.
  ///   - time: 0: the picture, 1: the input (0...1).
  ///   - angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
  ///   - radius: of the roll, in pixels (0.01...1048576).
  ///   - shadowSize: length of the shadow, times the roll's width (0...1).
  ///   - shadowAmount: strength of the shadow (0...1).
  public static func pageCurlWithShadowTransition(
    input: HDRValue, backside: HDRValue? = nil, time: Double = 0, angle: Double = 0, radius: Double = 100, shadowSize: Double = 0.5, shadowAmount: Double = 0.7
  ) -> HDRFilter {
    typed("page-curl-with-shadow-transition", ["input": input, "backside": backside.map { $0 }, "time": .number(time), "angle": .number(angle), "radius": .number(radius), "shadow-size": .number(shadowSize), "shadow-amount": .number(shadowAmount)])
  }

  /// Makes `kmeans`: a row: the most typical colours of an area, alpha the share of each.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  ///   - means: colours to start with: the first row of a picture.
  ///   - count: number of colours: pixels of the row (1...128).
  ///   - passes: how often means are made (0...20).
  ///   - perceptual: distances and means of sRGB signals.
  public static func kmeans(
    extent: [Double]? = nil, means: HDRValue? = nil, count: Int = 8, passes: Int = 5, perceptual: Bool = false
  ) -> HDRFilter {
    typed("kmeans", ["extent": extent.map { .numbers($0) }, "means": means.map { $0 }, "count": .number(Double(count)), "passes": .number(Double(passes)), "perceptual": .flag(perceptual)])
  }

  /// Makes `area-bounds-red`: one pixel: x, y, width and height of the box outside which red is 0, as shares of an area.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  public static func areaBoundsRed(
    extent: [Double]? = nil
  ) -> HDRFilter {
    typed("area-bounds-red", ["extent": extent.map { .numbers($0) }])
  }

  /// Makes `mix`: the picture and an input behind it, mixed by an amount.
  ///
  /// - Parameters:
  ///   - input: the picture behind.
  ///   - amount: 1: the picture, 0: the input (0...1).
  ///   - fit: inputs: their own size, or stretched to the picture's.
  public static func mix(
    input: HDRValue, amount: Double = 1, fit: Fit = .stretch
  ) -> HDRFilter {
    typed("mix", ["input": input, "amount": .number(amount), "fit": .word(fit.rawValue)])
  }

  /// Makes `sample-nearest`: the next filter that moves pixels freely takes the nearest one, unless told otherwise.
  public static func sampleNearest() -> HDRFilter {
    typed("sample-nearest")
  }

  /// Makes `affine-clamp`: through a 2x3 matrix as affine; around the picture its border's pixels repeat.
  ///
  /// - Parameters:
  ///   - matrix: a, b, tx, c, d, ty: x' = a x + b y + tx, y' = c x + d y + ty in pixels from the top left corner (6 of -1048576...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  public static func affineClamp(
    matrix: [Double] = [0.4, 0, 0, 0, 0.4, 0], sampling: Sampling = .bilinear
  ) -> HDRFilter {
    typed("affine-clamp", ["matrix": .numbers(matrix), "sampling": .word(sampling.rawValue)])
  }

  /// Makes `clamp`: around an extent the pixels of its border repeat, over all of the picture.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  public static func clamp(
    extent: [Double]? = nil
  ) -> HDRFilter {
    typed("clamp", ["extent": extent.map { .numbers($0) }])
  }

  /// Makes `perspective-transform-with-extent`: the corners of an extent moved to four places, and all around it moved alike.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  ///   - topLeft: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
  ///   - topRight: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
  ///   - bottomRight: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
  ///   - bottomLeft: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
  ///   - canvas: the picture's own size, or as large as what becomes of it.
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  public static func perspectiveTransformWithExtent(
    extent: [Double]? = nil, topLeft: [Double]? = nil, topRight: [Double]? = nil, bottomRight: [Double]? = nil, bottomLeft: [Double]? = nil, canvas: Canvas = .same, sampling: Sampling = .bilinear
  ) -> HDRFilter {
    typed("perspective-transform-with-extent", ["extent": extent.map { .numbers($0) }, "top-left": topLeft.map { .numbers($0) }, "top-right": topRight.map { .numbers($0) }, "bottom-right": bottomRight.map { .numbers($0) }, "bottom-left": bottomLeft.map { .numbers($0) }, "canvas": .word(canvas.rawValue), "sampling": .word(sampling.rawValue)])
  }

  /// Makes `perspective-rotate`: as if the camera had been turned about its lens.
  ///
  /// - Parameters:
  ///   - focalLength: of the lens in mm, as on film of 36x24; the picture's diagonal is the film's (1...10000).
  ///   - pitch: degrees; positive: the bottom recedes, which rights buildings taken from below (-36000...36000).
  ///   - yaw: degrees; positive: the left side recedes (-36000...36000).
  ///   - roll: degrees; counter-clockwise as seen (-36000...36000).
  ///   - canvas: the picture's own size, or as large as what becomes of it.
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  public static func perspectiveRotate(
    focalLength: Double = 28, pitch: Double = 0, yaw: Double = 0, roll: Double = 0, canvas: Canvas = .same, sampling: Sampling = .bilinear
  ) -> HDRFilter {
    typed("perspective-rotate", ["focal-length": .number(focalLength), "pitch": .number(pitch), "yaw": .number(yaw), "roll": .number(roll), "canvas": .word(canvas.rawValue), "sampling": .word(sampling.rawValue)])
  }

  /// Makes `keystone-correction-vertical`: upright lines made upright: buildings taken from below.
  ///
  /// - Parameters:
  ///   - focalLength: of the lens in mm, as on film of 36x24; the picture's diagonal is the film's (1...10000).
  ///   - topLeft: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
  ///   - topRight: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
  ///   - bottomRight: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
  ///   - bottomLeft: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
  ///   - crop: the largest rectangle of the picture's shape without transparency; otherwise its own canvas.
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  public static func keystoneCorrectionVertical(
    focalLength: Double = 28, topLeft: [Double]? = nil, topRight: [Double]? = nil, bottomRight: [Double]? = nil, bottomLeft: [Double]? = nil, crop: Bool = false, sampling: Sampling = .bilinear
  ) -> HDRFilter {
    typed("keystone-correction-vertical", ["focal-length": .number(focalLength), "top-left": topLeft.map { .numbers($0) }, "top-right": topRight.map { .numbers($0) }, "bottom-right": bottomRight.map { .numbers($0) }, "bottom-left": bottomLeft.map { .numbers($0) }, "crop": .flag(crop), "sampling": .word(sampling.rawValue)])
  }

  /// Makes `keystone-correction-horizontal`: level lines made level: walls taken from the side.
  ///
  /// - Parameters:
  ///   - focalLength: of the lens in mm, as on film of 36x24; the picture's diagonal is the film's (1...10000).
  ///   - topLeft: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
  ///   - topRight: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
  ///   - bottomRight: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
  ///   - bottomLeft: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
  ///   - crop: the largest rectangle of the picture's shape without transparency; otherwise its own canvas.
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  public static func keystoneCorrectionHorizontal(
    focalLength: Double = 28, topLeft: [Double]? = nil, topRight: [Double]? = nil, bottomRight: [Double]? = nil, bottomLeft: [Double]? = nil, crop: Bool = false, sampling: Sampling = .bilinear
  ) -> HDRFilter {
    typed("keystone-correction-horizontal", ["focal-length": .number(focalLength), "top-left": topLeft.map { .numbers($0) }, "top-right": topRight.map { .numbers($0) }, "bottom-right": bottomRight.map { .numbers($0) }, "bottom-left": bottomLeft.map { .numbers($0) }, "crop": .flag(crop), "sampling": .word(sampling.rawValue)])
  }

  /// Makes `keystone-correction-combined`: upright and level lines made so.
  ///
  /// - Parameters:
  ///   - focalLength: of the lens in mm, as on film of 36x24; the picture's diagonal is the film's (1...10000).
  ///   - topLeft: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
  ///   - topRight: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
  ///   - bottomRight: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
  ///   - bottomLeft: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
  ///   - crop: the largest rectangle of the picture's shape without transparency; otherwise its own canvas.
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  public static func keystoneCorrectionCombined(
    focalLength: Double = 28, topLeft: [Double]? = nil, topRight: [Double]? = nil, bottomRight: [Double]? = nil, bottomLeft: [Double]? = nil, crop: Bool = false, sampling: Sampling = .bilinear
  ) -> HDRFilter {
    typed("keystone-correction-combined", ["focal-length": .number(focalLength), "top-left": topLeft.map { .numbers($0) }, "top-right": topRight.map { .numbers($0) }, "bottom-right": bottomRight.map { .numbers($0) }, "bottom-left": bottomLeft.map { .numbers($0) }, "crop": .flag(crop), "sampling": .word(sampling.rawValue)])
  }

  /// Makes `nine-part-stretched`: the middle stretched; corners stay, sides change their length alone.
  ///
  /// - Parameters:
  ///   - breakpoint0: x, y in pixels at which the middle begins (2 of 0...1048576).
  ///   - breakpoint1: x, y at which it ends; beyond the picture its border repeats (2 of 0...1048576).
  ///   - growAmount: columns and rows that are added; below 0 taken away (2 of -1048576...1048576).
  public static func ninePartStretched(
    breakpoint0: [Double] = [50, 50], breakpoint1: [Double] = [150, 150], growAmount: [Double] = [100, 100]
  ) -> HDRFilter {
    typed("nine-part-stretched", ["breakpoint0": .numbers(breakpoint0), "breakpoint1": .numbers(breakpoint1), "grow-amount": .numbers(growAmount)])
  }

  /// Makes `nine-part-tiled`: the middle repeated; corners stay, sides are repeated along their length.
  ///
  /// - Parameters:
  ///   - breakpoint0: x, y in pixels at which the middle begins (2 of 0...1048576).
  ///   - breakpoint1: x, y at which it ends; beyond the picture its border repeats (2 of 0...1048576).
  ///   - growAmount: columns and rows that are added; below 0 taken away (2 of -1048576...1048576).
  ///   - flipYTiles: every other row of tiles upside down.
  public static func ninePartTiled(
    breakpoint0: [Double] = [50, 50], breakpoint1: [Double] = [150, 150], growAmount: [Double] = [100, 100], flipYTiles: Bool = false
  ) -> HDRFilter {
    typed("nine-part-tiled", ["breakpoint0": .numbers(breakpoint0), "breakpoint1": .numbers(breakpoint1), "grow-amount": .numbers(growAmount), "flip-y-tiles": .flag(flipYTiles)])
  }

  /// Makes `maximum-scale-transform`: a smaller picture of the largest components: single lights do not fade.
  ///
  /// - Parameters:
  ///   - scale: size of the result over that of the picture (0.001...1).
  ///   - aspectRatio: how much more it is scaled horizontally (0.01...100).
  public static func maximumScaleTransform(
    scale: Double = 1, aspectRatio: Double = 1
  ) -> HDRFilter {
    typed("maximum-scale-transform", ["scale": .number(scale), "aspect-ratio": .number(aspectRatio)])
  }

  /// Makes `blurred-rectangle-generator`: a blurred rectangle of one colour, such as a shadow; transparent around.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it the middle third of the picture (4 of -1048576...1048576).
  ///   - sigma: standard deviation of the blur in pixels (0...1048576).
  ///   - color: encoded sRGB; 1 is white, 1/1/1/1 if not given.
  ///   - exposure: stops added to the colours (-20...20).
  public static func blurredRectangleGenerator(
    extent: [Double]? = nil, sigma: Double = 10, color: FilterColor? = nil, exposure: Double = 0
  ) -> HDRFilter {
    typed("blurred-rectangle-generator", ["extent": extent.map { .numbers($0) }, "sigma": .number(sigma), "color": color.map { .color($0) }, "exposure": .number(exposure)])
  }

  /// Makes `photo-effect-mono`: a look of this project: black and white, soft.
  ///
  /// - Parameters:
  ///   - extrapolate: goes on above white; else signals are cut to 0...1, before and after.
  public static func photoEffectMono(
    extrapolate: Bool = true
  ) -> HDRFilter {
    typed("photo-effect-mono", ["extrapolate": .flag(extrapolate)])
  }

  /// Makes `photo-effect-tonal`: a look of this project: black and white, tones as they are.
  ///
  /// - Parameters:
  ///   - extrapolate: goes on above white; else signals are cut to 0...1, before and after.
  public static func photoEffectTonal(
    extrapolate: Bool = true
  ) -> HDRFilter {
    typed("photo-effect-tonal", ["extrapolate": .flag(extrapolate)])
  }

  /// Makes `photo-effect-noir`: a look of this project: black and white, hard.
  ///
  /// - Parameters:
  ///   - extrapolate: goes on above white; else signals are cut to 0...1, before and after.
  public static func photoEffectNoir(
    extrapolate: Bool = true
  ) -> HDRFilter {
    typed("photo-effect-noir", ["extrapolate": .flag(extrapolate)])
  }

  /// Makes `photo-effect-chrome`: a look of this project: strong colours and contrast.
  ///
  /// - Parameters:
  ///   - extrapolate: goes on above white; else signals are cut to 0...1, before and after.
  public static func photoEffectChrome(
    extrapolate: Bool = true
  ) -> HDRFilter {
    typed("photo-effect-chrome", ["extrapolate": .flag(extrapolate)])
  }

  /// Makes `photo-effect-fade`: a look of this project: pale, with lifted shadows.
  ///
  /// - Parameters:
  ///   - extrapolate: goes on above white; else signals are cut to 0...1, before and after.
  public static func photoEffectFade(
    extrapolate: Bool = true
  ) -> HDRFilter {
    typed("photo-effect-fade", ["extrapolate": .flag(extrapolate)])
  }

  /// Makes `photo-effect-instant`: a look of this project: warm and a little faded, as instant film.
  ///
  /// - Parameters:
  ///   - extrapolate: goes on above white; else signals are cut to 0...1, before and after.
  public static func photoEffectInstant(
    extrapolate: Bool = true
  ) -> HDRFilter {
    typed("photo-effect-instant", ["extrapolate": .flag(extrapolate)])
  }

  /// Makes `photo-effect-process`: a look of this project: cool, as film developed in other chemicals.
  ///
  /// - Parameters:
  ///   - extrapolate: goes on above white; else signals are cut to 0...1, before and after.
  public static func photoEffectProcess(
    extrapolate: Bool = true
  ) -> HDRFilter {
    typed("photo-effect-process", ["extrapolate": .flag(extrapolate)])
  }

  /// Makes `photo-effect-transfer`: a look of this project: warm, as an old print.
  ///
  /// - Parameters:
  ///   - extrapolate: goes on above white; else signals are cut to 0...1, before and after.
  public static func photoEffectTransfer(
    extrapolate: Bool = true
  ) -> HDRFilter {
    typed("photo-effect-transfer", ["extrapolate": .flag(extrapolate)])
  }

  /// Makes `masked-variable-blur`: Gaussian blur by the luminance of a mask: all of the radius where it is white.
  ///
  /// - Parameters:
  ///   - mask: picture whose luminance, 0 to 1, is the share of the radius.
  ///   - radius: standard deviation in pixels where the mask is 1 (0...500).
  public static func maskedVariableBlur(
    mask: HDRValue, radius: Double = 5
  ) -> HDRFilter {
    typed("masked-variable-blur", ["mask": mask, "radius": .number(radius)])
  }

  /// Makes `column-average`: one row: the mean of each column of an area.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  public static func columnAverage(
    extent: [Double]? = nil
  ) -> HDRFilter {
    typed("column-average", ["extent": extent.map { .numbers($0) }])
  }

  /// Makes `row-average`: one column: the mean of each row of an area.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  public static func rowAverage(
    extent: [Double]? = nil
  ) -> HDRFilter {
    typed("row-average", ["extent": extent.map { .numbers($0) }])
  }

  /// Makes `area-min-max-red`: one pixel: the smallest and the largest red of an area, as R and G.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  public static func areaMinMaxRed(
    extent: [Double]? = nil
  ) -> HDRFilter {
    typed("area-min-max-red", ["extent": extent.map { .numbers($0) }])
  }

  /// Makes `area-minimum-alpha`: one pixel: that with the smallest alpha of an area.
  ///
  /// - Parameters:
  ///   - extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
  public static func areaMinimumAlpha(
    extent: [Double]? = nil
  ) -> HDRFilter {
    typed("area-minimum-alpha", ["extent": extent.map { .numbers($0) }])
  }

  /// Makes `bump-distortion`: a round bump that magnifies, or a dent.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: of the bump in pixels (0.01...1048576).
  ///   - scale: above 0 magnifies, below makes smaller (-1...1).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func bumpDistortion(
    center: [Double]? = nil, radius: Double = 300, scale: Double = 0.5, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("bump-distortion", ["center": center.map { .numbers($0) }, "radius": .number(radius), "scale": .number(scale), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `bump-distortion-linear`: a bump along a line that magnifies across it, or a dent.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: half of the bump's width in pixels (0.01...1048576).
  ///   - angle: of the line, in degrees counter-clockwise (-36000...36000).
  ///   - scale: above 0 magnifies, below makes smaller (-1...1).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func bumpDistortionLinear(
    center: [Double]? = nil, radius: Double = 300, angle: Double = 0, scale: Double = 0.5, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("bump-distortion-linear", ["center": center.map { .numbers($0) }, "radius": .number(radius), "angle": .number(angle), "scale": .number(scale), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `pinch-distortion`: a disc pulled towards its centre.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: of the disc in pixels (0.01...1048576).
  ///   - scale: 0 changes nothing (0...2).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func pinchDistortion(
    center: [Double]? = nil, radius: Double = 300, scale: Double = 0.5, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("pinch-distortion", ["center": center.map { .numbers($0) }, "radius": .number(radius), "scale": .number(scale), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `twirl-distortion`: a disc turned, most in its middle.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: of the disc in pixels (0.01...1048576).
  ///   - angle: of the middle's turn, in degrees counter-clockwise (-36000...36000).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func twirlDistortion(
    center: [Double]? = nil, radius: Double = 300, angle: Double = 180, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("twirl-distortion", ["center": center.map { .numbers($0) }, "radius": .number(radius), "angle": .number(angle), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `vortex-distortion`: a disc turned as water at a drain; take samples: 3 above a turn.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: of the disc in pixels (0.01...1048576).
  ///   - angle: of the middle's turn, in degrees counter-clockwise (-36000...36000).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func vortexDistortion(
    center: [Double]? = nil, radius: Double = 300, angle: Double = 3240, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("vortex-distortion", ["center": center.map { .numbers($0) }, "radius": .number(radius), "angle": .number(angle), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `hole-distortion`: a round hole that pushes the picture outwards.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: of the hole in pixels (0.01...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func holeDistortion(
    center: [Double]? = nil, radius: Double = 150, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("hole-distortion", ["center": center.map { .numbers($0) }, "radius": .number(radius), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `circle-splash-distortion`: the rim of a disc drawn outwards.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: of the disc in pixels (0.01...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func circleSplashDistortion(
    center: [Double]? = nil, radius: Double = 150, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("circle-splash-distortion", ["center": center.map { .numbers($0) }, "radius": .number(radius), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `light-tunnel`: the rim of a disc drawn and turned outwards.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: of the disc in pixels (0.01...1048576).
  ///   - rotation: turn for each radius outwards, in degrees counter-clockwise (-36000...36000).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func lightTunnel(
    center: [Double]? = nil, radius: Double = 100, rotation: Double = 0, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("light-tunnel", ["center": center.map { .numbers($0) }, "radius": .number(radius), "rotation": .number(rotation), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `circular-wrap`: the picture bent around a circle, its foot inwards.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: of the circle in pixels (0.01...1048576).
  ///   - angle: of the picture's left edge, in degrees counter-clockwise (-36000...36000).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func circularWrap(
    center: [Double]? = nil, radius: Double = 150, angle: Double = 0, sampling: Sampling = .bilinear, samples: Int = 2
  ) -> HDRFilter {
    typed("circular-wrap", ["center": center.map { .numbers($0) }, "radius": .number(radius), "angle": .number(angle), "sampling": .word(sampling.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `torus-lens-distortion`: a ring of glass on the picture.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - radius: outer radius in pixels (0.01...1048576).
  ///   - width: of the ring in pixels (0.01...1048576).
  ///   - refraction: refractive index of the glass (1...10).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func torusLensDistortion(
    center: [Double]? = nil, radius: Double = 160, width: Double = 80, refraction: Double = 1.7, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("torus-lens-distortion", ["center": center.map { .numbers($0) }, "radius": .number(radius), "width": .number(width), "refraction": .number(refraction), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `glass-lozenge`: a rod of glass with round ends on the picture.
  ///
  /// - Parameters:
  ///   - point0: one end, in pixels; without it a third of the picture (2 of -1048576...1048576).
  ///   - point1: the other; without it two thirds of the picture (2 of -1048576...1048576).
  ///   - radius: of the rod in pixels (0.01...1048576).
  ///   - refraction: refractive index of the glass (1...10).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func glassLozenge(
    point0: [Double]? = nil, point1: [Double]? = nil, radius: Double = 100, refraction: Double = 1.7, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("glass-lozenge", ["point0": point0.map { .numbers($0) }, "point1": point1.map { .numbers($0) }, "radius": .number(radius), "refraction": .number(refraction), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `glass-distortion`: through glass with the relief of a texture, repeated about the centre.
  ///
  /// - Parameters:
  ///   - texture: a picture whose luminance of 0 to 1 is the height.
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - scale: pixels that a slope of 2 moves (-1000...1000).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func glassDistortion(
    texture: HDRValue, center: [Double]? = nil, scale: Double = 200, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("glass-distortion", ["texture": texture, "center": center.map { .numbers($0) }, "scale": .number(scale), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `displacement-distortion`: moved by the red and green of another picture; half signal moves nothing.
  ///
  /// - Parameters:
  ///   - displacement: sRGB signals of 0 to 1, stretched to the picture.
  ///   - scale: pixels that a whole signal moves (-1000...1000).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func displacementDistortion(
    displacement: HDRValue, scale: Double = 50, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("displacement-distortion", ["displacement": displacement, "scale": .number(scale), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `droste`: the picture in a rectangle of itself, without end, as a spiral.
  ///
  /// - Parameters:
  ///   - insetPoint0: a corner; without it a third of the picture (2 of -1048576...1048576).
  ///   - insetPoint1: the opposite; without it two thirds (2 of -1048576...1048576).
  ///   - strands: arms of the spiral; below 0 the other way (-10...10).
  ///   - periodicity: insets for each turn (1...10).
  ///   - rotation: of the result, in degrees counter-clockwise (-36000...36000).
  ///   - zoom: of the result (0.01...100).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func droste(
    insetPoint0: [Double]? = nil, insetPoint1: [Double]? = nil, strands: Int = 1, periodicity: Int = 1, rotation: Double = 0, zoom: Double = 1, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 3
  ) -> HDRFilter {
    typed("droste", ["inset-point0": insetPoint0.map { .numbers($0) }, "inset-point1": insetPoint1.map { .numbers($0) }, "strands": .number(Double(strands)), "periodicity": .number(Double(periodicity)), "rotation": .number(rotation), "zoom": .number(zoom), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `parallelogram-tile`: a parallelogram mirrored at its sides.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - angle: of the cells, in degrees counter-clockwise (-36000...36000).
  ///   - acuteAngle: between the cells' sides, in degrees (1...179).
  ///   - width: side of a cell in pixels (1...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func parallelogramTile(
    center: [Double]? = nil, angle: Double = 0, acuteAngle: Double = 90, width: Double = 100, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("parallelogram-tile", ["center": center.map { .numbers($0) }, "angle": .number(angle), "acute-angle": .number(acuteAngle), "width": .number(width), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `fourfold-reflected-tile`: cells of four mirrored quarters.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - angle: of the cells, in degrees counter-clockwise (-36000...36000).
  ///   - acuteAngle: between the cells' sides, in degrees (1...179).
  ///   - width: side of a cell in pixels (1...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func fourfoldReflectedTile(
    center: [Double]? = nil, angle: Double = 0, acuteAngle: Double = 90, width: Double = 100, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("fourfold-reflected-tile", ["center": center.map { .numbers($0) }, "angle": .number(angle), "acute-angle": .number(acuteAngle), "width": .number(width), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `fourfold-translated-tile`: a cell repeated.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - angle: of the cells, in degrees counter-clockwise (-36000...36000).
  ///   - acuteAngle: between the cells' sides, in degrees (1...179).
  ///   - width: side of a cell in pixels (1...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func fourfoldTranslatedTile(
    center: [Double]? = nil, angle: Double = 0, acuteAngle: Double = 90, width: Double = 100, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("fourfold-translated-tile", ["center": center.map { .numbers($0) }, "angle": .number(angle), "acute-angle": .number(acuteAngle), "width": .number(width), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `glide-reflected-tile`: a cell repeated along rows, every other row mirrored.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - angle: of the cells, in degrees counter-clockwise (-36000...36000).
  ///   - width: side of a cell in pixels (1...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func glideReflectedTile(
    center: [Double]? = nil, angle: Double = 0, width: Double = 100, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("glide-reflected-tile", ["center": center.map { .numbers($0) }, "angle": .number(angle), "width": .number(width), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `fourfold-rotated-tile`: a quarter of a cell turned four times.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - angle: of the cells, in degrees counter-clockwise (-36000...36000).
  ///   - width: side of a cell in pixels (1...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func fourfoldRotatedTile(
    center: [Double]? = nil, angle: Double = 0, width: Double = 100, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("fourfold-rotated-tile", ["center": center.map { .numbers($0) }, "angle": .number(angle), "width": .number(width), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `eightfold-reflected-tile`: an eighth of a cell mirrored.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - angle: of the cells, in degrees counter-clockwise (-36000...36000).
  ///   - width: side of a cell in pixels (1...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func eightfoldReflectedTile(
    center: [Double]? = nil, angle: Double = 0, width: Double = 100, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("eightfold-reflected-tile", ["center": center.map { .numbers($0) }, "angle": .number(angle), "width": .number(width), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `triangle-tile`: a triangle turned by half turns.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - angle: of the cells, in degrees counter-clockwise (-36000...36000).
  ///   - width: side of a cell in pixels (1...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func triangleTile(
    center: [Double]? = nil, angle: Double = 0, width: Double = 100, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("triangle-tile", ["center": center.map { .numbers($0) }, "angle": .number(angle), "width": .number(width), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `sixfold-reflected-tile`: a triangle mirrored at its sides.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - angle: of the cells, in degrees counter-clockwise (-36000...36000).
  ///   - width: side of a cell in pixels (1...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func sixfoldReflectedTile(
    center: [Double]? = nil, angle: Double = 0, width: Double = 100, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("sixfold-reflected-tile", ["center": center.map { .numbers($0) }, "angle": .number(angle), "width": .number(width), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `twelvefold-reflected-tile`: a sixth of a triangle mirrored at its sides.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - angle: of the cells, in degrees counter-clockwise (-36000...36000).
  ///   - width: side of a cell in pixels (1...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func twelvefoldReflectedTile(
    center: [Double]? = nil, angle: Double = 0, width: Double = 100, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("twelvefold-reflected-tile", ["center": center.map { .numbers($0) }, "angle": .number(angle), "width": .number(width), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `sixfold-rotated-tile`: a sixth of a hexagon turned six times.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - angle: of the cells, in degrees counter-clockwise (-36000...36000).
  ///   - width: side of a cell in pixels (1...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func sixfoldRotatedTile(
    center: [Double]? = nil, angle: Double = 0, width: Double = 100, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("sixfold-rotated-tile", ["center": center.map { .numbers($0) }, "angle": .number(angle), "width": .number(width), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `triangle-kaleidoscope`: a triangle between three mirrors, each dimming light and alpha.
  ///
  /// - Parameters:
  ///   - point: a corner, in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - size: side of the triangle in pixels (1...1048576).
  ///   - rotation: of the triangle, in degrees counter-clockwise (-36000...36000).
  ///   - decay: what a mirror leaves (0...1).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func triangleKaleidoscope(
    point: [Double]? = nil, size: Double = 700, rotation: Double = 339.4, decay: Double = 0.85, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("triangle-kaleidoscope", ["point": point.map { .numbers($0) }, "size": .number(size), "rotation": .number(rotation), "decay": .number(decay), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `kaleidoscope`: a sector mirrored around its point.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - count: pairs of sectors (1...64).
  ///   - angle: of the first mirror, in degrees counter-clockwise (-36000...36000).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func kaleidoscope(
    center: [Double]? = nil, count: Int = 6, angle: Double = 0, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 1
  ) -> HDRFilter {
    typed("kaleidoscope", ["center": center.map { .numbers($0) }, "count": .number(Double(count)), "angle": .number(angle), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `op-tile`: cells that each show the picture about their middle, scaled and turned.
  ///
  /// - Parameters:
  ///   - center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
  ///   - scale: pixels of the picture for each of a cell (0.01...100).
  ///   - angle: of what cells show, in degrees counter-clockwise (-36000...36000).
  ///   - width: side of a cell in pixels (1...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - edges: beyond the border: the border's pixels, or nothing.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func opTile(
    center: [Double]? = nil, scale: Double = 2.8, angle: Double = 0, width: Double = 65, sampling: Sampling = .bilinear, edges: Edges = .clamp, samples: Int = 3
  ) -> HDRFilter {
    typed("op-tile", ["center": center.map { .numbers($0) }, "scale": .number(scale), "angle": .number(angle), "width": .number(width), "sampling": .word(sampling.rawValue), "edges": .word(edges.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `affine-tile`: the picture through a 2x3 matrix, repeated.
  ///
  /// - Parameters:
  ///   - matrix: a, b, tx, c, d, ty: x' = a x + b y + tx, y' = c x + d y + ty in pixels from the top left corner (6 of -1048576...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func affineTile(
    matrix: [Double] = [0.4, 0, 0, 0, 0.4, 0], sampling: Sampling = .bilinear, samples: Int = 3
  ) -> HDRFilter {
    typed("affine-tile", ["matrix": .numbers(matrix), "sampling": .word(sampling.rawValue), "samples": .number(Double(samples))])
  }

  /// Makes `perspective-tile`: the picture in a quadrilateral, repeated to the horizon.
  ///
  /// - Parameters:
  ///   - topLeft: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
  ///   - topRight: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
  ///   - bottomRight: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
  ///   - bottomLeft: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
  ///   - sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
  ///   - samples: along each side of a pixel, averaged: more where places are dense (1...4).
  public static func perspectiveTile(
    topLeft: [Double]? = nil, topRight: [Double]? = nil, bottomRight: [Double]? = nil, bottomLeft: [Double]? = nil, sampling: Sampling = .bilinear, samples: Int = 4
  ) -> HDRFilter {
    typed("perspective-tile", ["top-left": topLeft.map { .numbers($0) }, "top-right": topRight.map { .numbers($0) }, "bottom-right": bottomRight.map { .numbers($0) }, "bottom-left": bottomLeft.map { .numbers($0) }, "sampling": .word(sampling.rawValue), "samples": .number(Double(samples))])
  }
}
