extension CoreImageFilter {
  /// The list of the filters of Core Image in the systems of 2024, a line each: class; `sdr` if it is not among those for
  /// high dynamic range; the filter here, perhaps with values; or why there is none.
  static let list = """
    CIAccordionFoldTransition = accordion-fold-transition
    CIAdditionCompositing = addition
    CIAffineClamp = affine-clamp
    CIAffineTile = affine-tile
    CIAffineTransform = affine
    CIAreaAlphaWeightedHistogram sdr: for SDR; area-histogram counts pixels whatever their alpha
    CIAreaAverage = area-average
    CIAreaBoundsRed = area-bounds-red
    CIAreaHistogram sdr = area-histogram
    CIAreaLogarithmicHistogram = area-logarithmic-histogram
    CIAreaMaximum = area-maximum
    CIAreaMaximumAlpha = area-maximum-alpha
    CIAreaMinMax = area-min-max
    CIAreaMinMaxRed = area-min-max-red
    CIAreaMinimum = area-minimum
    CIAreaMinimumAlpha = area-minimum-alpha
    CIAttributedTextImageGenerator sdr: draws text with fonts
    CIAztecCodeGenerator sdr: a bar code is no photo
    CIBarsSwipeTransition = bars-swipe-transition
    CIBicubicScaleTransform = scale method:bicubic
    CIBlendWithAlphaMask = blend-with-alpha-mask
    CIBlendWithBlueMask = blend-with-blue-mask
    CIBlendWithMask = blend-with-mask
    CIBlendWithRedMask = blend-with-red-mask
    CIBloom = bloom
    CIBlurredRectangleGenerator = blurred-rectangle-generator
    CIBokehBlur = bokeh-blur
    CIBoxBlur = box-blur
    CIBumpDistortion = bump-distortion
    CIBumpDistortionLinear = bump-distortion-linear
    CICMYKHalftone sdr: for SDR: prints in four inks
    CICannyEdgeDetector = canny-edge-detector
    CICheckerboardGenerator = checkerboard
    CICircleSplashDistortion = circle-splash-distortion
    CICircularScreen sdr: for SDR: prints in black and white
    CICircularWrap = circular-wrap
    CIClamp = clamp
    CICode128BarcodeGenerator sdr: a bar code is no photo
    CIColorAbsoluteDifference = color-absolute-difference
    CIColorBlendMode sdr = color
    CIColorBurnBlendMode sdr = color-burn
    CIColorClamp sdr = color-clamp
    CIColorControls = color-controls
    CIColorCrossPolynomial = color-cross-polynomial
    CIColorCube = color-cube
    CIColorCubeWithColorSpace = color-cube
    CIColorCubesMixedWithMask = color-cubes-mixed-with-mask
    CIColorCurves sdr = color-curves
    CIColorDodgeBlendMode sdr = color-dodge
    CIColorInvert = color-invert
    CIColorMap sdr = color-map
    CIColorMatrix = color-matrix
    CIColorMonochrome = color-monochrome
    CIColorPolynomial = color-polynomial
    CIColorPosterize = color-posterize
    CIColorThreshold sdr = color-threshold
    CIColorThresholdOtsu sdr: for SDR; color-threshold takes a threshold of yours
    CIColumnAverage = column-average
    CIComicEffect sdr: for SDR, and nothing says what it does
    CIConstantColorGenerator = constant-color
    CIConvertLabToRGB = convert-lab-to-rgb
    CIConvertRGBtoLab = convert-rgb-to-lab
    CIConvolution3X3 = convolution-3x3 alpha:weighted
    CIConvolution5X5 = convolution-5x5 alpha:weighted
    CIConvolution7X7 = convolution-7x7 alpha:weighted
    CIConvolution9Horizontal = convolution-9-horizontal alpha:weighted
    CIConvolution9Vertical = convolution-9-vertical alpha:weighted
    CIConvolutionRGB3X3 = convolution-3x3
    CIConvolutionRGB5X5 = convolution-5x5
    CIConvolutionRGB7X7 = convolution-7x7
    CIConvolutionRGB9Horizontal = convolution-9-horizontal
    CIConvolutionRGB9Vertical = convolution-9-vertical
    CICopyMachineTransition = copy-machine-transition
    CICrop = crop
    CICrystallize = crystallize
    CIDarkenBlendMode sdr = darken
    CIDepthOfField sdr: for SDR; masked-variable-blur blurs by a mask
    CIDepthToDisparity sdr: changes depth data, no photo
    CIDifferenceBlendMode sdr = difference
    CIDiscBlur = disc-blur
    CIDisintegrateWithMaskTransition = disintegrate-with-mask-transition
    CIDisparityToDepth sdr: changes depth data, no photo
    CIDisplacementDistortion = displacement-distortion
    CIDissolveTransition = dissolve
    CIDistanceGradientFromRedMask sdr: for SDR masks
    CIDither = dither
    CIDivideBlendMode sdr = divide
    CIDocumentEnhancer sdr: nothing says what it does
    CIDotScreen sdr: for SDR: prints in black and white
    CIDroste = droste
    CIEdgePreserveUpsampleFilter = edge-preserve-upsample
    CIEdgeWork sdr: for SDR, and nothing says what it does
    CIEdges = edges
    CIEightfoldReflectedTile = eightfold-reflected-tile
    CIExclusionBlendMode sdr = exclusion
    CIExposureAdjust = exposure
    CIFalseColor = false-color
    CIFlashTransition = flash-transition
    CIFourfoldReflectedTile = fourfold-reflected-tile
    CIFourfoldRotatedTile = fourfold-rotated-tile
    CIFourfoldTranslatedTile = fourfold-translated-tile
    CIGaborGradients = gabor-gradients
    CIGammaAdjust = gamma
    CIGaussianBlur = gaussian-blur
    CIGaussianGradient = gaussian-gradient
    CIGlassDistortion = glass-distortion
    CIGlassLozenge = glass-lozenge
    CIGlideReflectedTile = glide-reflected-tile
    CIGloom = gloom
    CIGuidedFilter = guided-filter
    CIHardLightBlendMode sdr = hard-light
    CIHatchedScreen sdr: for SDR: prints in black and white
    CIHeightFieldFromMask sdr: for SDR masks
    CIHexagonalPixellate = hexagonal-pixellate
    CIHighlightShadowAdjust = highlight-shadow
    CIHistogramDisplayFilter sdr: draws numbers of area-histogram; not a photo
    CIHoleDistortion = hole-distortion
    CIHueAdjust = hue-adjust
    CIHueBlendMode sdr = hue
    CIHueSaturationValueGradient sdr: for SDR: a wheel of colours
    CIKMeans = kmeans
    CIKaleidoscope = kaleidoscope
    CIKeystoneCorrectionCombined = keystone-correction-combined
    CIKeystoneCorrectionHorizontal = keystone-correction-horizontal
    CIKeystoneCorrectionVertical = keystone-correction-vertical
    CILabDeltaE sdr: hdrbatch compare measures differences of colour
    CILanczosScaleTransform = scale
    CILenticularHaloGenerator = lenticular-halo-generator
    CILightTunnel = light-tunnel
    CILightenBlendMode sdr = lighten
    CILineOverlay sdr: for SDR; edges and canny-edge-detector find lines
    CILineScreen sdr: for SDR: prints in black and white
    CILinearBurnBlendMode sdr = linear-burn
    CILinearDodgeBlendMode sdr = linear-dodge
    CILinearGradient = linear-gradient
    CILinearLightBlendMode sdr = linear-light
    CILinearToSRGBToneCurve = linear-to-srgb
    CILuminosityBlendMode sdr = luminosity
    CIMaskToAlpha sdr: for SDR; blend-with-mask takes the mask itself
    CIMaskedVariableBlur = masked-variable-blur
    CIMaximumComponent = maximum-component
    CIMaximumCompositing = maximum
    CIMaximumScaleTransform = maximum-scale-transform
    CIMedianFilter = median
    CIMeshGenerator = mesh-generator
    CIMinimumComponent = minimum-component
    CIMinimumCompositing = minimum
    CIMix = mix
    CIModTransition = mod-transition
    CIMorphologyGradient = morphology-gradient
    CIMorphologyMaximum = morphology-maximum
    CIMorphologyMinimum = morphology-minimum
    CIMorphologyRectangleMaximum = morphology-rectangle-maximum
    CIMorphologyRectangleMinimum = morphology-rectangle-minimum
    CIMotionBlur = motion-blur
    CIMultiplyBlendMode sdr = multiply-blend
    CIMultiplyCompositing = multiply
    CINinePartStretched = nine-part-stretched
    CINinePartTiled = nine-part-tiled
    CINoiseReduction = noise-reduction
    CIOpTile = op-tile
    CIOverlayBlendMode sdr = overlay
    CIPDF417BarcodeGenerator sdr: a bar code is no photo
    CIPageCurlTransition = page-curl-transition
    CIPageCurlWithShadowTransition = page-curl-with-shadow-transition
    CIPaletteCentroid sdr: for SDR: places of a palette's colours
    CIPalettize sdr: for SDR: cuts colours to a palette
    CIParallelogramTile = parallelogram-tile
    CIPersonSegmentation sdr: finds people by machine learning
    CIPerspectiveCorrection = perspective-correction
    CIPerspectiveRotate = perspective-rotate
    CIPerspectiveTile = perspective-tile
    CIPerspectiveTransform = perspective-transform
    CIPerspectiveTransformWithExtent = perspective-transform-with-extent
    CIPhotoEffectChrome = photo-effect-chrome
    CIPhotoEffectFade = photo-effect-fade
    CIPhotoEffectInstant = photo-effect-instant
    CIPhotoEffectMono = photo-effect-mono
    CIPhotoEffectNoir = photo-effect-noir
    CIPhotoEffectProcess = photo-effect-process
    CIPhotoEffectTonal = photo-effect-tonal
    CIPhotoEffectTransfer = photo-effect-transfer
    CIPinLightBlendMode sdr = pin-light
    CIPinchDistortion = pinch-distortion
    CIPixellate = pixellate
    CIPointillize = pointillize
    CIQRCodeGenerator sdr: a bar code is no photo
    CIRadialGradient = radial-gradient
    CIRandomGenerator sdr: for SDR; dither adds noise by place
    CIRippleTransition = ripple-transition
    CIRoundedRectangleGenerator = rounded-rectangle-generator
    CIRoundedRectangleStrokeGenerator = rounded-rectangle-stroke-generator
    CIRowAverage = row-average
    CISRGBToneCurveToLinear = srgb-to-linear
    CISaliencyMapFilter sdr: finds what draws the eye by machine learning
    CISampleNearest = sample-nearest
    CISaturationBlendMode sdr = saturation
    CIScreenBlendMode sdr = screen
    CISepiaTone = sepia-tone
    CIShadedMaterial = shaded-material
    CISharpenLuminance = sharpen-luminance
    CISixfoldReflectedTile = sixfold-reflected-tile
    CISixfoldRotatedTile = sixfold-rotated-tile
    CISmoothLinearGradient = smooth-linear-gradient
    CISobelGradients = sobel-gradients
    CISoftLightBlendMode sdr = soft-light
    CISourceAtopCompositing = source-atop
    CISourceInCompositing = source-in
    CISourceOutCompositing = source-out
    CISourceOverCompositing = source-over
    CISpotColor = spot-color
    CISpotLight = spot-light
    CIStarShineGenerator = star-shine-generator
    CIStraightenFilter = straighten
    CIStretchCrop = stretch-crop
    CIStripesGenerator = stripes
    CISubtractBlendMode sdr = subtract
    CISunbeamsGenerator = sunbeams-generator
    CISwipeTransition = swipe-transition
    CITemperatureAndTint = temperature-tint
    CITextImageGenerator sdr: draws text with fonts
    CIThermal sdr: for SDR, by a table that is not public
    CIToneCurve = tone-curve
    CIToneMapHeadroom = tone-map-headroom
    CITorusLensDistortion = torus-lens-distortion
    CITriangleKaleidoscope = triangle-kaleidoscope
    CITriangleTile = triangle-tile
    CITwelvefoldReflectedTile = twelvefold-reflected-tile
    CITwirlDistortion = twirl-distortion
    CIUnsharpMask = unsharp-mask
    CIVibrance = vibrance
    CIVignette = vignette
    CIVignetteEffect = vignette-effect
    CIVividLightBlendMode sdr = vivid-light
    CIVortexDistortion = vortex-distortion
    CIWhitePointAdjust = white-point-adjust
    CIXRay sdr: for SDR, by a table that is not public
    CIZoomBlur = zoom-blur
    """
}
