#pragma once
#include <pthread.h>
#include <vulkan/vulkan.h>

#include "../chain.h"
#include "../table.h"
#include "profile.h"

/// The calls of a device that the card does itself; `layer.c` finds them by these names.
#define CARD_DEVICE_CALLS(X)                                                                                           \
  X(DestroyDevice) X(GetDeviceQueue)                                                                                   \
  X(AllocateMemory) X(FreeMemory) X(MapMemory) X(UnmapMemory) X(FlushMappedMemoryRanges)                               \
  X(InvalidateMappedMemoryRanges) X(GetBufferMemoryRequirements) X(GetImageMemoryRequirements) X(CreateBuffer)         \
  X(DestroyBuffer) X(CreateImage) X(DestroyImage) X(BindBufferMemory)                                                  \
  X(CreateCommandPool) X(DestroyCommandPool) X(AllocateCommandBuffers) X(BeginCommandBuffer)                           \
  X(AllocateDescriptorSets) X(UpdateDescriptorSets) X(ResetDescriptorPool) X(DestroyDescriptorPool)                    \
  X(CmdBindDescriptorSets) X(CmdPipelineBarrier) X(CmdCopyBuffer) X(CmdCopyImageToBuffer) X(CmdDispatch)               \
  X(CmdDispatchBase) X(CmdBindPipeline) X(CreateShaderModule) X(GetMemoryHostPointerPropertiesEXT)                     \
  X(CreateComputePipelines) X(QueueSubmit) X(QueueWaitIdle) X(DeviceWaitIdle) X(WaitSemaphores) X(DestroySemaphore) X(GetQueryPoolResults)

/// Bytes of memory that the host sees too, which a command reads or writes.
struct range {
  VkDeviceMemory memory;
  uint64_t offset, bytes;
  /// For writes: by a shader and not a copy; before a barrier that makes them visible to the host.
  int is_shader, is_for_host;
};

struct ranges {
  int count, room;
  struct range *items;
};

/// What was done, for the line at the end of the process.
struct counts {
  uint64_t submissions[CARD_FAMILIES], copies, dispatches, barriers;
  /// Bytes of copies from the host's memory to the card's, back, and within either.
  uint64_t up, down, within;
  /// Bytes that the host was seen to have changed.
  uint64_t written;
  uint64_t waits, timeouts, allocations, bytes, most_bytes;
  /// Submissions that `lost` and `hang` count.
  uint64_t at;
  /// Imports of the host's pages, their bytes, and the bytes of copies from and to them.
  uint64_t imports, imported, direct;
};

struct device {
  VkDevice handle;
  struct profile profile;
  PFN_vkGetDeviceProcAddr get;
#define MEMBER(name) PFN_vk##name name;
  CARD_DEVICE_CALLS(MEMBER)
#undef MEMBER
  /// The only queue of the device below; it has one user at a time.
  VkQueue queue_below;
  pthread_mutex_t submitting;
  struct queue *queues;
  enum { WORKS, HANGS, LOST } state;
  /// Submissions so far that `lost` and `hang` count, and those that were not yet handed to the device below.
  uint64_t submissions, pending;
  uint64_t allocations, imports, used[VK_MAX_MEMORY_HEAPS];
  /// The threads that submit or make pipelines.
  int givers;
  /// VK_EXT_external_memory_host is enabled.
  int takes_imports;
};

/// For all tables, lists and counts, and for the state of devices. It is not held during calls and copies that last.
extern pthread_mutex_t card_lock;
/// Something that a thread may wait for has changed.
extern pthread_cond_t card_changed;
extern struct counts card_counts;
/// A card with stay=1 hangs.
extern int card_stays;

struct device *device_of(const void *handle);

/// Ends the process: the program did what a card does not bear.
_Noreturn void card_refuses(const char *what);

/// What recorded commands read and write and cost; the lock is held. NULL for commands that were never begun.
struct commands *commands_of(VkCommandBuffer buffer);
struct commands {
  uint32_t family;
  VkDescriptorSet bound;
  /// The kernel that faults wait for (`at`) is bound; it is dispatched.
  int binds_fault, has_fault;
  struct ranges reads, writes;
  struct counts counts;
};

void ranges_add(struct ranges *ranges, struct range range);
void ranges_add_all(struct ranges *ranges, const struct ranges *more);
void ranges_empty(struct ranges *ranges);

/// The bytes of a buffer that the host sees too; 0 bytes if it does not see them. The lock is held.
struct range visible_range(VkBuffer buffer, uint64_t offset, uint64_t bytes);

/// True for a buffer in memory that is not the card's. The lock is held.
int lies_with_host(VkBuffer buffer);

/// True for a buffer in pages of the host that were imported. The lock is held.
int is_of_pages(VkBuffer buffer);

/// True if a copy on a queue of coarse granularity may be of so much of an image. The lock is held.
int copies_whole_blocks(VkImage image, VkExtent3D size, uint32_t grain);

/// Moves what the host wrote to the card, and what the card wrote to the host, where memory is coherent.
void move_to_card(const struct ranges *ranges);
void move_to_host(const struct ranges *ranges);

/// True for a pipeline of the kernel that faults wait for (`at`). The lock is held.
int is_of_fault(VkPipeline pipeline);

/// Notes of new pipelines whether they are of the kernel that faults wait for.
void note_pipelines(uint32_t count, const VkComputePipelineCreateInfo *infos, const VkPipeline *made);

/// Ends a device's threads.
void queues_end(struct device *device);

#define CARD_DECLARE(name) extern __typeof__(*(PFN_vk##name)0) card_##name;
CARD_DEVICE_CALLS(CARD_DECLARE)
#undef CARD_DECLARE
