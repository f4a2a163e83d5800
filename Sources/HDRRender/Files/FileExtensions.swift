import ImageFiles

extension AdaptiveContainer {
  package var fileExtension: String { self == .jpeg ? "jpg" : rawValue }
}
