import HDRCore
import ImageFiles
import TestFiles
import Testing

/// The container writer against the container reader: everything a later tone map, grid or auxiliary picture needs.
@Suite struct WriterMuxerTests {
  @Test("items and references of the muxer are read back unchanged")
  func modelComesBack() throws {
    var muxer = HEIFMuxer(brands: ["mif1", "miaf", "tmap"])
    let base = muxer.addItem("hvc1", data: [1, 2, 3])
    let map = muxer.addItem("hvc1", data: [4, 5], isHidden: true)
    let tone = muxer.addItem("tmap", data: [9, 8, 7, 6], storage: .itemData)
    let grid = muxer.addItem("grid", data: [0, 0, 0, 1], isHidden: true, storage: .itemData)
    let xmp = muxer.addItem("mime", data: Array("<x/>".utf8), contentType: "application/rdf+xml", isHidden: true)
    muxer.primaryItem = base
    muxer.setProperty(HEIFBox.ispe(width: 40, height: 30), essential: false, of: base)
    muxer.setProperty(HEIFBox.nclx(CICP(12, 13, 6, full: true)), essential: false, of: base)
    muxer.setProperty(HEIFBox.ispe(width: 20, height: 15), essential: false, of: map)
    muxer.setProperty(HEIFBox.ispe(width: 40, height: 30), essential: false, of: tone)
    muxer.setProperty(HEIFBox.clap(width: 39, height: 29, codedWidth: 40, codedHeight: 30), essential: true, of: base)
    muxer.addReference("dimg", from: tone, to: [base, map])
    muxer.addReference("cdsc", from: xmp, to: [base])
    muxer.addReference("dimg", from: grid, to: [map])
    muxer.addGroup("altr", members: [tone, base])
    let file = try HEIFFile(muxer.fileBytes())

    #expect(file.brands == ["mif1", "mif1", "miaf", "tmap"])
    #expect(file.primaryID == base && file.items.count == 5)
    #expect(Array(try file.data(of: base)) == [1, 2, 3])
    #expect(Array(try file.data(of: map)) == [4, 5])
    #expect(Array(try file.data(of: tone)) == [9, 8, 7, 6])
    #expect(Array(try file.data(of: grid)) == [0, 0, 0, 1])
    #expect(Array(try file.data(of: xmp)) == Array("<x/>".utf8))
    #expect(file.items[map]?.isHidden == true && file.items[tone]?.isHidden == false)
    #expect(file.items[xmp]?.contentType == "application/rdf+xml")
    #expect(file.targets("dimg", from: tone) == [base, map])
    #expect(file.targets("dimg", from: grid) == [map])
    #expect(file.sources("cdsc", to: base) == [xmp])
    // Equal boxes are stored once; only clap must be understood.
    #expect(file.properties.count == 4)
    #expect(file.associations[base]?.map(\.isEssential) == [false, false, true])
    #expect(try file.properties(of: tone).width == 40)
    #expect(file.groups.map(\.entities) == [[tone, base]])
    #expect(file.groups.allSatisfy { file.items[$0.id] == nil })
  }

  @Test func manyPropertiesNeedWideIndices() throws {
    var muxer = HEIFMuxer(brands: ["mif1"])
    for size in 1...200 {
      let item = muxer.addItem("hvc1", data: [UInt8(size)])
      muxer.setProperty(HEIFBox.ispe(width: size, height: 1), essential: size % 2 == 0, of: item)
    }
    let file = try HEIFFile(muxer.fileBytes())
    #expect(file.properties.count == 200)
    for size in [1, 127, 128, 200] {
      #expect(try file.properties(of: size).width == size)
      #expect(file.associations[size]?.first?.isEssential == (size % 2 == 0))
      #expect(Array(try file.data(of: size)) == [UInt8(size)])
    }
  }

  @Test func emptyLightLevelHasNoBox() {
    let display = MasteringDisplay(primaries: nil, maxLuminance: 1000, minLuminance: 0)
    let empty = LightMetadata(clli: ContentLightLevel(maxCLL: 0, maxFALL: 0), mdcv: display)
    #expect(empty.boxes(transfer: 16).isEmpty)
    // A minimum of 0 becomes 0.0001 cd/m²: some readers divide by it.
    let boxes = LightMetadata(clli: nil, mdcv: .forOutput(primaries: 9, contentHeadroom: 4)).boxes(transfer: 16)
    #expect(boxes.map { Array($0.suffix(8)) } == [hexBytes("007BE6C0 00000001")])
  }
}
