import HDRPlan
import PlainData
import Testing

/// The list of Core Image's filters against the list of filters.
@Suite struct CoreImageFilterTests {
  @Test("each class is answered by a filter that there is, or by a reason") func answers() {
    #expect(CoreImageFilter.all.count == 238 && CoreImageFilter.all.count(where: \.isHDR) == 178)
    #expect(Set(CoreImageFilter.all.map { Nearest.folded($0.bareName) }).count == 238)
    let names = Set(Filters.all.map { $0.name })
    for known in CoreImageFilter.all {
      #expect(known.className.hasPrefix("CI"))
      switch known.answer {
      case .filter(let name, _):
        #expect(names.contains(name), "\(known.className): there is no \(name)")
      case .none(let reason):
        #expect(!known.isHDR && reason.count > 8, "\(known.className) has no reason")
      }
    }
  }

  @Test("a class is a name of the filter that answers it, with and without its prefix") func names() {
    for known in CoreImageFilter.all {
      guard let name = known.filterName else { continue }
      for word in [known.className, known.bareName, known.bareName.lowercased()] {
        #expect(Filters.named(word)?.name == name, "\(word)")
      }
      // Values of the answer are values that the filter takes.
      let step = FilterStep(known.className)
      for key in step.values.values.keys { #expect(step.complaint?.parameter != key, "\(known.className) \(key)") }
    }
    #expect(FilterStep("CIBicubicScaleTransform").values.values == ["method": .word("bicubic")])
    #expect(FilterStep("bicubicScaleTransform", ["method": .word("area")]).values.values == ["method": .word("area")])
    #expect(FilterStep("CIConvolution3X3").values.values == ["alpha": .word("weighted")])
    #expect(FilterStep("convolution3X3").values.values.isEmpty)
    #expect(FilterStep("CIConvolutionRGB3X3") == FilterStep("convolution-3x3"))
  }

  @Test("parameters may have Core Image's prefix") func parameters() {
    #expect(
      FilterStep("CIGaussianBlur", ["inputRadius": .number(3)]) == FilterStep("gaussian-blur", ["radius": .number(3)]))
    #expect(Filters.named("gaussianBlur")?.parameter("inputRadius")?.name == "radius")
    #expect(Filters.named("source-over")?.parameter("input")?.name == "input")
    #expect(Filters.named("gaussian-blur")?.parameter("inputting") == nil)
  }

  @Test("a class without an answer is refused with the reason") func reasons() {
    #expect(FilterStep("CIQRCodeGenerator").complaint?.message.contains("bar code") == true)
    #expect(FilterStep("xRay").complaint?.message.contains("a table that is not public") == true)
    #expect(FilterStep("gausian-blur").complaint?.message.contains("did you mean") == true)
  }
}
