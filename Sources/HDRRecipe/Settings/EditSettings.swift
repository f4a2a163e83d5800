import HDRCore
import HDRPlan

/// Settings for filters and gain maps.
package struct EditSettings: SettingGroup {
  package var title: String { "Edits" }
  package var scope: Setting.Scope { .recipe }

  package let resize = SettingKey(
    "resize", .resize, assumed: "the picture's own size",
    on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f adaptive-*", because: "the file is kept as it is",
    """
    Size, by Lanczos in linear light, behind all filters: 2048 for the longer side, 1920x1080 to fit into, 1920x, x1080, \
    50%; with :fill to fill the box and cut what stands over, :stretch to change the shape, :enlarge to make small \
    pictures larger too.
    """)
  package let decodeScale = SettingKey(
    "decode-scale", .choice(DecodeScaleChoice.self, "scale"), standard: .whole,
    on: "pq-* hlg-* sdr-* linear-* *dpx* exr hdr pfm rgba16f adaptive-*", because: "the file is kept as it is",
    rare: true,
    """
    Decodes JPEGs, and their gain maps, at 1/2, 1/4 or 1/8 of their size at most (2, 4, 8) where resize makes them half \
    as large as that or smaller. Faster, but it averages codes instead of light. auto is 2 where resize comes first and \
    leaves an eighth or less, and lets other formats be; a number refuses them.
    """)
  package let editStrategy = SettingKey(
    "edit-strategy", .choice(EditStrategy.self, "strategy"), assumed: "auto",
    """
    Filters and gain maps: hdr edits the HDR rendition in full; sdr+gain edits base and map alike (filters that move \
    pixels only); sdr+hdr edits the rendition that the display shows, of adaptive-* both, with the map made anew; auto \
    is sdr+gain where it can be, else the SDR rendition for headroom 1 and hdr for more, of adaptive-* sdr+hdr.
    """)
  package let workingFormat = SettingKey(
    "working-format", .choice(WorkingFormat.self, "format"), assumed: "rgba16f",
    """
    Pictures between the passes of filters: halves, or binary32, which takes twice the memory and rounds nothing. \
    Counts, extremes and means are binary32 always.
    """)
  package let allowSDRFilter = SettingKey(
    flag: "allow-sdr-filter",
    """
    Filters that are not HDR safe get light that is tone mapped to SDR; without this they are refused where there is \
    more.
    """)
}
