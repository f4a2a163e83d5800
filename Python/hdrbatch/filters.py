"""Filters as functions. Each returns the word for `--filter`, and `options` of `read` and `write`.

    >>> from hdrbatch import filters
    >>> filters.exposure(ev=0.5)
    'exposure=ev:0.5'
"""

# Made by `hdrbatch filters --python`.
# ruff: noqa: E501

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ._filters import PathLike, word


def exposure(*, ev: float = 0) -> str:
    """Light times 2^ev.

    ev: stops (-20...20).
    """
    return word("exposure", ev=ev)


def gamma(*, power: float = 1) -> str:
    """Each component to a power; its sign stays.

    power: exponent; above 1 darker below white (0.1...10).
    """
    return word("gamma", power=power)


def color_controls(*, saturation: float = 1, brightness: float = 0, contrast: float = 1) -> str:
    """Saturation, brightness and contrast, in this order.

    saturation: 0 is grey, above 1 more colour (0...10).
    brightness: added to each component (-1...10).
    contrast: slope about 0.5 of reference white (0...10).
    """
    return word("color-controls", saturation=saturation, brightness=brightness, contrast=contrast)


def color_matrix(*, r_vector: Sequence[float] = (1, 0, 0, 0), g_vector: Sequence[float] = (0, 1, 0, 0), b_vector: Sequence[float] = (0, 0, 1, 0), a_vector: Sequence[float] = (0, 0, 0, 1), bias: Sequence[float] = (0, 0, 0, 0)) -> str:
    """Each of R, G, B, A a weighted sum of the four, plus a bias.

    r_vector: weights of R, G, B, A in the new component (4 of -100...100).
    g_vector: weights of R, G, B, A in the new component (4 of -100...100).
    b_vector: weights of R, G, B, A in the new component (4 of -100...100).
    a_vector: weights of R, G, B, A in the new component (4 of -100...100).
    bias: added to R, G, B, A (4 of -100...100).
    """
    return word("color-matrix", r_vector=r_vector, g_vector=g_vector, b_vector=b_vector, a_vector=a_vector, bias=bias)


def color_polynomial(*, red_coefficients: Sequence[float] = (0, 1, 0, 0), green_coefficients: Sequence[float] = (0, 1, 0, 0), blue_coefficients: Sequence[float] = (0, 1, 0, 0), alpha_coefficients: Sequence[float] = (0, 1, 0, 0)) -> str:
    """A cubic polynomial for each component; grows fast above white.

    red_coefficients: a0, a1, a2, a3 (4 of -100...100).
    green_coefficients: a0, a1, a2, a3 (4 of -100...100).
    blue_coefficients: a0, a1, a2, a3 (4 of -100...100).
    alpha_coefficients: a0, a1, a2, a3 (4 of -100...100).
    """
    return word("color-polynomial", red_coefficients=red_coefficients, green_coefficients=green_coefficients, blue_coefficients=blue_coefficients, alpha_coefficients=alpha_coefficients)


def color_invert() -> str:
    """Reference white minus the light; what is brighter becomes negative."""
    return word("color-invert")


def color_monochrome(*, color: str | Sequence[float] | None = None, intensity: float = 1) -> str:
    """Shades of one colour by luminance.

    color: what white becomes, 0.6/0.45/0.3 if not given.
    intensity: share of the shades (0...1).
    """
    return word("color-monochrome", color=color, intensity=intensity)


def sepia_tone(*, intensity: float = 1) -> str:
    """Shades of a warm brown; luminance stays.

    intensity: share of the shades (0...1).
    """
    return word("sepia-tone", intensity=intensity)


def hue_adjust(*, angle: float = 0) -> str:
    """Turns hues about the grey axis; luminance stays.

    angle: radians; from red towards green (-100...100).
    """
    return word("hue-adjust", angle=angle)


def vibrance(*, amount: float = 0) -> str:
    """Saturation for pale colours more than for strong ones, and half for skin.

    amount: below 0 paler, above 0 stronger (-1...1).
    """
    return word("vibrance", amount=amount)


def white_point_adjust(*, color: str | Sequence[float] | None = None) -> str:
    """Light times a colour: what white becomes.

    color: what white becomes, 1/1/1 if not given.
    """
    return word("white-point-adjust", color=color)


def temperature_tint(*, neutral: Sequence[float] = (6500, 0), target_neutral: Sequence[float] = (6500, 0)) -> str:
    """Adapts from the white that a scene had to another one.

    neutral: temperature in K and tint of the scene's white, or its x, y (2 of -1000...25000).
    target_neutral: temperature in K and tint that it gets, or x, y (2 of -1000...25000).
    """
    return word("temperature-tint", neutral=neutral, target_neutral=target_neutral)


def tone_curve(*, point0: Sequence[float] = (0, 0), point1: Sequence[float] = (0.25, 0.25), point2: Sequence[float] = (0.5, 0.5), point3: Sequence[float] = (0.75, 0.75), point4: Sequence[float] = (1, 1), extrapolate: bool = True) -> str:
    """A smooth curve through five points of sRGB-encoded values.

    point0: x, y of a point; sorted by x (2 of -16...16).
    point1: x, y of a point; sorted by x (2 of -16...16).
    point2: x, y of a point; sorted by x (2 of -16...16).
    point3: x, y of a point; sorted by x (2 of -16...16).
    point4: x, y of a point; sorted by x (2 of -16...16).
    extrapolate: go on beyond the points; else light beyond them is cut.
    """
    return word("tone-curve", point0=point0, point1=point1, point2=point2, point3=point3, point4=point4, extrapolate=extrapolate)


def linear_to_srgb() -> str:
    """Linear light to sRGB signals, as values of their own."""
    return word("linear-to-srgb")


def srgb_to_linear() -> str:
    """Takes values for sRGB signals and makes them linear light."""
    return word("srgb-to-linear")


def highlight_shadow(*, shadow_amount: float = 0, highlight_amount: float = 1, radius: float = 0) -> str:
    """Light or dark shadows, darker highlights, by luminance nearby.

    shadow_amount: 1 lifts shadows by two stops (-1...1).
    highlight_amount: 0 lowers highlights by two stops (0...1).
    radius: standard deviation of the blur of luminance in pixels; 0 is none (0...500).
    """
    return word("highlight-shadow", shadow_amount=shadow_amount, highlight_amount=highlight_amount, radius=radius)


def color_clamp(*, min: Sequence[float] = (0, 0, 0, 0), max: Sequence[float] = (1, 1, 1, 1)) -> str:
    """Each component between a minimum and a maximum; by default cuts HDR light off.

    min: least R, G, B, A (4 of -65504...65504).
    max: largest R, G, B, A (4 of -65504...65504).
    """
    return word("color-clamp", min=min, max=max)


def color_threshold(*, threshold: float = 0.5) -> str:
    """Each component 1 where it reaches a threshold, else 0.

    threshold: linear light (-65504...65504).
    """
    return word("color-threshold", threshold=threshold)


def color_posterize(*, levels: float = 6) -> str:
    """Each component to the nearest of equal steps.

    levels: steps from black to reference white (1...1024).
    """
    return word("color-posterize", levels=levels)


def color_cube(*, lut: PathLike, space: str | None = None, extrapolate: bool = True, interpolation: Literal["tetrahedral", "trilinear", "nearest"] = "tetrahedral", inverse: bool = False) -> str:
    """What a LUT file holds, in the colour space it was made for.

    lut: the LUT among the inputs, or its file; a name given by `--input NAME=FILE`.
    space: of its inputs and outputs: curve and primaries, srgb if not given.
    extrapolate: go on beyond the LUT's domain; else cut.
    interpolation: between nodes; nearest takes the value of one, in 1D tables too.
    inverse: undo the LUT; 3D tables cannot be undone.
    """
    return word("color-cube", lut=lut, space=space, extrapolate=extrapolate, interpolation=interpolation, inverse=inverse)


def tone_map_headroom(*, source_headroom: float | None = None, target_headroom: float = 1) -> str:
    """Tone maps to a smaller headroom (Reference White).

    source_headroom: peak of the light over reference white; without it the content headroom (1...65536).
    target_headroom: peak that it gets (1...65536).
    """
    return word("tone-map-headroom", source_headroom=source_headroom, target_headroom=target_headroom)


def apply_gain_map(*, input: PathLike, headroom: float | None = None) -> str:
    """The gain map of an input, applied to the picture.

    input: a picture with a gain map; a name given by `--input NAME=FILE`.
    headroom: headroom that the map is to give, over reference white; without it all (1...65536).
    """
    return word("apply-gain-map", input=input, headroom=headroom)


def vignette(*, intensity: float = 0, radius: float = 1) -> str:
    """Darker towards the corners.

    intensity: 1 is black outside; below 0 brighter (-1...1).
    radius: in halves of the diagonal (0...2).
    """
    return word("vignette", intensity=intensity, radius=radius)


def vignette_effect(*, center: Sequence[float] | None = None, radius: float = 150, intensity: float = 1, falloff: float = 0.5) -> str:
    """Darker away from a place.

    center: x, y in pixels; without it the middle (2 of -1048576...1048576).
    radius: in pixels (0...1048576).
    intensity: 1 is black outside; below 0 brighter (-1...1).
    falloff: half width of the edge as a share of the radius; at least 0.02 (0...1).
    """
    return word("vignette-effect", center=center, radius=radius, intensity=intensity, falloff=falloff)


def gaussian_blur(*, radius: float = 10, edges: Literal["clamp", "transparent"] = "clamp") -> str:
    """Gaussian blur; the radius is its standard deviation.

    radius: standard deviation in pixels; below 0.16 nothing (0...500).
    edges: beyond the border: the border's pixels, or nothing.
    """
    return word("gaussian-blur", radius=radius, edges=edges)


def crop(*, rect: Sequence[float] | None = None, aspect: float | None = None, gravity: Literal["center", "top", "bottom", "left", "right", "top-left", "top-right", "bottom-left", "bottom-right", "centre"] = "center") -> str:
    """A rectangle of the picture, or the largest of a shape; what of it lies outside is left out.

    rect: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    aspect: width over height, as 1.25 or 4:5, of the largest that there is room for (0.001...1000).
    gravity: where that lies.
    """
    return word("crop", rect=rect, aspect=aspect, gravity=gravity)


