#include "CDeviceLayers.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain.h"
#include "table.h"

/* For everything below. It is not held while the next layer works. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* --- The fault --- */

static struct {
  enum { LOST, MEMORY, FLIP, BOUNDS } kind;
  char call[64];
  int first, device; /* device -1: all */
} fault;

static int read_fault(void) {
  const char *text = getenv("FAULTY_DEVICE");
  char kind[8] = "";
  fault.device = -1;
  if (!text || sscanf(text, "%7[^:]:%63[^:]:%d:%d", kind, fault.call, &fault.first, &fault.device) < 3) return 0;
  if (strcmp(kind, "lost") == 0) fault.kind = LOST;
  else if (strcmp(kind, "memory") == 0) fault.kind = MEMORY;
  else if (strcmp(kind, "flip") == 0) fault.kind = FLIP;
  else if (strcmp(kind, "bounds") == 0) fault.kind = BOUNDS;
  else return 0;
  return 1;
}

/* --- What is called here, and the next layer's --- */

/* That may fail, with the type of their first handle. */
#define FAILING(X)                                                                                                     \
  X(QueueSubmit) X(WaitSemaphores) X(DeviceWaitIdle) X(AllocateMemory) X(CreateBuffer) X(CreateImage)                 \
  X(CreateComputePipelines)
/* That tell where results go. */
#define FOLLOWED(X)                                                                                                    \
  X(MapMemory) X(FreeMemory) X(BindBufferMemory) X(UpdateDescriptorSets) X(BeginCommandBuffer)                         \
  X(CmdBindDescriptorSets) X(CmdCopyBuffer) X(CmdCopyImageToBuffer)

struct device {
  int number, calls, is_lost;
#define MEMBER(name) PFN_vk##name name;
  FAILING(MEMBER) FOLLOWED(MEMBER)
#undef MEMBER
  PFN_vkGetDeviceProcAddr get;
};
struct instance {
  PFN_vkGetInstanceProcAddr get;
};
static struct table devices, instances;
static int opened;

static void *record_of(const struct table *table, const void *handle) {
  pthread_mutex_lock(&lock);
  void *record = table_find(table, NUMBER(key_of(handle)));
  pthread_mutex_unlock(&lock);
  if (!record) abort();
  return record;
}

static struct device *device_of(const void *handle) { return record_of(&devices, handle); }

static int is_meant(const struct device *device) { return fault.device < 0 || fault.device == device->number; }

/* What a call returns instead of its own result, else VK_SUCCESS. */
static VkResult failure(struct device *device, const char *call) {
  if (fault.kind == FLIP || fault.kind == BOUNDS || !is_meant(device)) return VK_SUCCESS;
  pthread_mutex_lock(&lock);
  VkResult result = VK_SUCCESS;
  if (strcmp(call, fault.call) == 0) {
    device->calls++;
    if (fault.kind == LOST && device->calls == fault.first) device->is_lost = 1;
    if (fault.kind == MEMORY && device->calls >= fault.first) result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  }
  if (device->is_lost) result = VK_ERROR_DEVICE_LOST;
  pthread_mutex_unlock(&lock);
  return result;
}

/* --- Where results go --- */

/* Of a memory: its address, once mapped. Of a buffer: memory and offset. Of a set and of recorded commands: buffer,
   offset and bytes of what is written. */
struct entry {
  uint64_t link, offset, bytes;
  char *host;
};
static struct table memories, buffers, sets, commands;

static void keep(struct table *table, uint64_t handle, struct entry entry) {
  *(struct entry *)table_add(table, handle, 0, sizeof entry) = entry;
}

static void keep_locked(struct table *table, uint64_t handle, struct entry entry) {
  pthread_mutex_lock(&lock);
  keep(table, handle, entry);
  pthread_mutex_unlock(&lock);
}

/* Results that are to be spoilt once a semaphore has reached a value. */
static struct spoil {
  VkSemaphore semaphore;
  uint64_t value, bytes;
  char *host;
} spoils[256];
static int spoil_count;

