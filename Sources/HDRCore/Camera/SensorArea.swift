/// A rectangle of a sensor in whole samples; `right` and `bottom` are exclusive.
package struct SensorArea: Sendable, Hashable {
  package var left, top, right, bottom: Int

  package init(left: Int, top: Int, right: Int, bottom: Int) {
    (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
  }

  package var width: Int { right - left }
  package var height: Int { bottom - top }
}
