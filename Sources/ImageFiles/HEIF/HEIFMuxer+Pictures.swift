import FileParts
import HDRCore

extension HEIFMuxer {
  /// Adds a picture with its tiles, if it has any, and returns its item.
  ///
  /// Tiles also get the colour and depth of the whole, for readers that decode tiles one by one.
  mutating func addPicture(_ picture: HEIFCodedPicture, isHidden: Bool) -> Int {
    let main: Int
    if let grid = picture.grid {
      main = addItem("grid", data: grid, isHidden: isHidden, storage: .itemData)
      var tiles: [Int] = []
      for tile in picture.items {
        let item = addCoded(tile, isHidden: true)
        for property in picture.properties where ["colr", "pixi"].contains(property.type) {
          setProperty(property.box, essential: property.isEssential, of: item)
        }
        tiles.append(item)
      }
      addReference("dimg", from: main, to: tiles)
      setProperty(HEIFBox.ispe(width: picture.width, height: picture.height), essential: false, of: main)
    } else {
      main = addCoded(picture.items[0], isHidden: isHidden)
    }
    for property in picture.properties { setProperty(property.box, essential: property.isEssential, of: main) }
    return main
  }

  private mutating func addCoded(_ coded: HEIFCodedItem, isHidden: Bool) -> Int {
    let item = addItem(coded.type, data: coded.data, isHidden: isHidden)
    setProperty(coded.configuration, essential: true, of: item)
    setProperty(HEIFBox.ispe(width: coded.width, height: coded.height), essential: false, of: item)
    return item
  }

  /// Adds Exif after a 32-bit offset to its TIFF header (ISO/IEC 23008-12 annex A).
  mutating func addExif(_ exif: [UInt8], describing item: Int) {
    let added = addItem("Exif", data: [0, 0, 0, 0] + exif, isHidden: true)
    addReference("cdsc", from: added, to: [item])
  }

  /// Adds XMP as a `mime` item (ISO/IEC 23008-12 annex A).
  mutating func addXMP(_ xmp: [UInt8], describing item: Int) {
    let added = addItem("mime", data: xmp, contentType: "application/rdf+xml", isHidden: true)
    addReference("cdsc", from: added, to: [item])
  }

  /// Adds XMP with the statement about a video, if there is either.
  mutating func addXMP(_ xmp: [UInt8]?, announcing video: MotionVideo?, in format: FileFormat, describing item: Int) {
    let packet = video.map { MotionPhoto.announcing($0, in: format, xmp) } ?? xmp
    if let packet { addXMP(packet, describing: item) }
  }
}

extension HEIFCodedPicture {
  /// The brand of a file with this main picture: `heic` is for HEVC profiles Main and Main Still Picture, `heix` for
  /// Main 10 and the range extensions (23008-12, B.4.1).
  var brand: String {
    guard let item = items.first, item.type == "hvc1" else { return "avif" }
    // The box header and version, then profile_space, tier and profile.
    let profile = item.configuration.count > 9 ? item.configuration[9] & 31 : 0
    return profile == 1 || profile == 3 ? "heic" : "heix"
  }
}
