/// A tone curve of ACES 1: quadratics between knots of log10 of light, and lines beyond the ends.
package struct ACES1Curve: Sendable, Hashable {
  /// log10 of light at the ends of pieces.
  let knots: [Double]
  /// The coefficients of each piece: log10 y = c + t (b + t a), where t is the distance from the piece's knot.
  let a: [Double], b: [Double], c: [Double]

  /// Returns log10 of the result for log10 of light.
  package func callAsFunction(_ x: Double) -> Double {
    guard let piece = knots.lastIndex(where: { $0 <= x }) else { return c[0] + (x - knots[0]) * b[0] }
    let index = min(piece, c.count - 1), t = min(x, knots[index + 1]) - knots[index]
    let inside = c[index] + t * (b[index] + t * a[index])
    return piece == index ? inside : inside + (x - knots[piece]) * (b[index] + 2 * t * a[index])
  }

  /// Returns log10 of light with a result; of all such light the least above the first knot.
  package func inverse(_ y: Double) -> Double {
    guard let piece = c.lastIndex(where: { $0 < y }) else { return knots[0] }
    let rise = y - c[piece], width = knots[piece + 1] - knots[piece]
    let square = b[piece] * b[piece] + 4 * a[piece] * rise
    let t = square < 0 ? .infinity : 2 * rise / (b[piece] + square.squareRoot())
    if t <= width || piece < c.count - 1 { return knots[piece] + min(t, width) }
    // Beyond the last knot there is a line, or nothing more.
    let slope = b[piece] + 2 * width * a[piece]
    return knots[piece + 1] + (slope < 1e-6 ? 0 : (y - self(knots[piece + 1])) / slope)
  }
}

extension ACES1Curve {
  /// The curve of the reference rendering, for all SDR outputs.
  static let reference = ACES1Curve(
    knots: [
      -5.26017761, -3.75502753, -2.24987745, -0.744727492, 1.06145251, 1.96573484, 2.86763239, 3.77526045,
      4.67381239,
    ],
    a: [
      0.185970441, 0.403778881, -0.0748505071, -0.185833707, -0.192129433, -0.19314684, -0.0501050949,
      -0.0511224195,
    ],
    b: [0, 0.559826851, 1.77532244, 1.54999995, 0.878701687, 0.531223178, 0.182825878, 0.0918722972],
    c: [-4.0, -3.57868838, -1.82131326, 0.681241214, 2.87457752, 3.51206255, 3.8340621, 3.95872402]
  )
  /// The curve of cinemas of 48 cd/m², behind the reference rendering.
  static let cinema = ACES1Curve(
    knots: [
      -2.54062366, -2.08035731, -1.62009084, -1.15982437, -0.69955802, -0.239291579, 0.220974833, 0.681241214,
      1.01284635, 1.34445143, 1.6760565, 2.00766158, 2.33926654, 2.67087173, 3.00247669,
    ],
    a: [
      0.521772683, 0.0654487088, 0.272604734, 0.123911291, 0.0858645961, -0.0171162505, 0.0338416733,
      -0.194834962, -0.201688975, -0.476983279, -0.276004612, -0.139139131, -0.0922630876, -0.0665909499,
    ],
    b: [
      0, 0.480308801, 0.54055649, 0.791498125, 0.90556252, 0.984603703, 0.968847632, 1.0, 0.870783448,
      0.737021267, 0.420681119, 0.237632066, 0.145353615, 0.0841637775,
    ],
    c: [
      -1.69896996, -1.58843505, -1.35350001, -1.04694998, -0.656400025, -0.221410006, 0.22814402, 0.681241214,
      0.991421878, 1.25800002, 1.44994998, 1.55910003, 1.62259996, 1.66065454,
    ]
  )
  /// The curve of HDR cinemas of 108 cd/m².
  static let hdr108 = ACES1Curve(
    knots: [
      -5.37852526, -3.87337518, -2.3682251, -0.863075137, -0.0355770998, 0.378897935, 0.7919209, 1.20774913,
      1.61941898,
    ],
    a: [
      0.185970441, 0.403778881, -0.0748505071, -0.524595499, -0.304319561, -0.306462973, -0.105507448,
      -0.107649699,
    ],
    b: [0, 0.559826851, 1.77532244, 1.54999995, 0.681796432, 0.42953071, 0.17637822, 0.0886322707],
    c: [-4.0, -3.57868838, -1.82131326, 0.681241214, 1.60464478, 1.83495343, 1.96008062, 2.01518011]
  )
  /// The curve of 1000 cd/m². Its last slope is that of OpenColorIO, whose greys from 16 on are 4e-4 darker than the Academy's.
  static let hdr1000 = ACES1Curve(
    knots: [
      -5.60050154, -4.0953517, -2.59020162, -1.08505166, 0.223470584, 0.878694355, 1.53199279, 2.18954158,
      2.8405149,
    ],
    a: [
      0.18597047, 0.403778881, -0.0748505071, -0.281922102, -0.239365041, -0.240777954, -0.0695758164,
      -0.0709884837,
    ],
    b: [0, 0.559826851, 1.77532244, 1.54999995, 0.812197268, 0.498521924, 0.183922201, 0.0924232155],
    c: [-4.0, -3.57868838, -1.82131326, 0.681241214, 2.22673512, 2.65614223, 2.87906218, 2.96991754]
  )
  /// The curve of 2000 cd/m².
  static let hdr2000 = ACES1Curve(
    knots: [-5.59738493, -4.09223509, -2.58708501, -1.08193493, 0.376397192, 1.83472931, 3.29306149],
    a: [0.18597047, 0.403778881, -0.0748505071, -0.244673297, -0.223307207, -0.0634485036],
    b: [0, 0.559826851, 1.77532244, 1.54999995, 0.836370111, 0.185057983],
    c: [-4.0, -3.57868838, -1.82131326, 0.681241214, 2.42130136, 3.16609192]
  )
  /// The curve of 4000 cd/m².
  static let hdr4000 = ACES1Curve(
    knots: [-5.59503317, -4.08988333, -2.58473325, -1.07958329, 0.528558791, 2.13670087, 3.74484277],
    a: [0.18597047, 0.403778881, -0.0748505071, -0.215613648, -0.208868742, -0.0574401915],
    b: [0, 0.559826851, 1.77532244, 1.54999995, 0.856525183, 0.184743956],
    c: [-4.0, -3.57868838, -1.82131326, 0.681241214, 2.61625838, 3.45351267]
  )
}
