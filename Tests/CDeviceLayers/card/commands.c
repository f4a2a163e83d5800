#include <stdlib.h>
#include <string.h>

#include "card.h"

/* A set of the shared layout (Sources/Shaders/glsl/shared/prelude.glsl); binding 7 is what kernels write. */
enum { BINDINGS = 16, WRITTEN = 7 };
struct set {
  VkDescriptorBufferInfo bound[BINDINGS];
};

static void empty_commands(void *record) {
  struct commands *commands = record;
  ranges_empty(&commands->reads);
  ranges_empty(&commands->writes);
}

static struct table pools, sets, all_commands = {.empty = empty_commands};

struct commands *commands_of(VkCommandBuffer buffer) { return table_find(&all_commands, NUMBER(buffer)); }

/* --- Ranges --- */

void ranges_add(struct ranges *ranges, struct range range) {
  if (range.bytes == 0) return;
  ranges->items = array_with_room(ranges->items, ranges->count, &ranges->room, sizeof range);
  ranges->items[ranges->count++] = range;
}

void ranges_add_all(struct ranges *ranges, const struct ranges *more) {
  for (int i = 0; i < more->count; i++) ranges_add(ranges, more->items[i]);
}

void ranges_empty(struct ranges *ranges) {
  free(ranges->items);
  *ranges = (struct ranges){0};
}

/* --- Pools --- */

/* The device below has one family of queues. */
VkResult card_CreateCommandPool(VkDevice handle, const VkCommandPoolCreateInfo *info,
                                const VkAllocationCallbacks *allocator, VkCommandPool *made) {
  VkCommandPoolCreateInfo below = *info;
  below.queueFamilyIndex = 0;
  VkResult result = device_of(handle)->CreateCommandPool(handle, &below, allocator, made);
  if (result != VK_SUCCESS) return result;
  pthread_mutex_lock(&card_lock);
  *(uint32_t *)table_add(&pools, NUMBER(*made), 0, sizeof(uint32_t)) = info->queueFamilyIndex;
  pthread_mutex_unlock(&card_lock);
  return VK_SUCCESS;
}

void card_DestroyCommandPool(VkDevice handle, VkCommandPool pool, const VkAllocationCallbacks *allocator) {
  pthread_mutex_lock(&card_lock);
  table_remove_owned(&all_commands, NUMBER(pool));
  table_remove(&pools, NUMBER(pool));
  pthread_mutex_unlock(&card_lock);
  device_of(handle)->DestroyCommandPool(handle, pool, allocator);
}

VkResult card_AllocateCommandBuffers(VkDevice handle, const VkCommandBufferAllocateInfo *info, VkCommandBuffer *made) {
  VkResult result = device_of(handle)->AllocateCommandBuffers(handle, info, made);
  if (result != VK_SUCCESS) return result;
  pthread_mutex_lock(&card_lock);
  const uint32_t *family = table_find(&pools, NUMBER(info->commandPool));
  for (uint32_t i = 0; i < info->commandBufferCount; i++) {
    struct commands *commands = table_add(&all_commands, NUMBER(made[i]), NUMBER(info->commandPool), sizeof *commands);
    commands->family = family ? *family : 0;
  }
  pthread_mutex_unlock(&card_lock);
  return VK_SUCCESS;
}

VkResult card_AllocateDescriptorSets(VkDevice handle, const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *made) {
  VkResult result = device_of(handle)->AllocateDescriptorSets(handle, info, made);
  if (result != VK_SUCCESS) return result;
  pthread_mutex_lock(&card_lock);
  for (uint32_t i = 0; i < info->descriptorSetCount; i++)
    table_add(&sets, NUMBER(made[i]), NUMBER(info->descriptorPool), sizeof(struct set));
  pthread_mutex_unlock(&card_lock);
  return VK_SUCCESS;
}

static void forget_sets(VkDescriptorPool pool) {
  pthread_mutex_lock(&card_lock);
  table_remove_owned(&sets, NUMBER(pool));
  pthread_mutex_unlock(&card_lock);
}

VkResult card_ResetDescriptorPool(VkDevice handle, VkDescriptorPool pool, VkDescriptorPoolResetFlags flags) {
  forget_sets(pool);
  return device_of(handle)->ResetDescriptorPool(handle, pool, flags);
}

