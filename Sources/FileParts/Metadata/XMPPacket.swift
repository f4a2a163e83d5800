import HDRCore
import PlainData

/// The namespaces of the properties that this program reads.
package enum XMPNamespace {
  package static let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  package static let note = "http://ns.adobe.com/xmp/note/"
  package static let container = "http://ns.google.com/photos/1.0/container/"
  static let containerItem = "http://ns.google.com/photos/1.0/container/item/"
  package static let appleGainMap = AppleGainMap.namespace
  static let appleToneMap = "http://ns.apple.com/HDRToneMap/1.0/"
  package static let applePixelData = "http://ns.apple.com/pixeldatainfo/1.0/"
  package static let tiff = "http://ns.adobe.com/tiff/1.0/"
  package static let exif = "http://ns.adobe.com/exif/1.0/"
  package static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  package static let terms = "http://purl.org/dc/terms/"
  package static let googleDepth = "http://ns.google.com/photos/1.0/depthmap/"
  package static let googleImage = "http://ns.google.com/photos/1.0/image/"
  package static let googleAudio = "http://ns.google.com/photos/1.0/audio/"
  /// These namespaces state other parts of a file: depth, the picture before blur, sound, devices with their directory.
  static let googleParts: Set<String> = [
    googleDepth, googleImage, googleAudio,
    "http://ns.google.com/photos/dd/1.0/container/", "http://ns.google.com/photos/dd/1.0/item/",
    "http://ns.google.com/photos/dd/1.0/device/", "http://ns.google.com/photos/dd/1.0/profile/",
    "http://ns.google.com/photos/dd/1.0/camera/", "http://ns.google.com/photos/dd/1.0/image/",
    "http://ns.google.com/photos/dd/1.0/depthmap/",
  ]
}

/// The properties of an XMP packet: namespace, then local name, then values in order.
///
/// A property may be an attribute of rdf:Description, an element with text, or an element with an rdf:Seq, rdf:Bag or
/// rdf:Alt of rdf:li. Source: ISO 16684-1 clause 7.
package struct XMPPacket {
  package private(set) var properties: [String: [String: [String]]] = [:]
  /// The entries of a GContainer directory, in order.
  package private(set) var containerItems: [ContainerItem] = []

  /// Reads a packet; `nil` when it is not readable, and `warnings` then has `xmp.malformed`, `xmp.limit` or
  /// `xmp.doctype`.
  package init?(_ bytes: [UInt8], warnings: inout [Warning]) {
    do throws(XMLFault) {
      let elements = try XMLScanner(bytes).elements
      for element in elements where element.name == XMLName(XMPNamespace.rdf, "RDF") {
        for child in element.children { addProperties(of: elements[child], in: elements) }
      }
      if let directory = elements.first(where: { $0.name == XMLName(XMPNamespace.container, "Directory") }) {
        containerItems = Self.items(of: directory, in: elements)
      }
    } catch {
      warnings.append(Warning("xmp." + error.kind.rawValue, "XMP is not read: \(error.what)"))
      return nil
    }
  }

  /// Adds the properties of a second packet (extended XMP) whose names this one lacks.
  package mutating func merge(_ other: XMPPacket) {
    for (namespace, names) in other.properties {
      properties[namespace, default: [:]].merge(names) { mine, _ in mine }
    }
    if containerItems.isEmpty { containerItems = other.containerItems }
  }

  package func value(_ namespace: String, _ name: String) -> String? { properties[namespace]?[name]?.first }

  private mutating func addProperties(of description: XMLElement, in elements: [XMLElement]) {
    for attribute in description.attributes where attribute.declaredNamespace == nil {
      add(attribute.name, [attribute.value])
    }
    for child in description.children.map({ elements[$0] }) { add(child.name, Self.values(of: child, in: elements)) }
  }

  private mutating func add(_ name: XMLName, _ values: [String]) {
    guard !name.namespace.isEmpty, name.namespace != XMPNamespace.rdf else { return }
    // The first of two equal names is used.
    if properties[name.namespace]?[name.local] == nil { properties[name.namespace, default: [:]][name.local] = values }
  }

  private static func values(of property: XMLElement, in elements: [XMLElement]) -> [String] {
    let lists = ["Seq", "Bag", "Alt"].map { XMLName(XMPNamespace.rdf, $0) }
    guard let list = property.children.map({ elements[$0] }).first(where: { lists.contains($0.name) }) else {
      return [property.text]
    }
    return list.children.map { elements[$0] }.filter { $0.name == XMLName(XMPNamespace.rdf, "li") }.map(\.text)
  }

  /// Returns the entries of a directory: each rdf:li holds the item's fields as attributes or elements, on itself or on
  /// one structure inside it.
  private static func items(of directory: XMLElement, in elements: [XMLElement]) -> [ContainerItem] {
    var result: [ContainerItem] = []
    for list in directory.children.map({ elements[$0] }) {
      for entry in list.children.map({ elements[$0] }) {
        var fields: [String: String] = [:]
        for holder in [entry] + entry.children.map({ elements[$0] }) {
          for attribute in holder.attributes where attribute.name.namespace == XMPNamespace.containerItem {
            fields[attribute.name.local] = attribute.value
          }
          for field in holder.children.map({ elements[$0] })
          where field.name.namespace == XMPNamespace.containerItem {
            fields[field.name.local] = field.text
          }
        }
        result.append(ContainerItem(fields))
      }
    }
    return result
  }
}

