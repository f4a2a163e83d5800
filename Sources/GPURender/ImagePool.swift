/// Images of halves for the pictures between a band's passes; pictures that do not live at the same time share an
/// image.
struct ImagePool {
  /// Sizes that hold all pictures.
  private(set) var sizes: [ImageSize] = []
  private var free: Set<Int> = []

  /// Takes an image for a picture: the smallest free one that holds it, or one that grows by less than a new one takes.
  mutating func take(_ size: ImageSize) -> Int {
    let fitting = free.filter { sizes[$0].holds(size) }.min { (sizes[$0].bytes, $0) < (sizes[$1].bytes, $1) }
    if let index = fitting {
      free.remove(index)
      return index
    }
    func grown(_ index: Int) -> ImageSize {
      ImageSize(width: max(sizes[index].width, size.width), height: max(sizes[index].height, size.height))
    }
    let growing = free.min { (grown($0).bytes - sizes[$0].bytes, $0) < (grown($1).bytes - sizes[$1].bytes, $1) }
    if let index = growing, grown(index).bytes - sizes[index].bytes < size.bytes {
      free.remove(index)
      sizes[index] = grown(index)
      return index
    }
    sizes.append(size)
    return sizes.count - 1
  }

  mutating func give(_ index: Int) { free.insert(index) }
}
