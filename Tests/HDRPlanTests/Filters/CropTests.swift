import HDRCore
import HDRPlan
import TestPlans
import Testing

@Suite struct CropTests {
  @Test func theRectangleIsCutOutOfThePicture() throws {
    let picture = FilterPicture.noise()
    let cut = try picture.edited(FilterStep("crop", ["rect": .numbers([3, 5, 7, 400])]))
    #expect(cut.width == 7 && cut.height == 12)
    cut.expect(0) { x, y in picture[x + 3, y + 5] }
  }

  @Test func aCropThatLeavesNothingIsAnError() {
    #expect(throws: PlanError.self) {
      try FilterPicture.noise().edited(FilterStep("crop", ["rect": .numbers([30, 0, 5, 5])]))
    }
  }
}
