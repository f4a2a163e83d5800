/* libjxl, opened at run time: libhdrbatch-jxl.so of scripts/jxl, else the system's. Compiled with the headers of 0.7, whose
   structures later versions keep; three functions lost an argument in 0.9, and later functions may be missing. */
#pragma once
#include <jxl/decode.h>
#include <jxl/encode.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HDR_JXL_FUNCTIONS(F)                                                                                           \
  F(JxlDecoderVersion)                                                                                                 \
  F(JxlDecoderCreate)                                                                                                  \
  F(JxlDecoderDestroy)                                                                                                 \
  F(JxlDecoderSubscribeEvents)                                                                                         \
  F(JxlDecoderSetParallelRunner)                                                                                       \
  F(JxlDecoderSetKeepOrientation)                                                                                      \
  F(JxlDecoderProcessInput)                                                                                            \
  F(JxlDecoderSetInput)                                                                                                \
  F(JxlDecoderCloseInput)                                                                                              \
  F(JxlDecoderGetBasicInfo)                                                                                            \
  F(JxlDecoderGetExtraChannelInfo)                                                                                     \
  F(JxlDecoderGetFrameHeader)                                                                                          \
  F(JxlDecoderGetFrameName)                                                                                            \
  F(JxlDecoderRewind)                                                                                                  \
  F(JxlDecoderSkipFrames)                                                                                              \
  F(JxlDecoderSetPreferredColorProfile)                                                                                \
  F(JxlDecoderImageOutBufferSize)                                                                                      \
  F(JxlDecoderSetImageOutBuffer)                                                                                       \
  F(JxlDecoderSetJPEGBuffer)                                                                                           \
  F(JxlDecoderReleaseJPEGBuffer)                                                                                       \
  F(JxlDecoderSetBoxBuffer)                                                                                            \
  F(JxlDecoderReleaseBoxBuffer)                                                                                        \
  F(JxlDecoderSetDecompressBoxes)                                                                                      \
  F(JxlDecoderGetBoxType)                                                                                              \
  F(JxlEncoderCreate)                                                                                                  \
  F(JxlEncoderDestroy)                                                                                                 \
  F(JxlEncoderSetParallelRunner)                                                                                       \
  F(JxlEncoderGetError)                                                                                                \
  F(JxlEncoderProcessOutput)                                                                                           \
  F(JxlEncoderUseContainer)                                                                                            \
  F(JxlEncoderUseBoxes)                                                                                                \
  F(JxlEncoderAddBox)                                                                                                  \
  F(JxlEncoderCloseInput)                                                                                              \
  F(JxlEncoderStoreJPEGMetadata)                                                                                       \
  F(JxlEncoderInitBasicInfo)                                                                                           \
  F(JxlEncoderSetBasicInfo)                                                                                            \
  F(JxlEncoderSetColorEncoding)                                                                                        \
  F(JxlEncoderSetICCProfile)                                                                                           \
  F(JxlEncoderGetRequiredCodestreamLevel)                                                                              \
  F(JxlEncoderSetCodestreamLevel)                                                                                      \
  F(JxlEncoderFrameSettingsCreate)                                                                                     \
  F(JxlEncoderFrameSettingsSetOption)                                                                                  \
  F(JxlEncoderSetFrameDistance)                                                                                        \
  F(JxlEncoderSetFrameLossless)                                                                                        \
  F(JxlEncoderAddImageFrame)                                                                                           \
  F(JxlEncoderAddJPEGFrame)

struct hdr_jxl {
#define HDR_JXL_FIELD(name) __typeof__(name) *_Nonnull name;
  HDR_JXL_FUNCTIONS(HDR_JXL_FIELD)
#undef HDR_JXL_FIELD
  /* The functions of libjxl_threads; all NULL without it. */
  JxlParallelRunner _Nullable runner;
  void *_Nullable (*_Nullable create_runner)(const JxlMemoryManager *_Nullable memory, size_t threads);
  void (*_Nullable destroy_runner)(void *_Nullable runner);
  /* Decompresses an ICC profile from JPEG XL's own compression; only in libhdrbatch-jxl.so. The result is allocated by
     the C allocator. */
  JXL_BOOL (*_Nullable decode_icc)(const JxlMemoryManager *_Nullable memory, const uint8_t *_Nonnull input, size_t bytes,
                                   uint8_t *_Nullable *_Nonnull output, size_t *_Nonnull output_bytes);
};

/* Returns the library's functions; it is opened once in a process. NULL: it is missing or unusable; hdr_jxl_missing
   gives the reason. */
const struct hdr_jxl *_Nullable hdr_jxl(void);
/* Returns the reason in one line, if hdr_jxl gives NULL. Else the name of the missing thread library, or empty. */
const char *_Nonnull hdr_jxl_missing(void);

/* Get the colour of the file, or of the decoded samples, with any version of the library. With a NULL profile, only the
   size is returned. */
JxlDecoderStatus hdr_jxl_encoded_profile(const JxlDecoder *_Nonnull decoder, JxlColorProfileTarget target,
                                         JxlColorEncoding *_Nonnull encoding);
JxlDecoderStatus hdr_jxl_icc_profile(const JxlDecoder *_Nonnull decoder, JxlColorProfileTarget target,
                                     uint8_t *_Nullable profile, size_t *_Nonnull bytes);

/* An allocator with a limit: larger requests are refused. Versions before 0.11 allocate pictures in another way. */
struct hdr_jxl_memory {
  size_t limit, held, refused;
};
JxlMemoryManager hdr_jxl_manager(struct hdr_jxl_memory *_Nonnull memory);

#ifdef __cplusplus
}
#endif
