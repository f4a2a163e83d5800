/// The fix of ACES 1 for saturated blue lights, which turn violet: a matrix in ACES2065-1.
package let acesBlueLightFix = Matrix3([
  0.9404372683, -0.0183068787, 0.0778696104, 0.0083786969, 0.8286599939, 0.1629613092, 0.0005471261, -0.0008833746,
  1.0003362486,
])
