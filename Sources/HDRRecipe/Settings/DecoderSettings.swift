import HDRCore

/// Settings for the decoding libraries, of every command that reads pictures. They do not change pixels.
package struct DecoderSettings: SettingGroup {
  package var title: String { "Machine" }
  package var scope: Setting.Scope { .run }

  package let hevcDecoder = SettingKey(
    "hevc-decoder", .choice(HEVCDecoder.self, "library"), standard: .automatic, rare: true,
    """
    What decodes HEVC: libavcodec, faster; libde265; auto, the first where it is there and knows the picture. The \
    pixels are the same.
    """)
}
