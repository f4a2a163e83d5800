#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "card.h"

/* The host sees a copy of the card's memory. What moves between the two moves only where Vulkan says so: the host's
   writes when a submission reads them, the card's when the host waits for a submission with a barrier for the host. */
struct memory {
  struct device *device;
  uint32_t type;
  /* All of it, and what of it is of the card's heaps. */
  uint64_t bytes, reserved;
  /* Where the device below has it; NULL for memory that the host does not see. */
  char *on_card;
  /* What the host sees, and what that was when something last moved: the host wrote where they differ. */
  char *for_host, *before;
  int is_imported;
  /* Held while something moves. */
  pthread_mutex_t moving;
};
struct buffer {
  VkDeviceMemory memory;
  uint64_t offset, bytes;
  int takes_imports;
};
static struct table memories, buffers, images;

/* Memory that nobody wrote has these bytes. */
enum { FRESH = 0xcd, PAGE = 4096, LINE = 64, BUFFER_ALIGNMENT = 256, IMAGE_ALIGNMENT = 65536 };

static struct memory *memory_of(VkDeviceMemory handle) {
  pthread_mutex_lock(&card_lock);
  struct memory *memory = table_find(&memories, NUMBER(handle));
  pthread_mutex_unlock(&card_lock);
  return memory;
}

/* --- What moves --- */

/* Only what the host changed, byte by byte: its neighbours may be the card's. */
static void to_card(struct memory *memory, uint64_t from, uint64_t bytes) {
  uint64_t changed = 0, end = from + bytes;
  pthread_mutex_lock(&memory->moving);
  for (uint64_t line = from, n; line < end; line += n) {
    n = LINE - line % LINE < end - line ? LINE - line % LINE : end - line;
    if (memcmp(memory->for_host + line, memory->before + line, n) == 0) continue;
    for (uint64_t i = line; i < line + n; i++)
      if (memory->for_host[i] != memory->before[i]) {
        memory->on_card[i] = memory->before[i] = memory->for_host[i];
        changed++;
      }
  }
  pthread_mutex_unlock(&memory->moving);
  pthread_mutex_lock(&card_lock);
  card_counts.written += changed;
  pthread_mutex_unlock(&card_lock);
}

/* Memory that is not coherent has the card's bytes in `before` until the host asks for them. */
static void to_host(struct memory *memory, uint64_t from, uint64_t bytes) {
  pthread_mutex_lock(&memory->moving);
  memcpy(memory->before + from, memory->on_card + from, bytes);
  if (profile_is_coherent(&memory->device->profile, memory->type))
    memcpy(memory->for_host + from, memory->on_card + from, bytes);
  pthread_mutex_unlock(&memory->moving);
}

/* The memory of a range; NULL where it has gone since. */
static struct memory *memory_with(const struct range *range) {
  struct memory *memory = memory_of(range->memory);
  return memory && memory->for_host && range->offset + range->bytes <= memory->bytes ? memory : NULL;
}

void move_to_card(const struct ranges *ranges) {
  for (int i = 0; i < ranges->count; i++) {
    struct memory *memory = memory_with(&ranges->items[i]);
    if (memory && profile_is_coherent(&memory->device->profile, memory->type))
      to_card(memory, ranges->items[i].offset, ranges->items[i].bytes);
  }
}

void move_to_host(const struct ranges *ranges) {
  for (int i = 0; i < ranges->count; i++) {
    struct memory *memory = memory_with(&ranges->items[i]);
    if (memory) to_host(memory, ranges->items[i].offset, ranges->items[i].bytes);
  }
}

/* --- Heaps --- */