/// An entry of a GContainer directory (docs/gain-map-maths.md#xmp).
package struct ContainerItem: Sendable, Hashable {
  package var semantic: String
  package var mime: String
  /// The size of the item; 0 when absent or not a number.
  package var length: Int
  /// The bytes between the primary's end and the next item; only on the primary.
  package var padding: Int
  /// True if a stated length or padding is no valid number of bytes.
  package var hasFault = false

  package init(semantic: String, mime: String = "image/jpeg", length: Int, padding: Int = 0) {
    self.semantic = semantic
    self.mime = mime
    self.length = length
    self.padding = padding
  }

  package init(_ fields: [String: String]) {
    // 2^40 is larger than any file, and sums of a few such values cannot overflow.
    func number(_ name: String) -> Int? {
      fields[name].flatMap { Int($0) }.flatMap { (0...1 << 40).contains($0) ? $0 : nil }
    }
    self.init(
      semantic: fields["Semantic"] ?? "", mime: fields["Mime"] ?? "", length: number("Length") ?? 0,
      padding: number("Padding") ?? 0)
    hasFault = ["Length", "Padding"].contains { fields[$0] != nil && number($0) == nil }
  }
}

/// Returns the positions of the items after the primary, which ends at `primaryLength` (after its EOI): offsets count
/// from there, not from the start of the file. Source: "Ultra HDR Image Format 1.0".
package func containerPositions(
  _ items: [ContainerItem], primaryLength: Int
) -> [(item: ContainerItem, position: Int)] {
  guard let primary = items.first, primary.semantic == "Primary" else { return [] }
  var position = primaryLength + primary.padding
  var result: [(item: ContainerItem, position: Int)] = []
  // A directory of more than 16 items is cut: no known file has a gain map after them.
  for item in items.dropFirst().prefix(16) {
    result.append((item, position))
    position += item.length
  }
  return result
}

/// Removes from an XMP packet the properties of its pixels and file: gain map vocabularies, the container directory,
/// motion photos, depth and other parts of the file, the address of a C2PA manifest, the pointer to extended XMP,
/// orientation, size and colour space. The rest is valid for a rendition.
///
/// - Returns: the packet without those attributes and elements, byte for byte otherwise; `nil` when it is not
///   readable.
package func xmpWithoutPixelDescription(_ xmp: [UInt8]) -> [UInt8]? {
  guard let elements = try? XMLScanner(xmp).elements else { return nil }
  let namespaces =
    ([
      HDRGainMapXMP.namespace, XMPNamespace.container, XMPNamespace.containerItem, XMPNamespace.appleGainMap,
      XMPNamespace.appleToneMap, XMPNamespace.applePixelData,
    ] as Set<String>).union(XMPNamespace.googleParts)
  let names: Set<XMLName> = [
    XMLName(XMPNamespace.note, "HasExtendedXMP"), XMLName(XMPNamespace.tiff, "Orientation"),
    XMLName(XMPNamespace.tiff, "ImageWidth"), XMLName(XMPNamespace.tiff, "ImageLength"),
    XMLName(XMPNamespace.tiff, "BitsPerSample"), XMLName(XMPNamespace.exif, "PixelXDimension"),
    XMLName(XMPNamespace.exif, "PixelYDimension"), XMLName(XMPNamespace.exif, "ColorSpace"),
    XMLName(XMPNamespace.photoshop, "ICCProfile"), XMLName(XMPNamespace.terms, "provenance"),
  ]
  return xmp.cut(elements, declarationsOf: namespaces) {
    namespaces.contains($0.namespace) || names.contains($0) || MotionPhoto.properties.contains($0)
  }
}

/// Removes from the XMP of a depth picture what holds only for the whole of it: the lens, its centre, effects with places.
/// The range of its codes and their meaning stay.
///
/// - Returns: `nil` when the packet is not readable.
package func xmpWithoutCalibration(_ xmp: [UInt8]) -> [UInt8]? {
  guard let elements = try? XMLScanner(xmp).elements else { return nil }
  let effects: Set<String> = [
    "http://ns.apple.com/depthBlurEffect/1.0/", "http://ns.apple.com/portraitLightingEffect/2.0/",
  ]
  return xmp.cut(elements) { name in
    effects.contains(name.namespace)
      || name.namespace == "http://ns.apple.com/depthData/1.0/"
        && ["Intrinsic", "Extrinsic", "LensDistortion", "PixelSize"].contains { name.local.contains($0) }
  }
}

extension [UInt8] {
  /// Returns the text without elements and attributes of some names, and without declarations of some namespaces.
  func cut(
    _ elements: [XMLElement], declarationsOf namespaces: Set<String> = [], where isCut: (XMLName) -> Bool
  ) -> [UInt8] {
    var cuts: [Range<Int>] = []
    for element in elements {
      if isCut(element.name) { cuts.append(element.bytes) }
      for attribute in element.attributes {
        if isCut(attribute.name) || attribute.declaredNamespace.map(namespaces.contains) == true {
          cuts.append(attribute.bytes)
        }
      }
    }
    return without(cuts)
  }

  /// Returns the bytes outside the cuts, which may be nested.
  func without(_ cuts: [Range<Int>]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(count)
    var from = 0
    // A cut inside an earlier one only has a smaller end.
    for cut in cuts.sorted(by: { $0.lowerBound < $1.lowerBound }) where cut.upperBound > from {
      if cut.lowerBound > from { result += self[from..<cut.lowerBound] }
      from = cut.upperBound
    }
    return result + self[from...]
  }
}
