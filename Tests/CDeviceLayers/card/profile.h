#pragma once
#include <vulkan/vulkan.h>

/// The numbers that EMULATED_CARD may set, with their defaults.
#define CARD_NUMBERS(X)                                                                                                \
  X(delay, 300) X(seed, 0) X(late, 0) X(heap, 1ull << 30) X(bar, 256ull << 20) X(range, 0) X(granule, 1)               \
  X(uncached, 0) X(noncoherent, 0) X(oom, 0) X(lost, 0) X(hang, 0) X(clock, 1) X(stats, 0) X(nohost, 0) X(noflush, 0)  \
  X(imports, 1ull << 32) X(budget, 0) X(stay, 0)

enum { CARD_FAMILIES = 3, CARD_COPIES = 1 };

/// A card as EMULATED_CARD describes it. All sizes are in bytes.
struct profile {
  char name[16], log[256];
  /// The kernel whose submissions `lost` and `hang` count; empty: they count all.
  char at[64];
#define NUMBER_OF(name, value) uint64_t name;
  CARD_NUMBERS(NUMBER_OF)
#undef NUMBER_OF
  /// Nanoseconds of one tick of the clock.
  uint32_t tick;
  uint32_t type_count, heap_count, family_count;
  VkMemoryType types[5];
  VkMemoryHeap heaps[3];
  /// Graphics, copies, compute. A card with one family has the first alone.
  VkQueueFamilyProperties families[CARD_FAMILIES];
};

/// Reads EMULATED_CARD. Returns 0 and prints a line where it makes no sense.
int profile_read(struct profile *profile);

/// Puts the card's own limits in the place of the software device's.
void profile_edit(const struct profile *profile, VkPhysicalDeviceProperties *properties);

/// The types of memory that pages of the host may be imported into, a bit each.
uint32_t profile_import_types(const struct profile *profile);

/// True for memory that the host can map.
int profile_is_visible(const struct profile *profile, uint32_t type);

/// True for memory that wants no flushes.
int profile_is_coherent(const struct profile *profile, uint32_t type);

/// True for a card whose driver hangs now and then if two threads at once submit or make pipelines.
int profile_wants_turns(const struct profile *profile);

/// True for a card that does not promise how it rounds.
int profile_promises_no_rounding(const struct profile *profile);