void card_DestroyDescriptorPool(VkDevice handle, VkDescriptorPool pool, const VkAllocationCallbacks *allocator) {
  forget_sets(pool);
  device_of(handle)->DestroyDescriptorPool(handle, pool, allocator);
}

void card_UpdateDescriptorSets(VkDevice handle, uint32_t count, const VkWriteDescriptorSet *writes,
                               uint32_t copy_count, const VkCopyDescriptorSet *copies) {
  if (copy_count > 0) card_refuses("a copy of descriptors, which the card does not know");
  pthread_mutex_lock(&card_lock);
  for (uint32_t i = 0; i < count; i++) {
    struct set *set = table_find(&sets, NUMBER(writes[i].dstSet));
    if (set && writes[i].pBufferInfo && writes[i].dstBinding < BINDINGS)
      set->bound[writes[i].dstBinding] = writes[i].pBufferInfo[0];
  }
  pthread_mutex_unlock(&card_lock);
  device_of(handle)->UpdateDescriptorSets(handle, count, writes, copy_count, copies);
}

/* --- Commands --- */

VkResult card_BeginCommandBuffer(VkCommandBuffer buffer, const VkCommandBufferBeginInfo *info) {
  pthread_mutex_lock(&card_lock);
  struct commands *commands = commands_of(buffer);
  if (commands) {
    empty_commands(commands);
    *commands = (struct commands){.family = commands->family};
  }
  pthread_mutex_unlock(&card_lock);
  return device_of(buffer)->BeginCommandBuffer(buffer, info);
}

void card_CmdBindDescriptorSets(VkCommandBuffer buffer, VkPipelineBindPoint point, VkPipelineLayout layout,
                                uint32_t first, uint32_t count, const VkDescriptorSet *bound, uint32_t offset_count,
                                const uint32_t *offsets) {
  pthread_mutex_lock(&card_lock);
  struct commands *commands = commands_of(buffer);
  if (commands && first == 0 && count > 0) commands->bound = bound[0];
  pthread_mutex_unlock(&card_lock);
  device_of(buffer)->CmdBindDescriptorSets(buffer, point, layout, first, count, bound, offset_count, offsets);
}

/* True if a barrier's first half has what wrote a range. */
static int covers(VkPipelineStageFlags stages, VkAccessFlags access, const struct range *range) {
  VkPipelineStageFlags stage = range->is_shader ? VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT : VK_PIPELINE_STAGE_TRANSFER_BIT;
  VkAccessFlags kind = range->is_shader ? VK_ACCESS_SHADER_WRITE_BIT : VK_ACCESS_TRANSFER_WRITE_BIT;
  return (stages & (stage | VK_PIPELINE_STAGE_ALL_COMMANDS_BIT)) && (access & (kind | VK_ACCESS_MEMORY_WRITE_BIT));
}

/* Barriers for the host are those of all memory. */
void card_CmdPipelineBarrier(VkCommandBuffer buffer, VkPipelineStageFlags before, VkPipelineStageFlags after,
                             VkDependencyFlags flags, uint32_t count, const VkMemoryBarrier *barriers,
                             uint32_t buffer_count, const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                             const VkImageMemoryBarrier *images) {
  struct device *device = device_of(buffer);
  pthread_mutex_lock(&card_lock);
  struct commands *commands = commands_of(buffer);
  if (commands) {
    if (commands->family == CARD_COPIES && (before | after) & VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT)
      card_refuses("a barrier for shaders on a copy queue");
    commands->counts.barriers++;
    for (uint32_t i = 0; i < count && after & VK_PIPELINE_STAGE_HOST_BIT && !device->profile.nohost; i++)
      for (int k = 0; k < commands->writes.count && barriers[i].dstAccessMask & VK_ACCESS_HOST_READ_BIT; k++)
        if (covers(before, barriers[i].srcAccessMask, &commands->writes.items[k]))
          commands->writes.items[k].is_for_host = 1;
  }
  pthread_mutex_unlock(&card_lock);
  device->CmdPipelineBarrier(buffer, before, after, flags, count, barriers, buffer_count, buffers, image_count, images);
}