/* Takes so many bytes of a heap, if there are so many. */
static VkResult reserve(struct device *device, uint32_t heap, uint64_t bytes) {
  const struct profile *profile = &device->profile;
  int is_count = profile->oom < 1 << 20;
  pthread_mutex_lock(&card_lock);
  uint64_t all = bytes;
  for (uint32_t i = 0; i < profile->heap_count; i++) all += device->used[i];
  device->allocations++;
  int fits = device->used[heap] + bytes <= profile->heaps[heap].size &&
             (profile->oom == 0 || (is_count ? device->allocations < profile->oom : all <= profile->oom));
  if (fits) {
    device->used[heap] += bytes;
    card_counts.allocations++;
    card_counts.bytes += bytes;
    if (card_counts.bytes > card_counts.most_bytes) card_counts.most_bytes = card_counts.bytes;
  }
  pthread_mutex_unlock(&card_lock);
  return fits ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

static void give_back(struct device *device, uint32_t heap, uint64_t bytes) {
  pthread_mutex_lock(&card_lock);
  device->used[heap] -= bytes;
  card_counts.bytes -= bytes;
  pthread_mutex_unlock(&card_lock);
}

/* --- Imports --- */

static int are_pages(const void *address, uint64_t bytes) {
  return (uintptr_t)address % PAGE == 0 && bytes % PAGE == 0 && bytes > 0;
}

VkResult card_GetMemoryHostPointerPropertiesEXT(VkDevice handle, VkExternalMemoryHandleTypeFlagBits kind,
                                                const void *address, VkMemoryHostPointerPropertiesEXT *properties) {
  struct device *device = device_of(handle);
  if (!device->takes_imports) card_refuses("an import on a device without VK_EXT_external_memory_host");
  if (kind != VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT || !are_pages(address, PAGE))
    return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  properties->memoryTypeBits = profile_import_types(&device->profile);
  return VK_SUCCESS;
}

/* Locks pages as a driver does: they must be there. The card's limit is how often it does so. */
static VkResult lock_pages(struct device *device, uint32_t type, void *address, uint64_t bytes) {
  if (!device->takes_imports) card_refuses("an import on a device without VK_EXT_external_memory_host");
  if (!are_pages(address, bytes)) card_refuses("an import of parts of pages");
  if (!(profile_import_types(&device->profile) & 1u << type)) card_refuses("an import into memory of another kind");
  pthread_mutex_lock(&card_lock);
  int is_allowed = ++device->imports <= device->profile.imports;
  pthread_mutex_unlock(&card_lock);
  /* Older systems do not know the advice (MADV_POPULATE_WRITE). */
  if (!is_allowed || (madvise(address, bytes, 23) != 0 && errno != EINVAL)) return VK_ERROR_INVALID_EXTERNAL_HANDLE;
  pthread_mutex_lock(&card_lock);
  card_counts.imports++;
  card_counts.imported += bytes;
  pthread_mutex_unlock(&card_lock);
  return VK_SUCCESS;
}

/* A card may write to imported pages until they are given back. */
static void unlock_pages(struct memory *memory) {
  unsigned char *there = malloc(memory->bytes / PAGE);
  if (!there) abort();
  if (mincore(memory->for_host, memory->bytes, there) != 0) card_refuses("the end of pages that are imported");
  free(there);
}

/* --- Memory --- */

static char *fresh_copy(uint64_t bytes) {
  char *copy = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
  if (!copy) abort();
  return memset(copy, FRESH, bytes);
}

VkResult card_AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *allocator,
                             VkDeviceMemory *made) {
  struct device *device = device_of(handle);
  uint32_t type = info->memoryTypeIndex, heap = device->profile.types[type].heapIndex;
  uint64_t bytes = info->allocationSize;
  int is_visible = profile_is_visible(&device->profile, type);
  /* Imported memory of the host is what the host sees. The device below has memory of its own: here, too, bytes move
     only where Vulkan says so. */
  const VkImportMemoryHostPointerInfoEXT *imported =
      find_struct(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
  VkResult result = imported ? lock_pages(device, type, imported->pHostPointer, bytes) : VK_SUCCESS;
  uint64_t reserved = imported ? 0 : bytes;
  if (result == VK_SUCCESS) result = reserve(device, heap, reserved);
  if (result != VK_SUCCESS) return result;
  VkMemoryAllocateInfo below = *info;
  below.memoryTypeIndex = 0;
  if (imported) below.pNext = NULL;
  result = device->AllocateMemory(handle, &below, allocator, made);
  void *address = NULL;
  if (result == VK_SUCCESS) {
    result = device->MapMemory(handle, *made, 0, VK_WHOLE_SIZE, 0, &address);
    if (result != VK_SUCCESS) device->FreeMemory(handle, *made, allocator);
  }
  if (result != VK_SUCCESS) {
    give_back(device, heap, reserved);
    return result;
  }
  memset(address, FRESH, bytes);
  pthread_mutex_lock(&card_lock);
  struct memory *memory = table_add(&memories, NUMBER(*made), 0, sizeof *memory);
  memory->device = device;
  memory->type = type;
  memory->bytes = bytes;
  memory->reserved = reserved;
  memory->on_card = address;
  if (is_visible) {
    memory->is_imported = imported != NULL;
    memory->for_host = imported ? imported->pHostPointer : fresh_copy(bytes);
    memory->before = fresh_copy(bytes);
  }
  pthread_mutex_init(&memory->moving, NULL);
  pthread_mutex_unlock(&card_lock);
  return VK_SUCCESS;
}

void card_FreeMemory(VkDevice handle, VkDeviceMemory freed, const VkAllocationCallbacks *allocator) {
  struct device *device = device_of(handle);
  struct memory *memory = memory_of(freed);
  if (memory) {
    give_back(device, device->profile.types[memory->type].heapIndex, memory->reserved);
    if (memory->is_imported) unlock_pages(memory);
    else free(memory->for_host);
    free(memory->before);
    pthread_mutex_destroy(&memory->moving);
    pthread_mutex_lock(&card_lock);
    table_remove(&memories, NUMBER(freed));
    pthread_mutex_unlock(&card_lock);
  }
  device->FreeMemory(handle, freed, allocator);
}

VkResult card_MapMemory(VkDevice handle, VkDeviceMemory mapped, VkDeviceSize offset, VkDeviceSize bytes,
                        VkMemoryMapFlags flags, void **address) {
  struct memory *memory = memory_of(mapped);
  if (!memory || !memory->for_host) card_refuses("vkMapMemory of memory that the host cannot see");
  *address = memory->for_host + offset;
  return VK_SUCCESS;
}

/* Memory stays mapped to its end. */
void card_UnmapMemory(VkDevice handle, VkDeviceMemory mapped) {}

/* A flush or an invalidation moves whole atoms. */
static struct memory *checked(const VkMappedMemoryRange *range, uint64_t *bytes) {
  struct memory *memory = memory_of(range->memory);
  if (!memory || !memory->for_host) card_refuses("a flush of memory that the host cannot see");
  *bytes = range->size == VK_WHOLE_SIZE ? memory->bytes - range->offset : range->size;
  if (range->offset % LINE || (*bytes % LINE && range->offset + *bytes != memory->bytes))
    card_refuses("a flush of parts of nonCoherentAtomSize");
  return memory;
}

VkResult card_FlushMappedMemoryRanges(VkDevice handle, uint32_t count, const VkMappedMemoryRange *ranges) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t bytes;
    struct memory *memory = checked(&ranges[i], &bytes);
    to_card(memory, ranges[i].offset, bytes);
  }
  return VK_SUCCESS;
}

