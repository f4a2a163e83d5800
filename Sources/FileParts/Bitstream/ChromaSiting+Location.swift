import HDRCore

extension ChromaSiting {
  /// Makes the siting of a ChromaSampleLocType (ITU-T H.273, figure 1). Types 4 and 5 (bottom) have no other value here:
  /// their vertical position is taken as midway.
  package init(location: Int) {
    self.init(horizontallyCosited: location % 2 == 0, verticallyCosited: location == 2 || location == 3)
  }
}
