/// The tags of DNG 1.7.1, and those of TIFF/EP that DNG uses.
enum DNGTag {
  static let cfaRepeat = 33421, cfaPattern = 33422, cfaPlaneColor = 50710, cfaLayout = 50711
  static let make = 271, model = 272, uniqueModel = 50708
  static let linearization = 50712, blackRepeat = 50713, black = 50714, blackDeltaColumns = 50715
  static let blackDeltaRows = 50716, white = 50717, cropOrigin = 50719, cropSize = 50720, activeArea = 50829
  static let colorMatrix = [50721, 50722, 52531], calibration = [50723, 50724, 52530]
  static let forwardMatrix = [50964, 50965, 52532], illuminant = [50778, 50779, 52529]
  static let illuminantData = [52533, 52534, 52535]
  static let analogBalance = 50727, asShotNeutral = 50728, asShotWhite = 50729
  static let baselineExposure = 50730, shadowScale = 50739
  static let cameraSignature = 50931, profileSignature = 50932, extraProfiles = 50933
  static let profileName = 50936, hueSatDimensions = 50937, hueSatData = [50938, 50939], toneCurve = 50940
  static let lookDimensions = 50981, lookData = 50982, hueSatEncoding = 51107, lookEncoding = 51108
  static let opcodes = [51008, 51009, 51022], noiseProfile = 51041
  static let exposureOffset = 51109, blackRender = 51110
  static let rowInterleave = 50975, columnInterleave = 52547
  static let gainTableMap = 52525, gainTableMap2 = 52544
  /// The tags of numbers that a file need not have, as there is a default.
  static let optionalNumbers =
    [blackDeltaColumns, blackDeltaRows, cropOrigin, cropSize, analogBalance, asShotNeutral, asShotWhite]
    + [baselineExposure, shadowScale, noiseProfile, exposureOffset] + calibration + forwardMatrix
  static let rgbTables = 52543, dynamicRange = 52551, groupName = 52552
}