VkResult card_InvalidateMappedMemoryRanges(VkDevice handle, uint32_t count, const VkMappedMemoryRange *ranges) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t bytes;
    struct memory *memory = checked(&ranges[i], &bytes);
    pthread_mutex_lock(&memory->moving);
    memcpy(memory->for_host + ranges[i].offset, memory->before + ranges[i].offset, bytes);
    pthread_mutex_unlock(&memory->moving);
  }
  return VK_SUCCESS;
}

/* --- Buffers and images --- */

void card_GetBufferMemoryRequirements(VkDevice handle, VkBuffer buffer, VkMemoryRequirements *needs) {
  struct device *device = device_of(handle);
  device->GetBufferMemoryRequirements(handle, buffer, needs);
  needs->memoryTypeBits = (1u << device->profile.type_count) - 1;
  if (needs->alignment < BUFFER_ALIGNMENT) needs->alignment = BUFFER_ALIGNMENT;
}

/* Images lie in memory that the host cannot see. */
void card_GetImageMemoryRequirements(VkDevice handle, VkImage image, VkMemoryRequirements *needs) {
  struct device *device = device_of(handle);
  device->GetImageMemoryRequirements(handle, image, needs);
  needs->memoryTypeBits = 0;
  for (uint32_t type = 0; type < device->profile.type_count; type++)
    if (device->profile.types[type].propertyFlags == VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT)
      needs->memoryTypeBits |= 1u << type;
  if (needs->alignment < IMAGE_ALIGNMENT) needs->alignment = IMAGE_ALIGNMENT;
  needs->size = (needs->size + IMAGE_ALIGNMENT - 1) / IMAGE_ALIGNMENT * IMAGE_ALIGNMENT;
}