static void follow_submit(struct device *device, const VkSubmitInfo *info) {
  const VkTimelineSemaphoreSubmitInfo *values =
      find_struct(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  if (!values || info->signalSemaphoreCount == 0) return;
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; i < info->commandBufferCount; i++) {
    struct entry *command = table_find(&commands, NUMBER(info->pCommandBuffers[i]));
    struct entry *buffer = command ? table_find(&buffers, command->link) : NULL;
    struct entry *memory = buffer ? table_find(&memories, buffer->link) : NULL;
    if (!memory || !is_meant(device) || ++device->calls < fault.first) continue;
    if (spoil_count == sizeof spoils / sizeof *spoils) abort();
    spoils[spoil_count++] = (struct spoil){info->pSignalSemaphores[0], values->pSignalSemaphoreValues[0],
                                           command->bytes, memory->host + buffer->offset + command->offset};
  }
  pthread_mutex_unlock(&lock);
}

/* One bit of every 1024 bytes. */
static void spoil_results(const VkSemaphoreWaitInfo *info) {
  pthread_mutex_lock(&lock);
  for (uint32_t i = 0; i < info->semaphoreCount; i++)
    for (int k = spoil_count - 1; k >= 0; k--) {
      struct spoil spoil = spoils[k];
      if (spoil.semaphore != info->pSemaphores[i] || spoil.value > info->pValues[i]) continue;
      for (uint64_t at = 0; at < spoil.bytes; at += 1024) spoil.host[at] ^= 1;
      spoils[k] = spoils[--spoil_count];
    }
  pthread_mutex_unlock(&lock);
}

/* --- Calls that may fail --- */

/* Does what a device does that fails: nothing. */
#define CALL_UNLESS_FAILING(handle, name, ...)                                                                         \
  struct device *device = device_of(handle);                                                                           \
  VkResult result = failure(device, "vk" #name);                                                                       \
  return result ? result : device->name(handle, __VA_ARGS__)

static VkResult AllocateMemory(VkDevice handle, const VkMemoryAllocateInfo *info,
                               const VkAllocationCallbacks *allocator, VkDeviceMemory *memory) {
  struct device *device = device_of(handle);
  VkResult result = failure(device, "vkAllocateMemory");
  if (result == VK_SUCCESS) result = device->AllocateMemory(handle, info, allocator, memory);
  /* Results go to imported pages, too. */
  const VkImportMemoryHostPointerInfoEXT *imported =
      find_struct(info->pNext, VK_STRUCTURE_TYPE_IMPORT_MEMORY_HOST_POINTER_INFO_EXT);
  if (result == VK_SUCCESS && imported)
    keep_locked(&memories, NUMBER(*memory), (struct entry){.host = imported->pHostPointer});
  return result;
}

static VkResult CreateBuffer(VkDevice handle, const VkBufferCreateInfo *info, const VkAllocationCallbacks *allocator,
                             VkBuffer *buffer) {
  CALL_UNLESS_FAILING(handle, CreateBuffer, info, allocator, buffer);
}

static VkResult CreateImage(VkDevice handle, const VkImageCreateInfo *info, const VkAllocationCallbacks *allocator,
                            VkImage *image) {
  CALL_UNLESS_FAILING(handle, CreateImage, info, allocator, image);
}

static VkResult CreateComputePipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                       const VkComputePipelineCreateInfo *infos,
                                       const VkAllocationCallbacks *allocator, VkPipeline *pipelines) {
  CALL_UNLESS_FAILING(handle, CreateComputePipelines, cache, count, infos, allocator, pipelines);
}

static VkResult QueueSubmit(VkQueue handle, uint32_t count, const VkSubmitInfo *infos, VkFence fence) {
  struct device *device = device_of(handle);
  VkResult result = failure(device, "vkQueueSubmit");
  if (result) return result;
  if (fault.kind == FLIP)
    for (uint32_t i = 0; i < count; i++) follow_submit(device, &infos[i]);
  return device->QueueSubmit(handle, count, infos, fence);
}

