/// The tags of TIFF 6.0, its supplements, and DNG.
package enum TIFFTag {
  package static let newSubfileType = 254, subfileType = 255
  package static let width = 256, height = 257, bitsPerSample = 258, compression = 259, photometric = 262,
    fillOrder = 266
  package static let stripOffsets = 273, orientation = 274, samplesPerPixel = 277, rowsPerStrip = 278,
    stripByteCounts = 279
  package static let planarConfiguration = 284, predictor = 317, whitePoint = 318, primaryChromaticities = 319,
    colorMap = 320
  package static let tileWidth = 322, tileHeight = 323, tileOffsets = 324, tileByteCounts = 325, subDirectories = 330
  package static let inkSet = 332, extraSamples = 338, sampleFormat = 339, jpegPlace = 513
  package static let yccCoefficients = 529, yccSubsampling = 530, yccPositioning = 531, referenceBlackWhite = 532
  package static let xmp = 700, iptc = 33723, photoshop = 34377, exifDirectory = 34665, icc = 34675,
    gpsDirectory = 34853
  package static let stoNits = 37439, interoperability = 0xA005
  package static let dngVersion = 50706
  package static let provenance = 52545
}