VkResult card_CreateBuffer(VkDevice handle, const VkBufferCreateInfo *info, const VkAllocationCallbacks *allocator,
                           VkBuffer *made) {
  /* The device below has one family of queues. */
  VkBufferCreateInfo below = *info;
  below.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  below.queueFamilyIndexCount = 0;
  /* Imports are the card's own. */
  const VkExternalMemoryBufferCreateInfo *external =
      find_struct(info->pNext, VK_STRUCTURE_TYPE_EXTERNAL_MEMORY_BUFFER_CREATE_INFO);
  if (external) below.pNext = NULL;
  VkResult result = device_of(handle)->CreateBuffer(handle, &below, allocator, made);
  if (result != VK_SUCCESS) return result;
  pthread_mutex_lock(&card_lock);
  struct buffer *buffer = table_add(&buffers, NUMBER(*made), 0, sizeof *buffer);
  buffer->bytes = info->size;
  buffer->takes_imports =
      external && external->handleTypes & VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT;
  pthread_mutex_unlock(&card_lock);
  return VK_SUCCESS;
}

void card_DestroyBuffer(VkDevice handle, VkBuffer buffer, const VkAllocationCallbacks *allocator) {
  pthread_mutex_lock(&card_lock);
  table_remove(&buffers, NUMBER(buffer));
  pthread_mutex_unlock(&card_lock);
  device_of(handle)->DestroyBuffer(handle, buffer, allocator);
}

VkResult card_BindBufferMemory(VkDevice handle, VkBuffer bound, VkDeviceMemory memory, VkDeviceSize offset) {
  if (offset % BUFFER_ALIGNMENT) card_refuses("a buffer bound at an offset that is not aligned");
  pthread_mutex_lock(&card_lock);
  struct buffer *buffer = table_find(&buffers, NUMBER(bound));
  const struct memory *into = table_find(&memories, NUMBER(memory));
  if (buffer && into && into->is_imported != buffer->takes_imports)
    card_refuses("a buffer that is not for the kind of memory it is bound to");
  if (buffer) {
    buffer->memory = memory;
    buffer->offset = offset;
  }
  pthread_mutex_unlock(&card_lock);
  return device_of(handle)->BindBufferMemory(handle, bound, memory, offset);
}

VkResult card_CreateImage(VkDevice handle, const VkImageCreateInfo *info, const VkAllocationCallbacks *allocator,
                          VkImage *made) {
  VkImageCreateInfo below = *info;
  below.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
  below.queueFamilyIndexCount = 0;
  VkResult result = device_of(handle)->CreateImage(handle, &below, allocator, made);
  if (result != VK_SUCCESS) return result;
  pthread_mutex_lock(&card_lock);
  *(VkExtent3D *)table_add(&images, NUMBER(*made), 0, sizeof info->extent) = info->extent;
  pthread_mutex_unlock(&card_lock);
  return VK_SUCCESS;
}

void card_DestroyImage(VkDevice handle, VkImage image, const VkAllocationCallbacks *allocator) {
  pthread_mutex_lock(&card_lock);
  table_remove(&images, NUMBER(image));
  pthread_mutex_unlock(&card_lock);
  device_of(handle)->DestroyImage(handle, image, allocator);
}

struct range visible_range(VkBuffer handle, uint64_t offset, uint64_t bytes) {
  struct buffer *buffer = table_find(&buffers, NUMBER(handle));
  struct memory *memory = buffer ? table_find(&memories, NUMBER(buffer->memory)) : NULL;
  if (!memory || !memory->for_host) return (struct range){0};
  if (bytes == VK_WHOLE_SIZE) bytes = buffer->bytes - offset;
  return (struct range){.memory = buffer->memory, .offset = buffer->offset + offset, .bytes = bytes};
}

int lies_with_host(VkBuffer handle) {
  struct buffer *buffer = table_find(&buffers, NUMBER(handle));
  struct memory *memory = buffer ? table_find(&memories, NUMBER(buffer->memory)) : NULL;
  return memory && !(memory->device->profile.types[memory->type].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT);
}

int is_of_pages(VkBuffer handle) {
  struct buffer *buffer = table_find(&buffers, NUMBER(handle));
  return buffer && buffer->takes_imports;
}

int copies_whole_blocks(VkImage image, VkExtent3D size, uint32_t grain) {
  VkExtent3D *whole = table_find(&images, NUMBER(image));
  return !whole || ((size.width % grain == 0 || size.width == whole->width) &&
                    (size.height % grain == 0 || size.height == whole->height));
}
