extension FileRequest {
  /// Returns the request for files of another quality.
  ///
  /// - Parameters:
  ///   - quality: 0...100; of a file with a gain map the base's.
  ///   - mapQuality: the gain map's; `nil`: as it is.
  package func with(quality: Int, mapQuality: Int?) -> FileRequest {
    switch self {
    case .rendition(var request):
      request.coding.quality = quality
      return .rendition(request)
    case .adaptive(var request):
      request.quality = quality
      request.mapQuality = mapQuality ?? request.mapQuality
      return .adaptive(request)
    case .recompress, .copy: return self
    }
  }
}