def source_over(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none") -> str:
    """An input over the picture.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    """
    return word("source-over", input=input, offset=offset, fit=fit)


def constant_color(*, color: str | Sequence[float] | None = None, exposure: float = 0) -> str:
    """A picture of one colour.

    color: encoded sRGB; 1 is white, more is brighter, 1/0/0/1 if not given.
    exposure: stops added to the colours (-20...20).
    """
    return word("constant-color", color=color, exposure=exposure)


def checkerboard(*, center: Sequence[float] | None = None, color0: str | Sequence[float] | None = None, color1: str | Sequence[float] | None = None, width: float = 80, sharpness: float = 1, exposure: float = 0) -> str:
    """Squares of two colours.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
    color1: second colour, 0/0/0/1 if not given.
    width: side of a square in pixels (0.5...65536).
    sharpness: below 1 borders are blended over 1 - sharpness of a square (0...1).
    exposure: stops added to the colours (-20...20).
    """
    return word("checkerboard", center=center, color0=color0, color1=color1, width=width, sharpness=sharpness, exposure=exposure)


def stripes(*, center: Sequence[float] | None = None, color0: str | Sequence[float] | None = None, color1: str | Sequence[float] | None = None, width: float = 80, sharpness: float = 1, exposure: float = 0) -> str:
    """Upright stripes of two colours.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
    color1: second colour, 0/0/0/1 if not given.
    width: width of a stripe in pixels (0.5...65536).
    sharpness: below 1 borders are blended over 1 - sharpness of a square (0...1).
    exposure: stops added to the colours (-20...20).
    """
    return word("stripes", center=center, color0=color0, color1=color1, width=width, sharpness=sharpness, exposure=exposure)


def linear_gradient(*, point0: Sequence[float] = (0, 0), point1: Sequence[float] = (200, 200), color0: str | Sequence[float] | None = None, color1: str | Sequence[float] | None = None, smooth: bool = False, exposure: float = 0) -> str:
    """From one colour to another along a line.

    point0: x, y where the first colour ends, in pixels (2 of -1048576...1048576).
    point1: x, y where the second colour begins (2 of -1048576...1048576).
    color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
    color1: second colour, 0/0/0/1 if not given.
    smooth: slower at both ends (smoothLinearGradient).
    exposure: stops added to the colours (-20...20).
    """
    return word("linear-gradient", point0=point0, point1=point1, color0=color0, color1=color1, smooth=smooth, exposure=exposure)


def radial_gradient(*, center: Sequence[float] | None = None, radius0: float = 5, radius1: float = 100, color0: str | Sequence[float] | None = None, color1: str | Sequence[float] | None = None, exposure: float = 0) -> str:
    """From one colour to another between two circles.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius0: radius in pixels where the first colour ends (0...1048576).
    radius1: radius where the second colour begins; may be the smaller (0...1048576).
    color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
    color1: second colour, 0/0/0/1 if not given.
    exposure: stops added to the colours (-20...20).
    """
    return word("radial-gradient", center=center, radius0=radius0, radius1=radius1, color0=color0, color1=color1, exposure=exposure)


def gaussian_gradient(*, center: Sequence[float] | None = None, color0: str | Sequence[float] | None = None, color1: str | Sequence[float] | None = None, radius: float = 300, exposure: float = 0) -> str:
    """A Gaussian spot of the first colour in the second.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
    color1: second colour, 0/0/0/1 if not given.
    radius: three standard deviations, in pixels (0.01...1048576).
    exposure: stops added to the colours (-20...20).
    """
    return word("gaussian-gradient", center=center, color0=color0, color1=color1, radius=radius, exposure=exposure)


def addition(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none") -> str:
    """Light of the input added.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    """
    return word("addition", input=input, offset=offset, fit=fit)


def multiply(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none") -> str:
    """Component by component times the input, alpha too.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    """
    return word("multiply", input=input, offset=offset, fit=fit)


def minimum(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none") -> str:
    """The smaller of picture and input, component by component.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    """
    return word("minimum", input=input, offset=offset, fit=fit)


def maximum(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none") -> str:
    """The larger of picture and input, component by component.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    """
    return word("maximum", input=input, offset=offset, fit=fit)


def source_in(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none") -> str:
    """The input where the picture is.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    """
    return word("source-in", input=input, offset=offset, fit=fit)


def source_out(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none") -> str:
    """The input where the picture is not.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    """
    return word("source-out", input=input, offset=offset, fit=fit)


def source_atop(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none") -> str:
    """The input over the picture, only where the picture is.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    """
    return word("source-atop", input=input, offset=offset, fit=fit)


def blend_with_mask(*, input: PathLike, mask: PathLike, fit: Literal["none", "stretch"] = "stretch") -> str:
    """The input where a mask is white, the picture where it is black.

    input: the picture on top; a name given by `--input NAME=FILE`.
    mask: picture whose numbers, 0 to 1, are the input's share; a name given by `--input NAME=FILE`.
    fit: inputs: their own size, or stretched to the picture's.
    """
    return word("blend-with-mask", input=input, mask=mask, fit=fit)


def multiply_blend(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: cB cS, cut to 0...1.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("multiply-blend", input=input, offset=offset, fit=fit, headroom=headroom)


def screen(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: cB + cS - cB cS.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("screen", input=input, offset=offset, fit=fit, headroom=headroom)


def overlay(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: hard light with the layers exchanged.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("overlay", input=input, offset=offset, fit=fit, headroom=headroom)


def soft_light(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: a soft spotlight through the input.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("soft-light", input=input, offset=offset, fit=fit, headroom=headroom)


def hard_light(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: multiply by the input's dark half, screen with its bright half.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("hard-light", input=input, offset=offset, fit=fit, headroom=headroom)


def color_dodge(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: cB / (1 - cS): the input brightens.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("color-dodge", input=input, offset=offset, fit=fit, headroom=headroom)


def color_burn(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: 1 - (1 - cB) / cS: the input darkens.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("color-burn", input=input, offset=offset, fit=fit, headroom=headroom)


def darken(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: the darker component.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("darken", input=input, offset=offset, fit=fit, headroom=headroom)


def lighten(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: the brighter component.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("lighten", input=input, offset=offset, fit=fit, headroom=headroom)


def difference(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: the distance of the components.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("difference", input=input, offset=offset, fit=fit, headroom=headroom)


def exclusion(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: like difference, softer: cB + cS - 2 cB cS.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("exclusion", input=input, offset=offset, fit=fit, headroom=headroom)


def divide(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: cB / cS.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("divide", input=input, offset=offset, fit=fit, headroom=headroom)


def subtract(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: cB - cS.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("subtract", input=input, offset=offset, fit=fit, headroom=headroom)


def linear_dodge(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: cB + cS.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("linear-dodge", input=input, offset=offset, fit=fit, headroom=headroom)


def linear_burn(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: cB + cS - 1.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("linear-burn", input=input, offset=offset, fit=fit, headroom=headroom)


def linear_light(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: cB + 2 cS - 1.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("linear-light", input=input, offset=offset, fit=fit, headroom=headroom)


def vivid_light(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: burn by the input's dark half, dodge by its bright half.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("vivid-light", input=input, offset=offset, fit=fit, headroom=headroom)


def pin_light(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: darken by the input's dark half, lighten by its bright half.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("pin-light", input=input, offset=offset, fit=fit, headroom=headroom)


def hue(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: hue of the input, saturation and luminosity of the picture.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("hue", input=input, offset=offset, fit=fit, headroom=headroom)


def saturation(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: saturation of the input, hue and luminosity of the picture.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("saturation", input=input, offset=offset, fit=fit, headroom=headroom)


def color(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: hue and saturation of the input, luminosity of the picture.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("color", input=input, offset=offset, fit=fit, headroom=headroom)


def luminosity(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none", headroom: float = 1) -> str:
    """Blend mode: luminosity of the input, hue and saturation of the picture.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    headroom: both layers are divided by it before they are cut to 0...1, and multiplied after (1...65536).
    """
    return word("luminosity", input=input, offset=offset, fit=fit, headroom=headroom)


def dissolve(*, input: PathLike, time: float = 0, fit: Literal["none", "stretch"] = "stretch") -> str:
    """From the picture to the input: mixed by time.

    input: the picture on top; a name given by `--input NAME=FILE`.
    time: 0: the picture, 1: the input (0...1).
    fit: inputs: their own size, or stretched to the picture's.
    """
    return word("dissolve", input=input, time=time, fit=fit)


def ripple_transition(*, input: PathLike, shading: PathLike | None = None, center: Sequence[float] | None = None, time: float = 0, width: float = 100, scale: float = 50) -> str:
    """From the picture to the input by a ring wave with glints.

    input: the picture that the wave leaves behind; a name given by `--input NAME=FILE`.
    shading: a shaded sphere in a square, 0.5 adds nothing; without it one of glass; a name given by `--input NAME=FILE`.
    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    time: 0: the picture, 1: the input (0...1).
    width: width of the wave in pixels (1...65536).
    scale: largest displacement in pixels, about (-500...500).
    """
    return word("ripple-transition", input=input, shading=shading, center=center, time=time, width=width, scale=scale)


def area_average(*, extent: Sequence[float] | None = None) -> str:
    """One pixel: the mean of an area.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    """
    return word("area-average", extent=extent)


def area_maximum(*, extent: Sequence[float] | None = None) -> str:
    """One pixel: the largest of each component of an area.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    """
    return word("area-maximum", extent=extent)


def area_minimum(*, extent: Sequence[float] | None = None) -> str:
    """One pixel: the smallest of each component of an area.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    """
    return word("area-minimum", extent=extent)


def area_min_max(*, extent: Sequence[float] | None = None) -> str:
    """Two pixels: the smallest and the largest of each component of an area.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    """
    return word("area-min-max", extent=extent)


def area_maximum_alpha(*, extent: Sequence[float] | None = None) -> str:
    """One pixel: that with the largest alpha of an area.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    """
    return word("area-maximum-alpha", extent=extent)


def area_histogram(*, extent: Sequence[float] | None = None, count: int = 64, scale: float = 1) -> str:
    """A row: histogram of 0 to 1 of an area.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    count: number of bins: pixels of the row (1...2048).
    scale: a bin's value is scale times its share of the pixels (0...65536).
    """
    return word("area-histogram", extent=extent, count=count, scale=scale)


def area_logarithmic_histogram(*, extent: Sequence[float] | None = None, count: int = 64, minimum_stop: float = -10, maximum_stop: float = 4, scale: float = 1) -> str:
    """A row: histogram of stops of an area.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    count: number of bins: pixels of the row (1...2048).
    minimum_stop: log2 of light where the first bin begins (-24...4).
    maximum_stop: log2 of light where the last bin ends; a stop or more above minimumStop (-20...20).
    scale: a bin's value is scale times its share of the pixels (0...65536).
    """
    return word("area-logarithmic-histogram", extent=extent, count=count, minimum_stop=minimum_stop, maximum_stop=maximum_stop, scale=scale)


def scale(*, factor: float = 1, aspect_ratio: float = 1, width: int | None = None, height: int | None = None, method: Literal["lanczos", "bicubic", "area", "bilinear"] = "lanczos", b: float = 0, c: float = 0.75, space: Literal["linear", "pq"] = "linear") -> str:
    """Another size, by Lanczos, bicubic, area or bilinear weights.

    factor: size of the result over that of the picture (0.001...64).
    aspect_ratio: how much more it is scaled horizontally (0.01...100).
    width: pixels, instead of the factor; without it the height decides (1...65536).
    height: pixels, instead of the factor; without it the width decides (1...65536).
    method: Lanczos of three lobes; Mitchell-Netravali; mean over the pixel's area; triangle.
    b: B of bicubic (-2...2).
    c: C of bicubic (-2...2).
    space: light, or its PQ signal: less ringing around highlights.
    """
    return word("scale", factor=factor, aspect_ratio=aspect_ratio, width=width, height=height, method=method, b=b, c=c, space=space)


def thumbnail(*, size: int = 256) -> str:
    """A small copy by area averages; never larger than the picture.

    size: pixels of the longer side, at most (1...65536).
    """
    return word("thumbnail", size=size)


def stretch_crop(*, size: Sequence[float] | None = None, crop_amount: float = 0.25, center_stretch_amount: float = 0.25) -> str:
    """Another shape, by cropping and by stretching more towards the borders.

    size: width, height in pixels; without it 1280, 1280 (2 of 1...65536).
    crop_amount: 0 only stretches, 1 only crops (0...1).
    center_stretch_amount: 0 keeps the shape of the middle, 1 stretches evenly (0...1).
    """
    return word("stretch-crop", size=size, crop_amount=crop_amount, center_stretch_amount=center_stretch_amount)


def flip(*, direction: Literal["horizontal", "vertical"] = "horizontal") -> str:
    """Left and right exchanged, or top and bottom.

    direction: horizontal: left and right change places.
    """
    return word("flip", direction=direction)


def rotate(*, angle: float = 90, expand: bool = True, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear") -> str:
    """Turned counter-clockwise about its centre.

    angle: degrees counter-clockwise as seen (-360...360).
    expand: grows the canvas so that nothing is lost; otherwise it keeps its size.
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    """
    return word("rotate", angle=angle, expand=expand, sampling=sampling)


def straighten(*, angle: float = 0, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear") -> str:
    """Turned a little and cropped to the largest rectangle of the same shape.

    angle: degrees counter-clockwise as seen (-45...45).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    """
    return word("straighten", angle=angle, sampling=sampling)


def affine(*, matrix: Sequence[float] = (1, 0, 0, 0, 1, 0), canvas: Literal["same", "expand"] = "same", sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear") -> str:
    """Scaled, turned, sheared and moved by a 2x3 matrix.

    matrix: a, b, tx, c, d, ty: x' = a x + b y + tx, y' = c x + d y + ty in pixels from the top left corner (6 of -1048576...1048576).
    canvas: the picture's own size, or as large as what becomes of it.
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    """
    return word("affine", matrix=matrix, canvas=canvas, sampling=sampling)


def perspective_correction(*, top_left: Sequence[float] | None = None, top_right: Sequence[float] | None = None, bottom_right: Sequence[float] | None = None, bottom_left: Sequence[float] | None = None, crop: bool = True, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear") -> str:
    """A quadrilateral of the picture as a rectangle of its mean sides.

    top_left: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
    top_right: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
    bottom_right: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
    bottom_left: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
    crop: the quadrilateral alone; otherwise all of the picture, on a canvas as large as that becomes.
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    """
    return word("perspective-correction", top_left=top_left, top_right=top_right, bottom_right=bottom_right, bottom_left=bottom_left, crop=crop, sampling=sampling)


def perspective_transform(*, top_left: Sequence[float] | None = None, top_right: Sequence[float] | None = None, bottom_right: Sequence[float] | None = None, bottom_left: Sequence[float] | None = None, canvas: Literal["same", "expand"] = "same", sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear") -> str:
    """The picture's corners moved to four places, transparent around.

    top_left: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
    top_right: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
    bottom_right: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
    bottom_left: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
    canvas: the picture's own size, or as large as what becomes of it.
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    """
    return word("perspective-transform", top_left=top_left, top_right=top_right, bottom_right=bottom_right, bottom_left=bottom_left, canvas=canvas, sampling=sampling)


def motion_blur(*, radius: float = 20, angle: float = 0) -> str:
    """Mean along a line: a camera that moves.

    radius: pixels to each side; of what is not whole, points count in part (0...250).
    angle: degrees counter-clockwise as seen; 0 is level (-360...360).
    """
    return word("motion-blur", radius=radius, angle=angle)


def box_blur(*, radius: float = 10, edges: Literal["clamp", "transparent"] = "clamp") -> str:
    """Mean over a square of 2 radius + 1 pixels a side.

    radius: pixels to each side; of what is not whole, pixels count in part (0...500).
    edges: beyond the border: the border's pixels, or nothing.
    """
    return word("box-blur", radius=radius, edges=edges)


def disc_blur(*, radius: float = 8) -> str:
    """Mean over a disc.

    radius: pixels from the centre to the rim (0...32).
    """
    return word("disc-blur", radius=radius)


def unsharp_mask(*, radius: float = 2.5, intensity: float = 0.5) -> str:
    """Differences from a Gaussian blur made larger.

    radius: standard deviation of the blur in pixels (0...500).
    intensity: how much of the difference is added (0...10).
    """
    return word("unsharp-mask", radius=radius, intensity=intensity)


def sharpen_luminance(*, radius: float = 1.69, sharpness: float = 0.4) -> str:
    """Differences of luminance from a Gaussian blur made larger.

    radius: standard deviation of the blur in pixels (0...500).
    sharpness: how much of the difference is added (0...10).
    """
    return word("sharpen-luminance", radius=radius, sharpness=sharpness)


def bloom(*, radius: float = 10, intensity: float = 0.5) -> str:
    """Glow around light, like a screen up to white.

    radius: standard deviation of the glow in pixels (0...500).
    intensity: 0 nothing, 1 all of the glow (0...10).
    """
    return word("bloom", radius=radius, intensity=intensity)


def gloom(*, radius: float = 10, intensity: float = 0.5) -> str:
    """Shade around darkness, a multiplication below white.

    radius: standard deviation of the shade in pixels (0...500).
    intensity: 0 nothing, 1 all of the shade (0...1).
    """
    return word("gloom", radius=radius, intensity=intensity)


def convolution_3x3(*, weights: Sequence[float] = (0, 0, 0, 0, 1, 0, 0, 0, 0), bias: float = 0, alpha: Literal["kept", "weighted"] = "kept") -> str:
    """Weighted sum over 3x3 pixels.

    weights: row by row from the top left (9 of -65504...65504).
    bias: added to R, G and B (-65504...65504).
    alpha: as it was; weighted: a sum as colours are, multiplied by it.
    """
    return word("convolution-3x3", weights=weights, bias=bias, alpha=alpha)


def convolution_5x5(*, weights: Sequence[float] = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), bias: float = 0, alpha: Literal["kept", "weighted"] = "kept") -> str:
    """Weighted sum over 5x5 pixels.

    weights: row by row from the top left (25 of -65504...65504).
    bias: added to R, G and B (-65504...65504).
    alpha: as it was; weighted: a sum as colours are, multiplied by it.
    """
    return word("convolution-5x5", weights=weights, bias=bias, alpha=alpha)


def convolution_7x7(*, weights: Sequence[float] = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), bias: float = 0, alpha: Literal["kept", "weighted"] = "kept") -> str:
    """Weighted sum over 7x7 pixels.

    weights: row by row from the top left (49 of -65504...65504).
    bias: added to R, G and B (-65504...65504).
    alpha: as it was; weighted: a sum as colours are, multiplied by it.
    """
    return word("convolution-7x7", weights=weights, bias=bias, alpha=alpha)


def convolution_9_horizontal(*, weights: Sequence[float] = (0, 0, 0, 0, 1, 0, 0, 0, 0), bias: float = 0, alpha: Literal["kept", "weighted"] = "kept") -> str:
    """Weighted sum over 9 pixels of a row.

    weights: from the left, or from the top (9 of -65504...65504).
    bias: added to R, G and B (-65504...65504).
    alpha: as it was; weighted: a sum as colours are, multiplied by it.
    """
    return word("convolution-9-horizontal", weights=weights, bias=bias, alpha=alpha)


def convolution_9_vertical(*, weights: Sequence[float] = (0, 0, 0, 0, 1, 0, 0, 0, 0), bias: float = 0, alpha: Literal["kept", "weighted"] = "kept") -> str:
    """Weighted sum over 9 pixels of a column.

    weights: from the left, or from the top (9 of -65504...65504).
    bias: added to R, G and B (-65504...65504).
    alpha: as it was; weighted: a sum as colours are, multiplied by it.
    """
    return word("convolution-9-vertical", weights=weights, bias=bias, alpha=alpha)


def median() -> str:
    """Median of 3x3 pixels, per channel."""
    return word("median")


def morphology_maximum(*, radius: float = 5) -> str:
    """The largest of each component over a disc: light grows.

    radius: of a disc of whole pixels, centre to centre (0...50).
    """
    return word("morphology-maximum", radius=radius)


def morphology_minimum(*, radius: float = 5) -> str:
    """The smallest of each component over a disc: light shrinks.

    radius: of a disc of whole pixels, centre to centre (0...50).
    """
    return word("morphology-minimum", radius=radius)


def morphology_gradient(*, radius: float = 5) -> str:
    """The largest minus the smallest of each component over a disc: edges.

    radius: of a disc of whole pixels, centre to centre (0...50).
    """
    return word("morphology-gradient", radius=radius)


def morphology_rectangle_maximum(*, width: float = 5, height: float = 5) -> str:
    """The largest of each component over a rectangle: light grows.

    width: of the rectangle; the nearest odd number of pixels (1...501).
    height: its height, likewise (1...501).
    """
    return word("morphology-rectangle-maximum", width=width, height=height)


def morphology_rectangle_minimum(*, width: float = 5, height: float = 5) -> str:
    """The smallest of each component over a rectangle: light shrinks.

    width: of the rectangle; the nearest odd number of pixels (1...501).
    height: its height, likewise (1...501).
    """
    return word("morphology-rectangle-minimum", width=width, height=height)


def zoom_blur(*, center: Sequence[float] | None = None, amount: float = 20) -> str:
    """Mean over magnifications: a camera that zooms in.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    amount: percent by which it zooms in (0...200).
    """
    return word("zoom-blur", center=center, amount=amount)


def noise_reduction(*, noise_level: float = 0.02, sharpness: float = 0.4) -> str:
    """Small differences of luminance blurred, larger ones sharpened.

    noise_level: difference of luminance that is noise, in linear light (0.0001...16).
    sharpness: how much of larger ones is added (0...10).
    """
    return word("noise-reduction", noise_level=noise_level, sharpness=sharpness)


def color_cubes_mixed_with_mask(*, lut0: PathLike, lut1: PathLike, mask: PathLike, space: str | None = None, extrapolate: bool = True, interpolation: Literal["tetrahedral", "trilinear", "nearest"] = "tetrahedral") -> str:
    """Two LUTs, the second where a mask is white.

    lut0: the LUT for where the mask is black; a name given by `--input NAME=FILE`.
    lut1: the LUT for where it is white; a name given by `--input NAME=FILE`.
    mask: the mask, stretched to the picture's size; a name given by `--input NAME=FILE`.
    space: of its inputs and outputs: curve and primaries, srgb if not given.
    extrapolate: go on beyond the LUT's domain; else cut.
    interpolation: between nodes; nearest takes the value of one, in 1D tables too.
    """
    return word("color-cubes-mixed-with-mask", lut0=lut0, lut1=lut1, mask=mask, space=space, extrapolate=extrapolate, interpolation=interpolation)


def color_curves(*, curves: PathLike, domain: Sequence[float] | None = None, space: str | None = None) -> str:
    """Curves of a 1D LUT for R, G and B, in their own colour space; cut beyond their domain.

    curves: the 1D LUT among the inputs, or its file; a name given by `--input NAME=FILE`.
    domain: values that the first and the last sample are for; else the file's (2 of -65504...65504).
    space: of its inputs and outputs: curve and primaries, srgb if not given.
    """
    return word("color-curves", curves=curves, domain=domain, space=space)


def color_map(*, gradient: PathLike) -> str:
    """Luminance 0 to 1 as the place in a picture that is a scale of colours.

    gradient: the scale, dark to bright from the left; a name given by `--input NAME=FILE`.
    """
    return word("color-map", gradient=gradient)


def convert_rgb_to_lab(*, normalize: bool = False) -> str:
    """Light to CIE L*a*b* (D50) as values of their own.

    normalize: L* / 100 and (a*, b* + 128) / 256, so that 0 to 1 is what L* 0 to 100 and a*, b* -128 to 128 are.
    """
    return word("convert-rgb-to-lab", normalize=normalize)


def convert_lab_to_rgb(*, normalize: bool = False) -> str:
    """Takes R, G, B for CIE L*a*b* (D50) and makes them light.

    normalize: L* / 100 and (a*, b* + 128) / 256, so that 0 to 1 is what L* 0 to 100 and a*, b* -128 to 128 are.
    """
    return word("convert-lab-to-rgb", normalize=normalize)


def dither(*, intensity: float = 0.1) -> str:
    """Noise by place, in sRGB-encoded values.

    intensity: from the least to the largest noise; 1/255 is a step of 8 bits (0...5).
    """
    return word("dither", intensity=intensity)


def false_color(*, color0: str | Sequence[float] | None = None, color1: str | Sequence[float] | None = None) -> str:
    """Luminance as the place between two colours.

    color0: what black becomes, encoded sRGB, 0.3/0/0 if not given.
    color1: what white becomes, 1/0.9/0.8 if not given.
    """
    return word("false-color", color0=color0, color1=color1)


def color_absolute_difference(*, input: PathLike, offset: Sequence[float] = (0, 0), fit: Literal["none", "stretch"] = "none") -> str:
    """The distance of picture and input, component by component; alpha is the product.

    input: the picture on top; a name given by `--input NAME=FILE`.
    offset: x, y of its top left corner in pixels (2 of -1048576...1048576).
    fit: its own size, or stretched to the picture's.
    """
    return word("color-absolute-difference", input=input, offset=offset, fit=fit)


def blend_with_alpha_mask(*, input: PathLike, mask: PathLike, fit: Literal["none", "stretch"] = "stretch") -> str:
    """The input where a mask is opaque, the picture where it is transparent.

    input: the picture on top; a name given by `--input NAME=FILE`.
    mask: picture whose numbers, 0 to 1, are the input's share; a name given by `--input NAME=FILE`.
    fit: inputs: their own size, or stretched to the picture's.
    """
    return word("blend-with-alpha-mask", input=input, mask=mask, fit=fit)


def blend_with_red_mask(*, input: PathLike, mask: PathLike, fit: Literal["none", "stretch"] = "stretch") -> str:
    """The input where a mask's red is 1, the picture where it is 0.

    input: the picture on top; a name given by `--input NAME=FILE`.
    mask: picture whose numbers, 0 to 1, are the input's share; a name given by `--input NAME=FILE`.
    fit: inputs: their own size, or stretched to the picture's.
    """
    return word("blend-with-red-mask", input=input, mask=mask, fit=fit)


def blend_with_blue_mask(*, input: PathLike, mask: PathLike, fit: Literal["none", "stretch"] = "stretch") -> str:
    """The input where a mask's blue is 1, the picture where it is 0.

    input: the picture on top; a name given by `--input NAME=FILE`.
    mask: picture whose numbers, 0 to 1, are the input's share; a name given by `--input NAME=FILE`.
    fit: inputs: their own size, or stretched to the picture's.
    """
    return word("blend-with-blue-mask", input=input, mask=mask, fit=fit)


def smooth_linear_gradient(*, point0: Sequence[float] = (0, 0), point1: Sequence[float] = (200, 200), color0: str | Sequence[float] | None = None, color1: str | Sequence[float] | None = None, exposure: float = 0) -> str:
    """From one colour to another along a line, slower at both ends.

    point0: x, y where the first colour ends, in pixels (2 of -1048576...1048576).
    point1: x, y where the second colour begins (2 of -1048576...1048576).
    color0: first colour, encoded sRGB; 1 is white, 1/1/1/1 if not given.
    color1: second colour, 0/0/0/1 if not given.
    exposure: stops added to the colours (-20...20).
    """
    return word("smooth-linear-gradient", point0=point0, point1=point1, color0=color0, color1=color1, exposure=exposure)


def edges(*, intensity: float = 1) -> str:
    """Edges in colour: the length of each component's gradient.

    intensity: times the height of an edge (0...10).
    """
    return word("edges", intensity=intensity)


def sobel_gradients() -> str:
    """Gradients as colours: along rows in R, down columns in G."""
    return word("sobel-gradients")


def pixellate(*, center: Sequence[float] | None = None, scale: float = 8) -> str:
    """Squares of the mean light in them.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    scale: side of a square in pixels (1...65536).
    """
    return word("pixellate", center=center, scale=scale)


def hexagonal_pixellate(*, center: Sequence[float] | None = None, scale: float = 8) -> str:
    """Hexagons of one colour.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    scale: width of a hexagon in pixels (1...2000).
    """
    return word("hexagonal-pixellate", center=center, scale=scale)


def crystallize(*, center: Sequence[float] | None = None, radius: float = 20) -> str:
    """Areas of one colour around scattered points.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: half the mean distance of points in pixels (1...1000).
    """
    return word("crystallize", center=center, radius=radius)


def pointillize(*, center: Sequence[float] | None = None, radius: float = 20) -> str:
    """Dots of one colour at scattered points, transparent between.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: half the mean distance of points in pixels (1...1000).
    """
    return word("pointillize", center=center, radius=radius)


def swipe_transition(*, input: PathLike, time: float = 0, angle: float = 0, width: float = 300, color: str | Sequence[float] | None = None, opacity: float = 0, fit: Literal["none", "stretch"] = "stretch") -> str:
    """From the picture to the input behind a soft front.

    input: the picture on top; a name given by `--input NAME=FILE`.
    time: 0: the picture, 1: the input (0...1).
    angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
    width: of the front in pixels (1...65536).
    color: of the light, encoded sRGB; 1 is white, 1/1/1 if not given.
    opacity: of the front's colour in its middle (0...1).
    fit: inputs: their own size, or stretched to the picture's.
    """
    return word("swipe-transition", input=input, time=time, angle=angle, width=width, color=color, opacity=opacity, fit=fit)


def bars_swipe_transition(*, input: PathLike, time: float = 0, angle: float = 180, width: float = 30, bar_offset: float = 10, fit: Literal["none", "stretch"] = "stretch") -> str:
    """From the picture to the input bar by bar.

    input: the picture on top; a name given by `--input NAME=FILE`.
    time: 0: the picture, 1: the input (0...1).
    angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
    width: of a bar in pixels (2...65536).
    bar_offset: pixels by which a bar is behind the one before it (-1000...1000).
    fit: inputs: their own size, or stretched to the picture's.
    """
    return word("bars-swipe-transition", input=input, time=time, angle=angle, width=width, bar_offset=bar_offset, fit=fit)


def copy_machine_transition(*, input: PathLike, time: float = 0, angle: float = 0, width: float = 200, color: str | Sequence[float] | None = None, opacity: float = 1.3, fit: Literal["none", "stretch"] = "stretch") -> str:
    """From the picture to the input behind a lamp whose light is added.

    input: the picture on top; a name given by `--input NAME=FILE`.
    time: 0: the picture, 1: the input (0...1).
    angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
    width: of the light in pixels (1...65536).
    color: of the lamp, encoded sRGB; 1 is white, 0.6/1/0.8 if not given.
    opacity: times the colour: the light in its middle (0...100).
    fit: inputs: their own size, or stretched to the picture's.
    """
    return word("copy-machine-transition", input=input, time=time, angle=angle, width=width, color=color, opacity=opacity, fit=fit)


def flash_transition(*, input: PathLike, time: float = 0, center: Sequence[float] | None = None, color: str | Sequence[float] | None = None, max_striation_radius: float = 2.58, striation_strength: float = 0.5, striation_contrast: float = 1.375, fade_threshold: float = 0.85, fit: Literal["none", "stretch"] = "stretch") -> str:
    """From the picture to the input by a flash that spreads and fades.

    input: the picture on top; a name given by `--input NAME=FILE`.
    time: 0: the picture, 1: the input (0...1).
    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    color: of the flash, encoded sRGB; 1 is white, 1/0.8/0.6 if not given.
    max_striation_radius: how far rays reach, times the flash (0...10).
    striation_strength: how much of that they do (0...3).
    striation_contrast: of rays and what lies between (0...5).
    fade_threshold: time at which the flash fills the picture (0...1).
    fit: inputs: their own size, or stretched to the picture's.
    """
    return word("flash-transition", input=input, time=time, center=center, color=color, max_striation_radius=max_striation_radius, striation_strength=striation_strength, striation_contrast=striation_contrast, fade_threshold=fade_threshold, fit=fit)


def mod_transition(*, input: PathLike, time: float = 0, center: Sequence[float] | None = None, angle: float = 114.6, radius: float = 150, compression: float = 300, fit: Literal["none", "stretch"] = "stretch") -> str:
    """From the picture to the input through growing holes.

    input: the picture on top; a name given by `--input NAME=FILE`.
    time: 0: the picture, 1: the input (0...1).
    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
    radius: of a hole in the middle, in pixels (1...65536).
    compression: pixels from the centre where holes are twice as far apart (1...65536).
    fit: inputs: their own size, or stretched to the picture's.
    """
    return word("mod-transition", input=input, time=time, center=center, angle=angle, radius=radius, compression=compression, fit=fit)


def disintegrate_with_mask_transition(*, input: PathLike, mask: PathLike, time: float = 0, shadow_radius: float = 8, shadow_density: float = 0.65, shadow_offset: Sequence[float] = (0, 10)) -> str:
    """From the picture to the input where a mask is dark first, with a shadow.

    input: the picture on top; a name given by `--input NAME=FILE`.
    mask: picture whose luminance, 0 to 1, says when; a name given by `--input NAME=FILE`.
    time: 0: the picture, 1: the input (0...1).
    shadow_radius: standard deviation of the shadow's blur in pixels (0...500).
    shadow_density: 0 no shadow, 1 a black one (0...1).
    shadow_offset: whole pixels to the right and down (2 of -4096...4096).
    """
    return word("disintegrate-with-mask-transition", input=input, mask=mask, time=time, shadow_radius=shadow_radius, shadow_density=shadow_density, shadow_offset=shadow_offset)


def accordion_fold_transition(*, input: PathLike, time: float = 0, bottom_height: float = 0, number_of_folds: int = 3, fold_shadow_amount: float = 0.1) -> str:
    """From the picture, which folds down, to the input behind it.

    input: the picture on top; a name given by `--input NAME=FILE`.
    time: 0: the picture, 1: the input (0...1).
    bottom_height: pixels at the bottom that do not fold (0...65536).
    number_of_folds: of two panels each (1...50).
    fold_shadow_amount: share of its light that every second panel loses (0...1).
    """
    return word("accordion-fold-transition", input=input, time=time, bottom_height=bottom_height, number_of_folds=number_of_folds, fold_shadow_amount=fold_shadow_amount)


def resize(*, size: int | None = None, width: int | None = None, height: int | None = None, percent: float | None = None, fit: Literal["fit", "fill", "stretch"] = "fit", enlarge: bool = False, method: Literal["lanczos", "bicubic", "area", "bilinear"] = "lanczos", space: Literal["linear", "pq"] = "linear") -> str:
    """Made to fit a size; never larger than it was unless enlarge is true.

    size: pixels of the longer side; without any of the four it stays as it is (1...65536).
    width: pixels; without the height, that follows (1...65536).
    height: pixels; without the width, that follows (1...65536).
    percent: of the picture's own size (0.1...6400).
    fit: into width and height; fill: all of them, what stands over is cut away evenly; stretch: all of them, out of shape.
    enlarge: makes small pictures larger too.
    method: Lanczos of three lobes; Mitchell-Netravali; mean over the pixel's area; triangle.
    space: light, or its PQ signal: less ringing around highlights.
    """
    return word("resize", size=size, width=width, height=height, percent=percent, fit=fit, enlarge=enlarge, method=method, space=space)


def aces_output(*, view: Literal["sdr-709", "sdr-p3", "hdr108-p3", "hdr300-p3", "hdr500-p3", "hdr1000-p3", "hdr2000-p3", "hdr4000-p3", "hdr500-2020", "hdr1000-2020", "hdr2000-2020", "hdr4000-2020", "sdr-709-d60-in-709", "sdr-709-d60-in-p3", "sdr-709-d60-in-2020", "sdr-p3-d60-in-p3", "sdr-p3-d60-in-xyz-e", "hdr108-p3-d60-in-p3", "hdr300-p3-d60-in-xyz-e", "hdr500-p3-d60-in-p3", "hdr1000-p3-d60-in-p3", "hdr2000-p3-d60-in-p3", "hdr4000-p3-d60-in-p3", "hdr500-p3-d60-in-2020", "hdr1000-p3-d60-in-2020", "hdr2000-p3-d60-in-2020", "hdr4000-p3-d60-in-2020", "hdr500-2020-d60-in-2020", "hdr1000-2020-d60-in-2020", "hdr2000-2020-d60-in-2020", "hdr4000-2020-d60-in-2020", "aces1-sdr", "aces1-sdr-709", "aces1-sdr-p3", "aces1-sdr-d60", "aces1-cinema", "aces1-cinema-709", "aces1-cinema-d60", "aces1-cinema-dci-d60", "aces1-cinema-dci-d65", "aces1-hdr1000", "aces1-hdr1000-p3", "aces1-hdr2000", "aces1-hdr2000-p3", "aces1-hdr4000", "aces1-hdr4000-p3", "aces1-hdr108-cinema"] = "sdr-709", white: float | None = None) -> str:
    """Scene light as an output transform of ACES 2.0 or 1 shows it.

    view: the output transform.
    white: cd/m² of the view that are reference white; by default 100 for SDR, 203 for HDR (1...10000).
    """
    return word("aces-output", view=view, white=white)


def aces_inverse(*, view: Literal["sdr-709", "sdr-p3", "hdr108-p3", "hdr300-p3", "hdr500-p3", "hdr1000-p3", "hdr2000-p3", "hdr4000-p3", "hdr500-2020", "hdr1000-2020", "hdr2000-2020", "hdr4000-2020", "sdr-709-d60-in-709", "sdr-709-d60-in-p3", "sdr-709-d60-in-2020", "sdr-p3-d60-in-p3", "sdr-p3-d60-in-xyz-e", "hdr108-p3-d60-in-p3", "hdr300-p3-d60-in-xyz-e", "hdr500-p3-d60-in-p3", "hdr1000-p3-d60-in-p3", "hdr2000-p3-d60-in-p3", "hdr4000-p3-d60-in-p3", "hdr500-p3-d60-in-2020", "hdr1000-p3-d60-in-2020", "hdr2000-p3-d60-in-2020", "hdr4000-p3-d60-in-2020", "hdr500-2020-d60-in-2020", "hdr1000-2020-d60-in-2020", "hdr2000-2020-d60-in-2020", "hdr4000-2020-d60-in-2020", "aces1-sdr", "aces1-sdr-709", "aces1-sdr-p3", "aces1-sdr-d60", "aces1-cinema", "aces1-cinema-709", "aces1-cinema-d60", "aces1-cinema-dci-d60", "aces1-cinema-dci-d65", "aces1-hdr1000", "aces1-hdr1000-p3", "aces1-hdr2000", "aces1-hdr2000-p3", "aces1-hdr4000", "aces1-hdr4000-p3", "aces1-hdr108-cinema"] = "sdr-709", white: float | None = None) -> str:
    """The scene light that a view of ACES 2.0 or 1 shows like this: for graphics and SDR plates.

    view: the output transform.
    white: cd/m² of the view that are reference white; by default 100 for SDR, 203 for HDR (1...10000).
    """
    return word("aces-inverse", view=view, white=white)


def aces_gamut_compress(*, inverse: bool = False) -> str:
    """Scene light with colours outside AP1 brought inside, as ACES 1.3 does it, or back.

    inverse: true undoes it.
    """
    return word("aces-gamut-compress", inverse=inverse)


def aces_blue_light_fix(*, inverse: bool = False) -> str:
    """Scene light with less saturated blues, as ACES 1 fixes lights that it shows violet, or back.

    inverse: true undoes it.
    """
    return word("aces-blue-light-fix", inverse=inverse)


def cdl(*, file: PathLike | None = None, slope: Sequence[float] = (1, 1, 1), offset: Sequence[float] = (0, 0, 0), power: Sequence[float] = (1, 1, 1), sat: float = 1, style: Literal["noclamp", "asc"] = "noclamp", inverse: bool = False, space: str | None = None) -> str:
    """Slope, offset, power and saturation of ASC CDL, by numbers or from a .cc, .ccc or .cdl file.

    file: the correction among the inputs, or its file, with #ID of one of several; then no numbers; a name given by `--input NAME=FILE`.
    slope: factors of R, G, B (3 of 0...1000).
    offset: added to R, G, B (3 of -1000...1000).
    power: exponents of R, G, B (3 of 0.01...100).
    sat: distance from the luminance of BT.709; 0 is grey (0...100).
    style: noclamp keeps negative bases of the power and all light; asc keeps numbers within 0 to 1.
    inverse: undo the correction.
    space: in which the numbers are corrected: curve and primaries, linear-bt2020 if not given.
    """
    return word("cdl", file=file, slope=slope, offset=offset, power=power, sat=sat, style=style, inverse=inverse, space=space)


def ocio(*, from_: str | None = None, to: str | None = None) -> str:
    """The numbers of a space of the OpenColorIO config become those of another.

    from_: the space that the numbers are of; linear BT.2020 without.
    to: the space that they become those of; linear BT.2020 without.
    """
    return word("ocio", from_=from_, to=to)


def look(*, name: str | None = None) -> str:
    """Looks of the OpenColorIO config, by name.

    name: the look, or several, as a, -b; none without.
    """
    return word("look", name=name)


def maximum_component() -> str:
    """Grey of the largest of R, G and B."""
    return word("maximum-component")


def minimum_component() -> str:
    """Grey of the smallest of R, G and B."""
    return word("minimum-component")


def color_cross_polynomial(*, red_coefficients: Sequence[float] = (1, 0, 0, 0, 0, 0, 0, 0, 0, 0), green_coefficients: Sequence[float] = (0, 1, 0, 0, 0, 0, 0, 0, 0, 0), blue_coefficients: Sequence[float] = (0, 0, 1, 0, 0, 0, 0, 0, 0, 0)) -> str:
    """Each component a polynomial of all three; grows fast above white.

    red_coefficients: of r, g, b, r², g², b², rg, gb, br, 1 (10 of -100...100).
    green_coefficients: of r, g, b, r², g², b², rg, gb, br, 1 (10 of -100...100).
    blue_coefficients: of r, g, b, r², g², b², rg, gb, br, 1 (10 of -100...100).
    """
    return word("color-cross-polynomial", red_coefficients=red_coefficients, green_coefficients=green_coefficients, blue_coefficients=blue_coefficients)


def spot_color(*, center_color1: str | Sequence[float] | None = None, replacement_color1: str | Sequence[float] | None = None, closeness1: float = 0.22, contrast1: float = 0.98, center_color2: str | Sequence[float] | None = None, replacement_color2: str | Sequence[float] | None = None, closeness2: float = 0.15, contrast2: float = 0.98, center_color3: str | Sequence[float] | None = None, replacement_color3: str | Sequence[float] | None = None, closeness3: float = 0.5, contrast3: float = 0.99) -> str:
    """Colours near three centres become three others.

    center_color1: that changes, encoded sRGB, 0.08/0.06/0.01 if not given.
    replacement_color1: that it becomes, 0.44/0.19/0.2 if not given.
    closeness1: how far from the centre colours change; 0: none (0...4).
    contrast1: 1: all alike; 0: less and less away from the centre (0...1).
    center_color2: that changes, encoded sRGB, 0.06/0.06/0.12 if not given.
    replacement_color2: that it becomes, 0.91/0.56/0.51 if not given.
    closeness2: how far from the centre colours change; 0: none (0...4).
    contrast2: 1: all alike; 0: less and less away from the centre (0...1).
    center_color3: that changes, encoded sRGB, 0.22/0.45/0.63 if not given.
    replacement_color3: that it becomes, 0.91/0.75/0.6 if not given.
    closeness3: how far from the centre colours change; 0: none (0...4).
    contrast3: 1: all alike; 0: less and less away from the centre (0...1).
    """
    return word("spot-color", center_color1=center_color1, replacement_color1=replacement_color1, closeness1=closeness1, contrast1=contrast1, center_color2=center_color2, replacement_color2=replacement_color2, closeness2=closeness2, contrast2=contrast2, center_color3=center_color3, replacement_color3=replacement_color3, closeness3=closeness3, contrast3=contrast3)


def rounded_rectangle_generator(*, extent: Sequence[float] | None = None, radius: float = 10, color: str | Sequence[float] | None = None, exposure: float = 0) -> str:
    """A rectangle of one colour with round corners.

    extent: x, y, width, height in pixels; without it the middle third of the picture (4 of -1048576...1048576).
    radius: of the corners, in pixels (0...1048576).
    color: encoded sRGB; 1 is white, 1/1/1/1 if not given.
    exposure: stops added to the colours (-20...20).
    """
    return word("rounded-rectangle-generator", extent=extent, radius=radius, color=color, exposure=exposure)


def rounded_rectangle_stroke_generator(*, extent: Sequence[float] | None = None, radius: float = 10, width: float = 10, color: str | Sequence[float] | None = None, exposure: float = 0) -> str:
    """The line around a rectangle with round corners.

    extent: x, y, width, height in pixels; without it the middle third of the picture (4 of -1048576...1048576).
    radius: of the corners, in pixels (0...1048576).
    width: of the line, in pixels (0...1048576).
    color: encoded sRGB; 1 is white, 1/1/1/1 if not given.
    exposure: stops added to the colours (-20...20).
    """
    return word("rounded-rectangle-stroke-generator", extent=extent, radius=radius, width=width, color=color, exposure=exposure)


def star_shine_generator(*, center: Sequence[float] | None = None, color: str | Sequence[float] | None = None, radius: float = 50, cross_scale: float = 15, cross_angle: float = 34.4, cross_opacity: float = -2, cross_width: float = 2.5, epsilon: float = -2, exposure: float = 0) -> str:
    """A spot of light with a cross of four beams.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    color: of the light, encoded sRGB; 1 is white, 1/0.8/0.6/1 if not given.
    radius: of the spot, in pixels (0.01...1048576).
    cross_scale: pixels along a beam over which its light halves, for epsilon 0 (0.01...1048576).
    cross_angle: of a beam, in degrees (-36000...36000).
    cross_opacity: light of the beams, in stops (-8...2).
    cross_width: pixels across a beam over which its light halves (0.01...1048576).
    epsilon: stops by which beams are shorter (-8...8).
    exposure: stops added to the colours (-20...20).
    """
    return word("star-shine-generator", center=center, color=color, radius=radius, cross_scale=cross_scale, cross_angle=cross_angle, cross_opacity=cross_opacity, cross_width=cross_width, epsilon=epsilon, exposure=exposure)


def sunbeams_generator(*, center: Sequence[float] | None = None, color: str | Sequence[float] | None = None, sun_radius: float = 40, max_striation_radius: float = 2.58, striation_strength: float = 0.5, striation_contrast: float = 1.375, time: float = 0, exposure: float = 0) -> str:
    """A sun whose light fades into rays.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    color: of the light, encoded sRGB; 1 is white, 1/0.5/0/1 if not given.
    sun_radius: in pixels (0...1048576).
    max_striation_radius: how far rays reach, times the sun (0...10).
    striation_strength: how much of that they do (0...1).
    striation_contrast: of rays and what lies between (0...5).
    time: turns of the rays (-36000...36000).
    exposure: stops added to the colours (-20...20).
    """
    return word("sunbeams-generator", center=center, color=color, sun_radius=sun_radius, max_striation_radius=max_striation_radius, striation_strength=striation_strength, striation_contrast=striation_contrast, time=time, exposure=exposure)


def lenticular_halo_generator(*, center: Sequence[float] | None = None, color: str | Sequence[float] | None = None, halo_radius: float = 70, halo_width: float = 87, halo_overlap: float = 0.77, striation_strength: float = 0.5, striation_contrast: float = 1, time: float = 0, exposure: float = 0) -> str:
    """The halo of a bright light: rings of red, green and blue with rays.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    color: of the light, encoded sRGB; 1 is white, 1/0.9/0.8/1 if not given.
    halo_radius: of the green ring, in pixels (0...1048576).
    halo_width: of each ring, in pixels (0.01...1048576).
    halo_overlap: of rings: 1 is all, which is white (0...1).
    striation_strength: of the rays (0...3).
    striation_contrast: of rays and what lies between (0...5).
    time: turns of the rays (-36000...36000).
    exposure: stops added to the colours (-20...20).
    """
    return word("lenticular-halo-generator", center=center, color=color, halo_radius=halo_radius, halo_width=halo_width, halo_overlap=halo_overlap, striation_strength=striation_strength, striation_contrast=striation_contrast, time=time, exposure=exposure)


def spot_light(*, light_position: Sequence[float] | None = None, light_points_at: Sequence[float] | None = None, brightness: float = 3, concentration: float = 0.1, color: str | Sequence[float] | None = None) -> str:
    """The light of a lamp above the picture.

    light_position: x, y and height above the picture in pixels; without it above the right bottom corner (3 of -1048576...1048576).
    light_points_at: x, y and height above the picture in pixels; without it the picture's centre (3 of -1048576...1048576).
    brightness: of the light, a factor (0...100).
    concentration: the smaller, the narrower the beam (0.001...2).
    color: of the light, encoded sRGB; 1 is white, 1/1/1 if not given.
    """
    return word("spot-light", light_position=light_position, light_points_at=light_points_at, brightness=brightness, concentration=concentration, color=color)


def mesh_generator(*, width: float = 1.5, color: str | Sequence[float] | None = None, mesh: str | None = None, exposure: float = 0) -> str:
    """Lines of one colour.

    width: of lines, in pixels (0...1048576).
    color: encoded sRGB; 1 is white, 1/1/1/1 if not given.
    mesh: lines x0/y0/x1/y1 with ; between them, up to 1024; without them the picture's diagonals.
    exposure: stops added to the colours (-20...20).
    """
    return word("mesh-generator", width=width, color=color, mesh=mesh, exposure=exposure)


def shaded_material(*, shading: PathLike | None = None, scale: float = 10) -> str:
    """Luminance as a relief, lit like a sphere's picture.

    shading: a lit sphere in a square; without it one of glass; a name given by `--input NAME=FILE`.
    scale: height of white, in pixels (0...1048576).
    """
    return word("shaded-material", shading=shading, scale=scale)


def bokeh_blur(*, radius: float = 20, ring_amount: float = 0, ring_size: float = 0.1, softness: float = 1) -> str:
    """Mean over a disc: lights out of focus.

    radius: of the disc, in pixels (0...100).
    ring_amount: extra light of the ring (0...1).
    ring_size: of the ring, times the radius (0...0.2).
    softness: width of the rim in pixels (0...10).
    """
    return word("bokeh-blur", radius=radius, ring_amount=ring_amount, ring_size=ring_size, softness=softness)


def gabor_gradients() -> str:
    """Gradients as colours, by smoother weights: along rows in R, down columns in G."""
    return word("gabor-gradients")


def canny_edge_detector(*, gaussian_sigma: float = 1.6, perceptual: bool = False, threshold_high: float = 0.05, threshold_low: float = 0.02, hysteresis_passes: int = 1) -> str:
    """Edges a pixel wide: 1 where there is one, else 0.

    gaussian_sigma: of the blur before, in pixels (0...10).
    perceptual: of sRGB signals instead of light.
    threshold_high: slope of strong edges, in light a pixel (0...65504).
    threshold_low: slope of weak edges (0...65504).
    hysteresis_passes: pixels that edges go on from strong to weak ones (0...20).
    """
    return word("canny-edge-detector", gaussian_sigma=gaussian_sigma, perceptual=perceptual, threshold_high=threshold_high, threshold_low=threshold_low, hysteresis_passes=hysteresis_passes)


def edge_preserve_upsample(*, small: PathLike, spatial_sigma: float = 3, luma_sigma: float = 0.15) -> str:
    """A smaller picture in this one's size, with this one's edges.

    small: the smaller picture; a name given by `--input NAME=FILE`.
    spatial_sigma: in pixels of the smaller picture (0.1...5).
    luma_sigma: difference of signals that counts less (0.001...1).
    """
    return word("edge-preserve-upsample", small=small, spatial_sigma=spatial_sigma, luma_sigma=luma_sigma)


def guided_filter(*, guide: PathLike, radius: int = 1, epsilon: float = 0.0001) -> str:
    """The picture in a guide's size, with the guide's edges.

    guide: the picture whose size and edges are wanted; a name given by `--input NAME=FILE`.
    radius: pixels to each side (0...100).
    epsilon: squared contrast that counts as flat (1e-06...10).
    """
    return word("guided-filter", guide=guide, radius=radius, epsilon=epsilon)


def page_curl_transition(*, input: PathLike, backside: PathLike | None = None, shading: PathLike | None = None, time: float = 0, angle: float = 0, radius: float = 100) -> str:
    """From the picture to the input: a page that is rolled up.

    input: the picture on top; a name given by `--input NAME=FILE`.
    backside: the page's other side; without it the picture too; a name given by `--input NAME=FILE`.
    shading: a lit sphere in a square, 0.5 adds nothing; without it the roll is darker on top; a name given by `--input NAME=FILE`.
    time: 0: the picture, 1: the input (0...1).
    angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
    radius: of the roll, in pixels (0.01...1048576).
    """
    return word("page-curl-transition", input=input, backside=backside, shading=shading, time=time, angle=angle, radius=radius)


def page_curl_with_shadow_transition(*, input: PathLike, backside: PathLike | None = None, time: float = 0, angle: float = 0, radius: float = 100, shadow_size: float = 0.5, shadow_amount: float = 0.7) -> str:
    """From the picture to the input: a page that is rolled up and casts a shadow.

    input: the picture on top; a name given by `--input NAME=FILE`.
    backside: the page's other side; without it the picture too; a name given by `--input NAME=FILE`.
    time: 0: the picture, 1: the input (0...1).
    angle: degrees counter-clockwise as seen; 0 is to the right (-360...360).
    radius: of the roll, in pixels (0.01...1048576).
    shadow_size: length of the shadow, times the roll's width (0...1).
    shadow_amount: strength of the shadow (0...1).
    """
    return word("page-curl-with-shadow-transition", input=input, backside=backside, time=time, angle=angle, radius=radius, shadow_size=shadow_size, shadow_amount=shadow_amount)


def kmeans(*, extent: Sequence[float] | None = None, means: PathLike | None = None, count: int = 8, passes: int = 5, perceptual: bool = False) -> str:
    """A row: the most typical colours of an area, alpha the share of each.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    means: colours to start with: the first row of a picture; a name given by `--input NAME=FILE`.
    count: number of colours: pixels of the row (1...128).
    passes: how often means are made (0...20).
    perceptual: distances and means of sRGB signals.
    """
    return word("kmeans", extent=extent, means=means, count=count, passes=passes, perceptual=perceptual)


def area_bounds_red(*, extent: Sequence[float] | None = None) -> str:
    """One pixel: x, y, width and height of the box outside which red is 0, as shares of an area.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    """
    return word("area-bounds-red", extent=extent)


def mix(*, input: PathLike, amount: float = 1, fit: Literal["none", "stretch"] = "stretch") -> str:
    """The picture and an input behind it, mixed by an amount.

    input: the picture behind; a name given by `--input NAME=FILE`.
    amount: 1: the picture, 0: the input (0...1).
    fit: inputs: their own size, or stretched to the picture's.
    """
    return word("mix", input=input, amount=amount, fit=fit)


def sample_nearest() -> str:
    """The next filter that moves pixels freely takes the nearest one, unless told otherwise."""
    return word("sample-nearest")


def affine_clamp(*, matrix: Sequence[float] = (0.4, 0, 0, 0, 0.4, 0), sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear") -> str:
    """Through a 2x3 matrix as affine; around the picture its border's pixels repeat.

    matrix: a, b, tx, c, d, ty: x' = a x + b y + tx, y' = c x + d y + ty in pixels from the top left corner (6 of -1048576...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    """
    return word("affine-clamp", matrix=matrix, sampling=sampling)


def clamp(*, extent: Sequence[float] | None = None) -> str:
    """Around an extent the pixels of its border repeat, over all of the picture.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    """
    return word("clamp", extent=extent)


def perspective_transform_with_extent(*, extent: Sequence[float] | None = None, top_left: Sequence[float] | None = None, top_right: Sequence[float] | None = None, bottom_right: Sequence[float] | None = None, bottom_left: Sequence[float] | None = None, canvas: Literal["same", "expand"] = "same", sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear") -> str:
    """The corners of an extent moved to four places, and all around it moved alike.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    top_left: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
    top_right: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
    bottom_right: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
    bottom_left: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
    canvas: the picture's own size, or as large as what becomes of it.
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    """
    return word("perspective-transform-with-extent", extent=extent, top_left=top_left, top_right=top_right, bottom_right=bottom_right, bottom_left=bottom_left, canvas=canvas, sampling=sampling)


def perspective_rotate(*, focal_length: float = 28, pitch: float = 0, yaw: float = 0, roll: float = 0, canvas: Literal["same", "expand"] = "same", sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear") -> str:
    """As if the camera had been turned about its lens.

    focal_length: of the lens in mm, as on film of 36x24; the picture's diagonal is the film's (1...10000).
    pitch: degrees; positive: the bottom recedes, which rights buildings taken from below (-36000...36000).
    yaw: degrees; positive: the left side recedes (-36000...36000).
    roll: degrees; counter-clockwise as seen (-36000...36000).
    canvas: the picture's own size, or as large as what becomes of it.
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    """
    return word("perspective-rotate", focal_length=focal_length, pitch=pitch, yaw=yaw, roll=roll, canvas=canvas, sampling=sampling)


def keystone_correction_vertical(*, focal_length: float = 28, top_left: Sequence[float] | None = None, top_right: Sequence[float] | None = None, bottom_right: Sequence[float] | None = None, bottom_left: Sequence[float] | None = None, crop: bool = False, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear") -> str:
    """Upright lines made upright: buildings taken from below.

    focal_length: of the lens in mm, as on film of 36x24; the picture's diagonal is the film's (1...10000).
    top_left: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
    top_right: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
    bottom_right: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
    bottom_left: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
    crop: the largest rectangle of the picture's shape without transparency; otherwise its own canvas.
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    """
    return word("keystone-correction-vertical", focal_length=focal_length, top_left=top_left, top_right=top_right, bottom_right=bottom_right, bottom_left=bottom_left, crop=crop, sampling=sampling)


def keystone_correction_horizontal(*, focal_length: float = 28, top_left: Sequence[float] | None = None, top_right: Sequence[float] | None = None, bottom_right: Sequence[float] | None = None, bottom_left: Sequence[float] | None = None, crop: bool = False, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear") -> str:
    """Level lines made level: walls taken from the side.

    focal_length: of the lens in mm, as on film of 36x24; the picture's diagonal is the film's (1...10000).
    top_left: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
    top_right: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
    bottom_right: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
    bottom_left: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
    crop: the largest rectangle of the picture's shape without transparency; otherwise its own canvas.
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    """
    return word("keystone-correction-horizontal", focal_length=focal_length, top_left=top_left, top_right=top_right, bottom_right=bottom_right, bottom_left=bottom_left, crop=crop, sampling=sampling)


def keystone_correction_combined(*, focal_length: float = 28, top_left: Sequence[float] | None = None, top_right: Sequence[float] | None = None, bottom_right: Sequence[float] | None = None, bottom_left: Sequence[float] | None = None, crop: bool = False, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear") -> str:
    """Upright and level lines made so.

    focal_length: of the lens in mm, as on film of 36x24; the picture's diagonal is the film's (1...10000).
    top_left: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
    top_right: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
    bottom_right: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
    bottom_left: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
    crop: the largest rectangle of the picture's shape without transparency; otherwise its own canvas.
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    """
    return word("keystone-correction-combined", focal_length=focal_length, top_left=top_left, top_right=top_right, bottom_right=bottom_right, bottom_left=bottom_left, crop=crop, sampling=sampling)


def nine_part_stretched(*, breakpoint0: Sequence[float] = (50, 50), breakpoint1: Sequence[float] = (150, 150), grow_amount: Sequence[float] = (100, 100)) -> str:
    """The middle stretched; corners stay, sides change their length alone.

    breakpoint0: x, y in pixels at which the middle begins (2 of 0...1048576).
    breakpoint1: x, y at which it ends; beyond the picture its border repeats (2 of 0...1048576).
    grow_amount: columns and rows that are added; below 0 taken away (2 of -1048576...1048576).
    """
    return word("nine-part-stretched", breakpoint0=breakpoint0, breakpoint1=breakpoint1, grow_amount=grow_amount)


def nine_part_tiled(*, breakpoint0: Sequence[float] = (50, 50), breakpoint1: Sequence[float] = (150, 150), grow_amount: Sequence[float] = (100, 100), flip_y_tiles: bool = False) -> str:
    """The middle repeated; corners stay, sides are repeated along their length.

    breakpoint0: x, y in pixels at which the middle begins (2 of 0...1048576).
    breakpoint1: x, y at which it ends; beyond the picture its border repeats (2 of 0...1048576).
    grow_amount: columns and rows that are added; below 0 taken away (2 of -1048576...1048576).
    flip_y_tiles: every other row of tiles upside down.
    """
    return word("nine-part-tiled", breakpoint0=breakpoint0, breakpoint1=breakpoint1, grow_amount=grow_amount, flip_y_tiles=flip_y_tiles)


def maximum_scale_transform(*, scale: float = 1, aspect_ratio: float = 1) -> str:
    """A smaller picture of the largest components: single lights do not fade.

    scale: size of the result over that of the picture (0.001...1).
    aspect_ratio: how much more it is scaled horizontally (0.01...100).
    """
    return word("maximum-scale-transform", scale=scale, aspect_ratio=aspect_ratio)


def blurred_rectangle_generator(*, extent: Sequence[float] | None = None, sigma: float = 10, color: str | Sequence[float] | None = None, exposure: float = 0) -> str:
    """A blurred rectangle of one colour, such as a shadow; transparent around.

    extent: x, y, width, height in pixels; without it the middle third of the picture (4 of -1048576...1048576).
    sigma: standard deviation of the blur in pixels (0...1048576).
    color: encoded sRGB; 1 is white, 1/1/1/1 if not given.
    exposure: stops added to the colours (-20...20).
    """
    return word("blurred-rectangle-generator", extent=extent, sigma=sigma, color=color, exposure=exposure)


def photo_effect_mono(*, extrapolate: bool = True) -> str:
    """A look of this project: black and white, soft.

    extrapolate: goes on above white; else signals are cut to 0...1, before and after.
    """
    return word("photo-effect-mono", extrapolate=extrapolate)


def photo_effect_tonal(*, extrapolate: bool = True) -> str:
    """A look of this project: black and white, tones as they are.

    extrapolate: goes on above white; else signals are cut to 0...1, before and after.
    """
    return word("photo-effect-tonal", extrapolate=extrapolate)


def photo_effect_noir(*, extrapolate: bool = True) -> str:
    """A look of this project: black and white, hard.

    extrapolate: goes on above white; else signals are cut to 0...1, before and after.
    """
    return word("photo-effect-noir", extrapolate=extrapolate)


def photo_effect_chrome(*, extrapolate: bool = True) -> str:
    """A look of this project: strong colours and contrast.

    extrapolate: goes on above white; else signals are cut to 0...1, before and after.
    """
    return word("photo-effect-chrome", extrapolate=extrapolate)


def photo_effect_fade(*, extrapolate: bool = True) -> str:
    """A look of this project: pale, with lifted shadows.

    extrapolate: goes on above white; else signals are cut to 0...1, before and after.
    """
    return word("photo-effect-fade", extrapolate=extrapolate)


def photo_effect_instant(*, extrapolate: bool = True) -> str:
    """A look of this project: warm and a little faded, as instant film.

    extrapolate: goes on above white; else signals are cut to 0...1, before and after.
    """
    return word("photo-effect-instant", extrapolate=extrapolate)


def photo_effect_process(*, extrapolate: bool = True) -> str:
    """A look of this project: cool, as film developed in other chemicals.

    extrapolate: goes on above white; else signals are cut to 0...1, before and after.
    """
    return word("photo-effect-process", extrapolate=extrapolate)


def photo_effect_transfer(*, extrapolate: bool = True) -> str:
    """A look of this project: warm, as an old print.

    extrapolate: goes on above white; else signals are cut to 0...1, before and after.
    """
    return word("photo-effect-transfer", extrapolate=extrapolate)


def masked_variable_blur(*, mask: PathLike, radius: float = 5) -> str:
    """Gaussian blur by the luminance of a mask: all of the radius where it is white.

    mask: picture whose luminance, 0 to 1, is the share of the radius; a name given by `--input NAME=FILE`.
    radius: standard deviation in pixels where the mask is 1 (0...500).
    """
    return word("masked-variable-blur", mask=mask, radius=radius)


def column_average(*, extent: Sequence[float] | None = None) -> str:
    """One row: the mean of each column of an area.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    """
    return word("column-average", extent=extent)


def row_average(*, extent: Sequence[float] | None = None) -> str:
    """One column: the mean of each row of an area.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    """
    return word("row-average", extent=extent)


def area_min_max_red(*, extent: Sequence[float] | None = None) -> str:
    """One pixel: the smallest and the largest red of an area, as R and G.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    """
    return word("area-min-max-red", extent=extent)


def area_minimum_alpha(*, extent: Sequence[float] | None = None) -> str:
    """One pixel: that with the smallest alpha of an area.

    extent: x, y, width, height in pixels; without it all (4 of -1048576...1048576).
    """
    return word("area-minimum-alpha", extent=extent)


def bump_distortion(*, center: Sequence[float] | None = None, radius: float = 300, scale: float = 0.5, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A round bump that magnifies, or a dent.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: of the bump in pixels (0.01...1048576).
    scale: above 0 magnifies, below makes smaller (-1...1).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("bump-distortion", center=center, radius=radius, scale=scale, sampling=sampling, edges=edges, samples=samples)


def bump_distortion_linear(*, center: Sequence[float] | None = None, radius: float = 300, angle: float = 0, scale: float = 0.5, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A bump along a line that magnifies across it, or a dent.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: half of the bump's width in pixels (0.01...1048576).
    angle: of the line, in degrees counter-clockwise (-36000...36000).
    scale: above 0 magnifies, below makes smaller (-1...1).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("bump-distortion-linear", center=center, radius=radius, angle=angle, scale=scale, sampling=sampling, edges=edges, samples=samples)


def pinch_distortion(*, center: Sequence[float] | None = None, radius: float = 300, scale: float = 0.5, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A disc pulled towards its centre.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: of the disc in pixels (0.01...1048576).
    scale: 0 changes nothing (0...2).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("pinch-distortion", center=center, radius=radius, scale=scale, sampling=sampling, edges=edges, samples=samples)


def twirl_distortion(*, center: Sequence[float] | None = None, radius: float = 300, angle: float = 180, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A disc turned, most in its middle.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: of the disc in pixels (0.01...1048576).
    angle: of the middle's turn, in degrees counter-clockwise (-36000...36000).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("twirl-distortion", center=center, radius=radius, angle=angle, sampling=sampling, edges=edges, samples=samples)


def vortex_distortion(*, center: Sequence[float] | None = None, radius: float = 300, angle: float = 3240, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A disc turned as water at a drain; take samples: 3 above a turn.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: of the disc in pixels (0.01...1048576).
    angle: of the middle's turn, in degrees counter-clockwise (-36000...36000).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("vortex-distortion", center=center, radius=radius, angle=angle, sampling=sampling, edges=edges, samples=samples)


def hole_distortion(*, center: Sequence[float] | None = None, radius: float = 150, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A round hole that pushes the picture outwards.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: of the hole in pixels (0.01...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("hole-distortion", center=center, radius=radius, sampling=sampling, edges=edges, samples=samples)


def circle_splash_distortion(*, center: Sequence[float] | None = None, radius: float = 150, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """The rim of a disc drawn outwards.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: of the disc in pixels (0.01...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("circle-splash-distortion", center=center, radius=radius, sampling=sampling, edges=edges, samples=samples)


def light_tunnel(*, center: Sequence[float] | None = None, radius: float = 100, rotation: float = 0, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """The rim of a disc drawn and turned outwards.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: of the disc in pixels (0.01...1048576).
    rotation: turn for each radius outwards, in degrees counter-clockwise (-36000...36000).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("light-tunnel", center=center, radius=radius, rotation=rotation, sampling=sampling, edges=edges, samples=samples)


def circular_wrap(*, center: Sequence[float] | None = None, radius: float = 150, angle: float = 0, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", samples: int = 2) -> str:
    """The picture bent around a circle, its foot inwards.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: of the circle in pixels (0.01...1048576).
    angle: of the picture's left edge, in degrees counter-clockwise (-36000...36000).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("circular-wrap", center=center, radius=radius, angle=angle, sampling=sampling, samples=samples)


def torus_lens_distortion(*, center: Sequence[float] | None = None, radius: float = 160, width: float = 80, refraction: float = 1.7, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A ring of glass on the picture.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    radius: outer radius in pixels (0.01...1048576).
    width: of the ring in pixels (0.01...1048576).
    refraction: refractive index of the glass (1...10).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("torus-lens-distortion", center=center, radius=radius, width=width, refraction=refraction, sampling=sampling, edges=edges, samples=samples)


def glass_lozenge(*, point0: Sequence[float] | None = None, point1: Sequence[float] | None = None, radius: float = 100, refraction: float = 1.7, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A rod of glass with round ends on the picture.

    point0: one end, in pixels; without it a third of the picture (2 of -1048576...1048576).
    point1: the other; without it two thirds of the picture (2 of -1048576...1048576).
    radius: of the rod in pixels (0.01...1048576).
    refraction: refractive index of the glass (1...10).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("glass-lozenge", point0=point0, point1=point1, radius=radius, refraction=refraction, sampling=sampling, edges=edges, samples=samples)


def glass_distortion(*, texture: PathLike, center: Sequence[float] | None = None, scale: float = 200, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """Through glass with the relief of a texture, repeated about the centre.

    texture: a picture whose luminance of 0 to 1 is the height; a name given by `--input NAME=FILE`.
    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    scale: pixels that a slope of 2 moves (-1000...1000).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("glass-distortion", texture=texture, center=center, scale=scale, sampling=sampling, edges=edges, samples=samples)


def displacement_distortion(*, displacement: PathLike, scale: float = 50, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """Moved by the red and green of another picture; half signal moves nothing.

    displacement: sRGB signals of 0 to 1, stretched to the picture; a name given by `--input NAME=FILE`.
    scale: pixels that a whole signal moves (-1000...1000).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("displacement-distortion", displacement=displacement, scale=scale, sampling=sampling, edges=edges, samples=samples)


def droste(*, inset_point0: Sequence[float] | None = None, inset_point1: Sequence[float] | None = None, strands: int = 1, periodicity: int = 1, rotation: float = 0, zoom: float = 1, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 3) -> str:
    """The picture in a rectangle of itself, without end, as a spiral.

    inset_point0: a corner; without it a third of the picture (2 of -1048576...1048576).
    inset_point1: the opposite; without it two thirds (2 of -1048576...1048576).
    strands: arms of the spiral; below 0 the other way (-10...10).
    periodicity: insets for each turn (1...10).
    rotation: of the result, in degrees counter-clockwise (-36000...36000).
    zoom: of the result (0.01...100).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("droste", inset_point0=inset_point0, inset_point1=inset_point1, strands=strands, periodicity=periodicity, rotation=rotation, zoom=zoom, sampling=sampling, edges=edges, samples=samples)


def parallelogram_tile(*, center: Sequence[float] | None = None, angle: float = 0, acute_angle: float = 90, width: float = 100, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A parallelogram mirrored at its sides.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    angle: of the cells, in degrees counter-clockwise (-36000...36000).
    acute_angle: between the cells' sides, in degrees (1...179).
    width: side of a cell in pixels (1...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("parallelogram-tile", center=center, angle=angle, acute_angle=acute_angle, width=width, sampling=sampling, edges=edges, samples=samples)


def fourfold_reflected_tile(*, center: Sequence[float] | None = None, angle: float = 0, acute_angle: float = 90, width: float = 100, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """Cells of four mirrored quarters.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    angle: of the cells, in degrees counter-clockwise (-36000...36000).
    acute_angle: between the cells' sides, in degrees (1...179).
    width: side of a cell in pixels (1...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("fourfold-reflected-tile", center=center, angle=angle, acute_angle=acute_angle, width=width, sampling=sampling, edges=edges, samples=samples)


def fourfold_translated_tile(*, center: Sequence[float] | None = None, angle: float = 0, acute_angle: float = 90, width: float = 100, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A cell repeated.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    angle: of the cells, in degrees counter-clockwise (-36000...36000).
    acute_angle: between the cells' sides, in degrees (1...179).
    width: side of a cell in pixels (1...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("fourfold-translated-tile", center=center, angle=angle, acute_angle=acute_angle, width=width, sampling=sampling, edges=edges, samples=samples)


def glide_reflected_tile(*, center: Sequence[float] | None = None, angle: float = 0, width: float = 100, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A cell repeated along rows, every other row mirrored.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    angle: of the cells, in degrees counter-clockwise (-36000...36000).
    width: side of a cell in pixels (1...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("glide-reflected-tile", center=center, angle=angle, width=width, sampling=sampling, edges=edges, samples=samples)


def fourfold_rotated_tile(*, center: Sequence[float] | None = None, angle: float = 0, width: float = 100, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A quarter of a cell turned four times.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    angle: of the cells, in degrees counter-clockwise (-36000...36000).
    width: side of a cell in pixels (1...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("fourfold-rotated-tile", center=center, angle=angle, width=width, sampling=sampling, edges=edges, samples=samples)


def eightfold_reflected_tile(*, center: Sequence[float] | None = None, angle: float = 0, width: float = 100, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """An eighth of a cell mirrored.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    angle: of the cells, in degrees counter-clockwise (-36000...36000).
    width: side of a cell in pixels (1...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("eightfold-reflected-tile", center=center, angle=angle, width=width, sampling=sampling, edges=edges, samples=samples)


def triangle_tile(*, center: Sequence[float] | None = None, angle: float = 0, width: float = 100, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A triangle turned by half turns.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    angle: of the cells, in degrees counter-clockwise (-36000...36000).
    width: side of a cell in pixels (1...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("triangle-tile", center=center, angle=angle, width=width, sampling=sampling, edges=edges, samples=samples)


def sixfold_reflected_tile(*, center: Sequence[float] | None = None, angle: float = 0, width: float = 100, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A triangle mirrored at its sides.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    angle: of the cells, in degrees counter-clockwise (-36000...36000).
    width: side of a cell in pixels (1...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("sixfold-reflected-tile", center=center, angle=angle, width=width, sampling=sampling, edges=edges, samples=samples)


def twelvefold_reflected_tile(*, center: Sequence[float] | None = None, angle: float = 0, width: float = 100, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A sixth of a triangle mirrored at its sides.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    angle: of the cells, in degrees counter-clockwise (-36000...36000).
    width: side of a cell in pixels (1...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("twelvefold-reflected-tile", center=center, angle=angle, width=width, sampling=sampling, edges=edges, samples=samples)


def sixfold_rotated_tile(*, center: Sequence[float] | None = None, angle: float = 0, width: float = 100, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A sixth of a hexagon turned six times.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    angle: of the cells, in degrees counter-clockwise (-36000...36000).
    width: side of a cell in pixels (1...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("sixfold-rotated-tile", center=center, angle=angle, width=width, sampling=sampling, edges=edges, samples=samples)


def triangle_kaleidoscope(*, point: Sequence[float] | None = None, size: float = 700, rotation: float = 339.4, decay: float = 0.85, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A triangle between three mirrors, each dimming light and alpha.

    point: a corner, in pixels; without it the picture's centre (2 of -1048576...1048576).
    size: side of the triangle in pixels (1...1048576).
    rotation: of the triangle, in degrees counter-clockwise (-36000...36000).
    decay: what a mirror leaves (0...1).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("triangle-kaleidoscope", point=point, size=size, rotation=rotation, decay=decay, sampling=sampling, edges=edges, samples=samples)


def kaleidoscope(*, center: Sequence[float] | None = None, count: int = 6, angle: float = 0, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 1) -> str:
    """A sector mirrored around its point.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    count: pairs of sectors (1...64).
    angle: of the first mirror, in degrees counter-clockwise (-36000...36000).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("kaleidoscope", center=center, count=count, angle=angle, sampling=sampling, edges=edges, samples=samples)


def op_tile(*, center: Sequence[float] | None = None, scale: float = 2.8, angle: float = 0, width: float = 65, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", edges: Literal["clamp", "transparent"] = "clamp", samples: int = 3) -> str:
    """Cells that each show the picture about their middle, scaled and turned.

    center: x, y in pixels; without it the picture's centre (2 of -1048576...1048576).
    scale: pixels of the picture for each of a cell (0.01...100).
    angle: of what cells show, in degrees counter-clockwise (-36000...36000).
    width: side of a cell in pixels (1...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    edges: beyond the border: the border's pixels, or nothing.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("op-tile", center=center, scale=scale, angle=angle, width=width, sampling=sampling, edges=edges, samples=samples)


def affine_tile(*, matrix: Sequence[float] = (0.4, 0, 0, 0, 0.4, 0), sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", samples: int = 3) -> str:
    """The picture through a 2x3 matrix, repeated.

    matrix: a, b, tx, c, d, ty: x' = a x + b y + tx, y' = c x + d y + ty in pixels from the top left corner (6 of -1048576...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("affine-tile", matrix=matrix, sampling=sampling, samples=samples)


def perspective_tile(*, top_left: Sequence[float] | None = None, top_right: Sequence[float] | None = None, bottom_right: Sequence[float] | None = None, bottom_left: Sequence[float] | None = None, sampling: Literal["bilinear", "bicubic", "nearest"] = "bilinear", samples: int = 4) -> str:
    """The picture in a quadrilateral, repeated to the horizon.

    top_left: x, y in pixels; without it the picture's top left corner (2 of -1048576...1048576).
    top_right: x, y in pixels; without it the picture's top right corner (2 of -1048576...1048576).
    bottom_right: x, y in pixels; without it the picture's bottom right corner (2 of -1048576...1048576).
    bottom_left: x, y in pixels; without it the picture's bottom left corner (2 of -1048576...1048576).
    sampling: between four pixels, a cubic through sixteen (sharper, may overshoot), or the nearest.
    samples: along each side of a pixel, averaged: more where places are dense (1...4).
    """
    return word("perspective-tile", top_left=top_left, top_right=top_right, bottom_right=bottom_right, bottom_left=bottom_left, sampling=sampling, samples=samples)