/* Waits for a lost device too: the one below works on, and its memory is given back next. */
static VkResult WaitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo *info, uint64_t nanoseconds) {
  struct device *device = device_of(handle);
  VkResult result = device->WaitSemaphores(handle, info, nanoseconds), failed = failure(device, "vkWaitSemaphores");
  if (result == VK_SUCCESS) spoil_results(info);
  return failed ? failed : result;
}

static VkResult DeviceWaitIdle(VkDevice handle) {
  struct device *device = device_of(handle);
  VkResult result = device->DeviceWaitIdle(handle), failed = failure(device, "vkDeviceWaitIdle");
  return failed ? failed : result;
}

/* --- Calls that tell where results go --- */

static VkResult MapMemory(VkDevice handle, VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size,
                          VkMemoryMapFlags flags, void **address) {
  VkResult result = device_of(handle)->MapMemory(handle, memory, offset, size, flags, address);
  if (result == VK_SUCCESS)
    keep_locked(&memories, NUMBER(memory), (struct entry){.host = (char *)*address - offset});
  return result;
}

static void FreeMemory(VkDevice handle, VkDeviceMemory memory, const VkAllocationCallbacks *allocator) {
  pthread_mutex_lock(&lock);
  table_remove(&memories, NUMBER(memory));
  pthread_mutex_unlock(&lock);
  device_of(handle)->FreeMemory(handle, memory, allocator);
}

static VkResult BindBufferMemory(VkDevice handle, VkBuffer buffer, VkDeviceMemory memory, VkDeviceSize offset) {
  keep_locked(&buffers, NUMBER(buffer), (struct entry){.link = NUMBER(memory), .offset = offset});
  return device_of(handle)->BindBufferMemory(handle, buffer, memory, offset);
}

/* Binding 7 is what kernels write (Sources/Shaders/glsl/shared/prelude.glsl). */
static void UpdateDescriptorSets(VkDevice handle, uint32_t count, const VkWriteDescriptorSet *writes,
                                 uint32_t copy_count, const VkCopyDescriptorSet *copies) {
  for (uint32_t i = 0; i < count; i++)
    if (writes[i].dstBinding == 7 && writes[i].pBufferInfo)
      keep_locked(&sets, NUMBER(writes[i].dstSet),
                  (struct entry){.link = NUMBER(writes[i].pBufferInfo->buffer),
                                 .offset = writes[i].pBufferInfo->offset, .bytes = writes[i].pBufferInfo->range});
  device_of(handle)->UpdateDescriptorSets(handle, count, writes, copy_count, copies);
}

static VkResult BeginCommandBuffer(VkCommandBuffer handle, const VkCommandBufferBeginInfo *info) {
  keep_locked(&commands, NUMBER(handle), (struct entry){0});
  return device_of(handle)->BeginCommandBuffer(handle, info);
}

static void CmdBindDescriptorSets(VkCommandBuffer handle, VkPipelineBindPoint point, VkPipelineLayout layout,
                                  uint32_t first, uint32_t count, const VkDescriptorSet *bound, uint32_t offset_count,
                                  const uint32_t *offsets) {
  pthread_mutex_lock(&lock);
  struct entry *set = count > 0 ? table_find(&sets, NUMBER(bound[0])) : NULL;
  if (set) keep(&commands, NUMBER(handle), *set);
  pthread_mutex_unlock(&lock);
  device_of(handle)->CmdBindDescriptorSets(handle, point, layout, first, count, bound, offset_count, offsets);
}

static void CmdCopyBuffer(VkCommandBuffer handle, VkBuffer from, VkBuffer to, uint32_t count,
                          const VkBufferCopy *regions) {
  keep_locked(&commands, NUMBER(handle),
              (struct entry){.link = NUMBER(to), .offset = regions[0].dstOffset, .bytes = regions[0].size});
  device_of(handle)->CmdCopyBuffer(handle, from, to, count, regions);
}

