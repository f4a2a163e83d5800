/// Device files of GPUs: a driver of the kernel is there, whatever Vulkan finds.
enum GPUNodes {
  private static let folder = FilePath("/dev/dri")
  private static let files = ["/dev/nvidia0", "/dev/nvidiactl", "/dev/kfd", "/dev/dxg"]

  static var areThere: Bool {
    files.contains { somethingExists(at: FilePath($0)) }
      || (try? namesInFolder(folder))?.contains { $0.starts(with: "renderD".utf8) } == true
  }
}
