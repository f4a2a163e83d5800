import ImageFiles

extension AdaptiveContainer {
  public var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