/* Images have eight bytes a pixel. */
static void CmdCopyImageToBuffer(VkCommandBuffer handle, VkImage from, VkImageLayout layout, VkBuffer to,
                                 uint32_t count, const VkBufferImageCopy *regions) {
  VkExtent3D size = regions[0].imageExtent;
  keep_locked(&commands, NUMBER(handle),
              (struct entry){.link = NUMBER(to), .offset = regions[0].bufferOffset,
                             .bytes = (uint64_t)size.width * size.height * 8});
  device_of(handle)->CmdCopyImageToBuffer(handle, from, layout, to, count, regions);
}

/* --- The layer --- */

static VkResult CreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator,
                               VkInstance *made) {
  PFN_vkGetInstanceProcAddr get = next_instance(info);
  if (!get || !read_fault()) {
    fprintf(stderr, "fault layer: no fault in FAULTY_DEVICE\n");
    return VK_ERROR_INITIALIZATION_FAILED;
  }
  VkResult result = ((PFN_vkCreateInstance)get(VK_NULL_HANDLE, "vkCreateInstance"))(info, allocator, made);
  if (result != VK_SUCCESS) return result;
  pthread_mutex_lock(&lock);
  /* It takes the place of one that is gone and had its table where this one's is. */
  struct instance *instance = table_add(&instances, NUMBER(key_of(*made)), 0, sizeof *instance);
  instance->get = get;
  pthread_mutex_unlock(&lock);
  return VK_SUCCESS;
}

static VkResult CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkDevice *made) {
  struct next_device below = next_device(info);
  if (!below.get) return VK_ERROR_INITIALIZATION_FAILED;
  PFN_vkCreateDevice create = (PFN_vkCreateDevice)below.get_instance(VK_NULL_HANDLE, "vkCreateDevice");
  if (fault.kind == BOUNDS && (!info->pEnabledFeatures || !info->pEnabledFeatures->robustBufferAccess))
    return VK_ERROR_FEATURE_NOT_PRESENT;
  VkResult result = create(physical, info, allocator, made);
  if (result != VK_SUCCESS) return result;
  pthread_mutex_lock(&lock);
  struct device *device = table_add(&devices, NUMBER(key_of(*made)), 0, sizeof *device);
  device->number = opened++;
  device->get = below.get;
#define LOAD(name) device->name = (PFN_vk##name)below.get(*made, "vk" #name);
  FAILING(LOAD) FOLLOWED(LOAD)
#undef LOAD
  pthread_mutex_unlock(&lock);
  return VK_SUCCESS;
}

static PFN_vkVoidFunction own(const char *name) {
#define ANSWER(own)                                                                                                    \
  if (strcmp(name, "vk" #own) == 0) return (PFN_vkVoidFunction)own;
  FAILING(ANSWER) FOLLOWED(ANSWER)
  return NULL;
}

static PFN_vkVoidFunction GetDeviceProcAddr(VkDevice device, const char *name) {
  if (strcmp(name, "vkGetDeviceProcAddr") == 0) return (PFN_vkVoidFunction)GetDeviceProcAddr;
  PFN_vkVoidFunction found = own(name);
  return found ? found : device_of(device)->get(device, name);
}

static PFN_vkVoidFunction GetInstanceProcAddr(VkInstance instance, const char *name) {
  ANSWER(GetInstanceProcAddr)
  ANSWER(GetDeviceProcAddr)
  ANSWER(CreateInstance)
  ANSWER(CreateDevice)
  PFN_vkVoidFunction found = own(name);
  if (found) return found;
  return instance ? ((struct instance *)record_of(&instances, instance))->get(instance, name) : NULL;
}

VK_LAYER_EXPORT VkResult hdrbatch_fault_layer(VkNegotiateLayerInterface *interface) {
  interface->loaderLayerInterfaceVersion = 2;
  interface->pfnGetInstanceProcAddr = GetInstanceProcAddr;
  interface->pfnGetDeviceProcAddr = GetDeviceProcAddr;
  interface->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
