#include "profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  DEVICE = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
  VISIBLE = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT,
  COHERENT = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
  CACHED = VK_MEMORY_PROPERTY_HOST_CACHED_BIT,
};

static int is_named(const struct profile *profile, const char *name) { return strcmp(profile->name, name) == 0; }

/* --- The text --- */

/* A number, with KiB or MiB behind it for bytes. */
static int read_number(const char *text, uint64_t *value) {
  char *end;
  *value = strtoull(text, &end, 10);
  if (end == text || *text == '-') return 0;
  if (strcmp(end, "KiB") == 0) *value <<= 10;
  else if (strcmp(end, "MiB") == 0) *value <<= 20;
  else if (*end) return 0;
  return 1;
}

static int read_word(struct profile *profile, char *word) {
  char *value = strchr(word, '=');
  if (!value) return (size_t)snprintf(profile->name, sizeof profile->name, "%s", word) < sizeof profile->name;
  *value++ = 0;
  if (strcmp(word, "log") == 0)
    return (size_t)snprintf(profile->log, sizeof profile->log, "%s", value) < sizeof profile->log;
  if (strcmp(word, "at") == 0)
    return *value && (size_t)snprintf(profile->at, sizeof profile->at, "%s", value) < sizeof profile->at;
#define READ(key, value_by_default)                                                                                    \
  if (strcmp(word, #key) == 0) return read_number(value, &profile->key);
  CARD_NUMBERS(READ)
#undef READ
  return 0;
}

/* --- Memory and queues --- */

static void add_type(struct profile *profile, uint32_t flags, uint32_t heap) {
  profile->types[profile->type_count++] = (VkMemoryType){flags, heap};
}

/* Types in the order in which each maker's driver lists them. */
static void add_types(struct profile *profile) {
  uint32_t cached = VISIBLE | CACHED | (profile->noncoherent ? 0 : COHERENT);
  if (is_named(profile, "moltenvk")) {
    add_type(profile, DEVICE, 0);
    add_type(profile, DEVICE | cached, 0);
  } else if (is_named(profile, "mobile")) {
    add_type(profile, DEVICE, 0);
    add_type(profile, DEVICE | VISIBLE | COHERENT, 0);
    if (!profile->uncached) add_type(profile, DEVICE | VISIBLE | CACHED, 0);
  } else if (is_named(profile, "intel")) {
    add_type(profile, DEVICE, 0);
    if (!profile->uncached) add_type(profile, cached, 1);
    add_type(profile, VISIBLE | COHERENT, 1);
    add_type(profile, DEVICE | VISIBLE | COHERENT, 2);
  } else if (is_named(profile, "amd")) {
    add_type(profile, DEVICE, 0);
    add_type(profile, VISIBLE | COHERENT, 1);
    add_type(profile, DEVICE | VISIBLE | COHERENT, 2);
    if (!profile->uncached) add_type(profile, cached, 1);
  } else {
    add_type(profile, 0, 1);
    add_type(profile, DEVICE, 0);
    add_type(profile, VISIBLE | COHERENT, 1);
    if (!profile->uncached) add_type(profile, cached, 1);
    add_type(profile, DEVICE | VISIBLE | COHERENT, 2);
  }
}

static int is_integrated(const struct profile *profile) {
  return is_named(profile, "mobile") || is_named(profile, "moltenvk");
}

static void add_queues(struct profile *profile) {
  uint32_t grain = (uint32_t)profile->granule, bits = is_named(profile, "intel") ? 36 : 64;
  VkQueueFlags all = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
  profile->families[0] = (VkQueueFamilyProperties){all, is_integrated(profile) ? 1 : 16, bits, {1, 1, 1}};
  profile->families[CARD_COPIES] =
      (VkQueueFamilyProperties){VK_QUEUE_TRANSFER_BIT, 2, bits, {grain, grain, grain > 1 ? 8 : 1}};
  profile->families[2] =
      (VkQueueFamilyProperties){VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT, 8, bits, {1, 1, 1}};
  profile->family_count = is_integrated(profile) ? 1 : CARD_FAMILIES;
}

int profile_read(struct profile *profile) {
  static const char *const known[] = {"nvidia", "amd", "intel", "mobile", "moltenvk"};
  memset(profile, 0, sizeof *profile);
#define SET(key, value_by_default) profile->key = value_by_default;
  CARD_NUMBERS(SET)
#undef SET
  const char *text = getenv("EMULATED_CARD");
  char words[512], *rest = words;
  int is_good = text && strlen(text) < sizeof words, is_known = 0;
  snprintf(words, sizeof words, "%s", text ? text : "");
  for (char *word; is_good && (word = strsep(&rest, ","));) is_good = read_word(profile, word);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) is_known |= is_named(profile, known[i]);
  if (!is_good || !is_known || profile->granule == 0 || profile->clock == 0) {
    fprintf(stderr, "emulated card: EMULATED_CARD=%s names no card\n", text ? text : "");
    return 0;
  }
  if (profile->bar > profile->heap) profile->bar = profile->heap;
  profile->heaps[0] = (VkMemoryHeap){profile->heap, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  profile->heaps[1] = (VkMemoryHeap){16ull << 30, 0};
  profile->heaps[2] = (VkMemoryHeap){profile->bar, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  profile->heap_count = is_integrated(profile) ? 1 : 3;
  profile->tick = is_named(profile, "amd") ? 10 : 1;
  add_types(profile);
  add_queues(profile);
  return 1;
}

/* Pages of the host are not the card's, where the two are apart. */
uint32_t profile_import_types(const struct profile *profile) {
  uint32_t types = 0;
  for (uint32_t type = 0; type < profile->type_count; type++)
    if (profile_is_visible(profile, type) &&
        (is_integrated(profile) || !(profile->types[type].propertyFlags & DEVICE)))
      types |= 1u << type;
  return types;
}

int profile_is_visible(const struct profile *profile, uint32_t type) {
  return (profile->types[type].propertyFlags & VISIBLE) != 0;
}

int profile_is_coherent(const struct profile *profile, uint32_t type) {
  return (profile->types[type].propertyFlags & COHERENT) != 0 && !profile->noflush;
}

int profile_wants_turns(const struct profile *profile) { return is_named(profile, "nvidia"); }

int profile_promises_no_rounding(const struct profile *profile) { return is_named(profile, "moltenvk"); }

/* --- Limits --- */

void profile_edit(const struct profile *profile, VkPhysicalDeviceProperties *properties) {
  VkPhysicalDeviceLimits *limits = &properties->limits;
  char below[VK_MAX_PHYSICAL_DEVICE_NAME_SIZE];
  memcpy(below, properties->deviceName, sizeof below);
  snprintf(properties->deviceName, sizeof properties->deviceName, "%s card emulated by %.200s", profile->name, below);
  properties->deviceType =
      is_integrated(profile) ? VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU : VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  properties->vendorID = 0x10de;
  limits->minStorageBufferOffsetAlignment = 16;
  limits->minUniformBufferOffsetAlignment = 64;
  limits->nonCoherentAtomSize = 64;
  limits->bufferImageGranularity = 1024;
  limits->maxMemoryAllocationCount = 4096;
  limits->timestampPeriod = (float)profile->tick;
  if (is_named(profile, "amd")) {
    properties->vendorID = 0x1002;
    limits->minStorageBufferOffsetAlignment = 4;
    limits->minUniformBufferOffsetAlignment = 4;
    limits->bufferImageGranularity = 1;
    limits->maxComputeWorkGroupInvocations = 1024;
  } else if (is_named(profile, "intel")) {
    properties->vendorID = 0x8086;
    limits->bufferImageGranularity = 1;
    limits->maxComputeWorkGroupInvocations = 1024;
  } else if (is_named(profile, "moltenvk")) {
    properties->vendorID = 0x106b;
    limits->maxPerStageDescriptorStorageImages = 8;
    limits->maxPerStageDescriptorStorageBuffers = 31;
    limits->maxImageDimension2D = 16384;
  } else if (is_named(profile, "mobile")) {
    properties->vendorID = 0x13b5;
    limits->maxPerStageDescriptorStorageBuffers = 24;
    limits->maxPerStageDescriptorStorageImages = 4;
    limits->maxComputeWorkGroupInvocations = 128;
    limits->maxComputeWorkGroupSize[0] = 128;
    limits->maxImageDimension2D = 4096;
    limits->maxUniformBufferRange = 16384;
    limits->minStorageBufferOffsetAlignment = 256;
    limits->minUniformBufferOffsetAlignment = 256;
  }
  if (profile->range) limits->maxStorageBufferRange = (uint32_t)profile->range;
}