static void count_copy(struct counts *counts, VkBuffer from, VkBuffer to, uint64_t bytes) {
  int is_from_host = from && lies_with_host(from), is_to_host = lies_with_host(to);
  counts->copies++;
  *(is_from_host == is_to_host ? &counts->within : is_from_host ? &counts->up : &counts->down) += bytes;
  if ((from && is_of_pages(from)) || is_of_pages(to)) counts->direct += bytes;
}

void card_CmdCopyBuffer(VkCommandBuffer buffer, VkBuffer from, VkBuffer to, uint32_t count,
                        const VkBufferCopy *regions) {
  pthread_mutex_lock(&card_lock);
  struct commands *commands = commands_of(buffer);
  for (uint32_t i = 0; commands && i < count; i++) {
    ranges_add(&commands->reads, visible_range(from, regions[i].srcOffset, regions[i].size));
    ranges_add(&commands->writes, visible_range(to, regions[i].dstOffset, regions[i].size));
    count_copy(&commands->counts, from, to, regions[i].size);
  }
  pthread_mutex_unlock(&card_lock);
  device_of(buffer)->CmdCopyBuffer(buffer, from, to, count, regions);
}

/* Images have eight bytes a pixel, and rows of the copy no gaps. */
void card_CmdCopyImageToBuffer(VkCommandBuffer buffer, VkImage from, VkImageLayout layout, VkBuffer to, uint32_t count,
                               const VkBufferImageCopy *regions) {
  struct device *device = device_of(buffer);
  uint32_t grain = device->profile.families[CARD_COPIES].minImageTransferGranularity.width;
  pthread_mutex_lock(&card_lock);
  struct commands *commands = commands_of(buffer);
  for (uint32_t i = 0; commands && i < count; i++) {
    VkExtent3D size = regions[i].imageExtent;
    if (commands->family == CARD_COPIES && !copies_whole_blocks(from, size, grain))
      card_refuses("a copy of a part of an image on a queue of coarse granularity");
    uint64_t bytes = 8ull * size.width * size.height;
    ranges_add(&commands->writes, visible_range(to, regions[i].bufferOffset, bytes));
    count_copy(&commands->counts, VK_NULL_HANDLE, to, bytes);
  }
  pthread_mutex_unlock(&card_lock);
  device->CmdCopyImageToBuffer(buffer, from, layout, to, count, regions);
}

void card_CmdBindPipeline(VkCommandBuffer buffer, VkPipelineBindPoint point, VkPipeline pipeline) {
  pthread_mutex_lock(&card_lock);
  struct commands *commands = commands_of(buffer);
  if (commands) commands->binds_fault = is_of_fault(pipeline);
  pthread_mutex_unlock(&card_lock);
  device_of(buffer)->CmdBindPipeline(buffer, point, pipeline);
}

static void note_dispatch(VkCommandBuffer buffer) {
  pthread_mutex_lock(&card_lock);
  struct commands *commands = commands_of(buffer);
  if (commands) {
    if (commands->family == CARD_COPIES) card_refuses("a dispatch on a copy queue");
    commands->counts.dispatches++;
    commands->has_fault |= commands->binds_fault;
    struct set *set = table_find(&sets, NUMBER(commands->bound));
    for (int i = 0; set && i < BINDINGS; i++) {
      struct range range = visible_range(set->bound[i].buffer, set->bound[i].offset, set->bound[i].range);
      range.is_shader = 1;
      ranges_add(i == WRITTEN ? &commands->writes : &commands->reads, range);
    }
  }
  pthread_mutex_unlock(&card_lock);
}

void card_CmdDispatch(VkCommandBuffer buffer, uint32_t x, uint32_t y, uint32_t z) {
  note_dispatch(buffer);
  device_of(buffer)->CmdDispatch(buffer, x, y, z);
}

void card_CmdDispatchBase(VkCommandBuffer buffer, uint32_t from_x, uint32_t from_y, uint32_t from_z, uint32_t x,
                          uint32_t y, uint32_t z) {
  note_dispatch(buffer);
  device_of(buffer)->CmdDispatchBase(buffer, from_x, from_y, from_z, x, y, z);
}
