#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "CDeviceLayers.h"
#include "card.h"

pthread_mutex_t card_lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t card_changed = PTHREAD_COND_INITIALIZER;
struct counts card_counts;
int card_stays;

/* What a physical device says of itself is the card's. */
#define INSTANCE_CALLS(X)                                                                                              \
  X(DestroyInstance) X(GetPhysicalDeviceProperties) X(GetPhysicalDeviceProperties2)                                    \
  X(GetPhysicalDeviceMemoryProperties) X(GetPhysicalDeviceMemoryProperties2)                                           \
  X(GetPhysicalDeviceQueueFamilyProperties) X(GetPhysicalDeviceQueueFamilyProperties2)                                 \
  X(GetPhysicalDeviceExternalBufferProperties) X(EnumerateDeviceExtensionProperties)

struct instance {
  struct profile profile;
  PFN_vkGetInstanceProcAddr get;
#define MEMBER(name) PFN_vk##name name;
  INSTANCE_CALLS(MEMBER)
#undef MEMBER
};
static struct table devices, instances;

static void *record_of(const struct table *table, const void *handle) {
  pthread_mutex_lock(&card_lock);
  void *record = table_find(table, NUMBER(key_of(handle)));
  pthread_mutex_unlock(&card_lock);
  if (!record) abort();
  return record;
}

struct device *device_of(const void *handle) { return record_of(&devices, handle); }
static struct instance *instance_of(const void *handle) { return record_of(&instances, handle); }

void card_refuses(const char *what) {
  fprintf(stderr, "emulated card: refused: %s\n", what);
  abort();
}

/* --- Counts --- */

static char reported[16];

__attribute__((destructor)) static void report(void) {
  if (card_stays) {
    sleep(60);
    card_refuses("an end of the process that waits for a card that hangs");
  }
  pthread_mutex_lock(&card_lock);
  const struct counts *c = &card_counts;
  if (*reported)
    fprintf(stderr,
            "emulated card: profile=%s submissions=%llu graphics=%llu copy=%llu compute=%llu copies=%llu"
            " dispatches=%llu barriers=%llu bytes_up=%llu bytes_down=%llu bytes_within=%llu host_written=%llu"
            " waits=%llu timeouts=%llu allocations=%llu most_bytes=%llu imports=%llu imported=%llu direct=%llu"
            " at=%llu\n",
            reported, (unsigned long long)(c->submissions[0] + c->submissions[1] + c->submissions[2]),
            (unsigned long long)c->submissions[0], (unsigned long long)c->submissions[CARD_COPIES],
            (unsigned long long)c->submissions[2], (unsigned long long)c->copies, (unsigned long long)c->dispatches,
            (unsigned long long)c->barriers, (unsigned long long)c->up, (unsigned long long)c->down,
            (unsigned long long)c->within, (unsigned long long)c->written, (unsigned long long)c->waits,
            (unsigned long long)c->timeouts, (unsigned long long)c->allocations, (unsigned long long)c->most_bytes,
            (unsigned long long)c->imports, (unsigned long long)c->imported, (unsigned long long)c->direct,
            (unsigned long long)c->at);
  pthread_mutex_unlock(&card_lock);
}

/* --- What a physical device says of itself --- */

static void GetPhysicalDeviceProperties(VkPhysicalDevice handle, VkPhysicalDeviceProperties *properties) {
  struct instance *instance = instance_of(handle);
  instance->GetPhysicalDeviceProperties(handle, properties);
  profile_edit(&instance->profile, properties);
}

static void GetPhysicalDeviceProperties2(VkPhysicalDevice handle, VkPhysicalDeviceProperties2 *properties) {
  struct instance *instance = instance_of(handle);
  instance->GetPhysicalDeviceProperties2(handle, properties);
  profile_edit(&instance->profile, &properties->properties);
  VkPhysicalDeviceVulkan12Properties *all =
      (void *)find_struct(properties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_PROPERTIES);
  if (all && profile_promises_no_rounding(&instance->profile))
    all->shaderRoundingModeRTEFloat32 = all->shaderSignedZeroInfNanPreserveFloat32 = VK_FALSE;
}

static void GetPhysicalDeviceMemoryProperties(VkPhysicalDevice handle, VkPhysicalDeviceMemoryProperties *properties) {
  const struct profile *profile = &instance_of(handle)->profile;
  *properties = (VkPhysicalDeviceMemoryProperties){.memoryTypeCount = profile->type_count,
                                                   .memoryHeapCount = profile->heap_count};
  memcpy(properties->memoryTypes, profile->types, sizeof profile->types);
  memcpy(properties->memoryHeaps, profile->heaps, sizeof profile->heaps);
}

static void GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice handle, VkPhysicalDeviceMemoryProperties2 *properties) {
  GetPhysicalDeviceMemoryProperties(handle, &properties->memoryProperties);
  /* Other programs use what is left of the largest heap. */
  const struct profile *profile = &instance_of(handle)->profile;
  VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget =
      (void *)find_struct(properties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT);
  for (uint32_t i = 0; budget && i < VK_MAX_MEMORY_HEAPS; i++) {
    budget->heapBudget[i] = i < profile->heap_count ? profile->heaps[i].size : 0;
    budget->heapUsage[i] = 0;
  }
  if (budget && profile->budget) budget->heapBudget[0] = profile->budget;
}

static void GetPhysicalDeviceExternalBufferProperties(VkPhysicalDevice handle,
                                                      const VkPhysicalDeviceExternalBufferInfo *info,
                                                      VkExternalBufferProperties *properties) {
  struct instance *instance = instance_of(handle);
  instance->GetPhysicalDeviceExternalBufferProperties(handle, info, properties);
  if (info->handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT)
    properties->externalMemoryProperties =
        (VkExternalMemoryProperties){VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT, info->handleType, info->handleType};
}

/* Extensions that the card has, whatever is below. */
static const VkExtensionProperties own_extensions[] = {
    {VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, VK_EXT_MEMORY_BUDGET_SPEC_VERSION},
    {VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME, VK_EXT_EXTERNAL_MEMORY_HOST_SPEC_VERSION},
};
enum { OWN_EXTENSIONS = sizeof own_extensions / sizeof *own_extensions };

static int is_own_extension(const char *name) {
  for (int i = 0; i < OWN_EXTENSIONS; i++)
    if (strcmp(name, own_extensions[i].extensionName) == 0) return 1;
  return 0;
}

static int takes_imports(const struct profile *profile) { return profile->imports > 0; }

static VkResult EnumerateDeviceExtensionProperties(VkPhysicalDevice handle, const char *layer, uint32_t *count,
                                                   VkExtensionProperties *found) {
  struct instance *instance = instance_of(handle);
  if (layer) return instance->EnumerateDeviceExtensionProperties(handle, layer, count, found);
  uint32_t below = 0, all = 0;
  VkResult result = instance->EnumerateDeviceExtensionProperties(handle, NULL, &below, NULL);
  VkExtensionProperties *list = calloc(below + OWN_EXTENSIONS, sizeof *list);
  if (!list) abort();
  if (result == VK_SUCCESS) result = instance->EnumerateDeviceExtensionProperties(handle, NULL, &below, list);
  for (uint32_t i = 0; result == VK_SUCCESS && i < below; i++)
    if (!is_own_extension(list[i].extensionName)) list[all++] = list[i];
  for (int i = 0; i < OWN_EXTENSIONS - !takes_imports(&instance->profile); i++) list[all++] = own_extensions[i];
  if (result == VK_SUCCESS && found) {
    if (*count < all) result = VK_INCOMPLETE;
    memcpy(found, list, (*count < all ? *count : all) * sizeof *list);
  }
  if (!found || *count > all) *count = all;
  free(list);
  return result;
}

static void GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice handle, uint32_t *count,
                                                   VkQueueFamilyProperties *families) {
  const struct profile *profile = &instance_of(handle)->profile;
  if (!families || *count > profile->family_count) *count = profile->family_count;
  if (families) memcpy(families, profile->families, *count * sizeof *families);
}

static void GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice handle, uint32_t *count,
                                                    VkQueueFamilyProperties2 *families) {
  const struct profile *profile = &instance_of(handle)->profile;
  if (!families || *count > profile->family_count) *count = profile->family_count;
  for (uint32_t i = 0; families && i < *count; i++) families[i].queueFamilyProperties = profile->families[i];
}

/* --- The layer --- */

static VkResult CreateInstance(const VkInstanceCreateInfo *info, const VkAllocationCallbacks *allocator,
                               VkInstance *made) {
  PFN_vkGetInstanceProcAddr get = next_instance(info);
  struct profile profile;
  if (!get || !profile_read(&profile)) return VK_ERROR_INITIALIZATION_FAILED;
  VkResult result = ((PFN_vkCreateInstance)get(VK_NULL_HANDLE, "vkCreateInstance"))(info, allocator, made);
  if (result != VK_SUCCESS) return result;
  pthread_mutex_lock(&card_lock);
  struct instance *instance = table_add(&instances, NUMBER(key_of(*made)), 0, sizeof *instance);
  instance->profile = profile;
  instance->get = get;
#define LOAD(name) instance->name = (PFN_vk##name)get(*made, "vk" #name);
  INSTANCE_CALLS(LOAD)
#undef LOAD
  if (profile.stats) memcpy(reported, profile.name, sizeof reported);
  pthread_mutex_unlock(&card_lock);
  return VK_SUCCESS;
}

static void DestroyInstance(VkInstance handle, const VkAllocationCallbacks *allocator) {
  if (!handle) return;
  PFN_vkDestroyInstance destroy = instance_of(handle)->DestroyInstance;
  pthread_mutex_lock(&card_lock);
  table_remove(&instances, NUMBER(key_of(handle)));
  pthread_mutex_unlock(&card_lock);
  destroy(handle, allocator);
}

static VkResult CreateDevice(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                             const VkAllocationCallbacks *allocator, VkDevice *made) {
  struct next_device below = next_device(info);
  struct instance *instance = instance_of(physical);
  if (!below.get || !below.set_loader_data) return VK_ERROR_INITIALIZATION_FAILED;
  VkPhysicalDeviceProperties properties;
  instance->GetPhysicalDeviceProperties(physical, &properties);
  if (properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) card_refuses("a device below that is not software");
  /* The device below has one queue. */
  float priority = 1;
  VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1,
                                   .pQueuePriorities = &priority};
  VkDeviceCreateInfo create = *info;
  create.queueCreateInfoCount = 1;
  create.pQueueCreateInfos = &queue;
  const char *names[64];
  int imports = 0;
  create.enabledExtensionCount = 0;
  create.ppEnabledExtensionNames = names;
  for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
    const char *name = info->ppEnabledExtensionNames[i];
    imports |= strcmp(name, VK_EXT_EXTERNAL_MEMORY_HOST_EXTENSION_NAME) == 0;
    if (create.enabledExtensionCount == sizeof names / sizeof *names) card_refuses("a device of so many extensions");
    if (!is_own_extension(name)) names[create.enabledExtensionCount++] = name;
  }
  if (imports && !takes_imports(&instance->profile)) return VK_ERROR_EXTENSION_NOT_PRESENT;
  PFN_vkCreateDevice next = (PFN_vkCreateDevice)below.get_instance(VK_NULL_HANDLE, "vkCreateDevice");
  VkResult result = next(physical, &create, allocator, made);
  if (result != VK_SUCCESS) return result;
  pthread_mutex_lock(&card_lock);
  struct device *device = table_add(&devices, NUMBER(key_of(*made)), 0, sizeof *device);
  device->handle = *made;
  device->profile = instance->profile;
  device->get = below.get;
  device->takes_imports = imports;
#define LOAD(name) device->name = (PFN_vk##name)below.get(*made, "vk" #name);
  CARD_DEVICE_CALLS(LOAD)
#undef LOAD
  pthread_mutex_init(&device->submitting, NULL);
  pthread_mutex_unlock(&card_lock);
  device->GetDeviceQueue(*made, 0, 0, &device->queue_below);
  return below.set_loader_data(*made, device->queue_below);
}

void card_DestroyDevice(VkDevice handle, const VkAllocationCallbacks *allocator) {
  if (!handle) return;
  struct device *device = device_of(handle);
  queues_end(device);
  PFN_vkDestroyDevice destroy = device->DestroyDevice;
  pthread_mutex_destroy(&device->submitting);
  pthread_mutex_lock(&card_lock);
  table_remove(&devices, NUMBER(key_of(handle)));
  pthread_mutex_unlock(&card_lock);
  destroy(handle, allocator);
}

/* Calls that touch memory or queues, but for those that the card does itself and some that are harmless. */
static int goes_around(const char *name) {
  static const char *const groups[] = {"vkCmd", "vkQueue", "vkBind", "vkMap", "vkUnmap", "vkFlush", "vkInvalidate",
                                       "vkCreateFence", "vkGetDeviceQueue", "vkGetBufferMemory", "vkGetImageMemory"};
  static const char *const harmless[] = {"vkCmdPushConstants", "vkCmdResetQueryPool",
                                         "vkCmdWriteTimestamp", "vkBindImageMemory"};
  for (size_t i = 0; i < sizeof harmless / sizeof *harmless; i++)
    if (strcmp(name, harmless[i]) == 0) return 0;
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    if (strncmp(name, groups[i], strlen(groups[i])) == 0) return 1;
  return 0;
}

#define ANSWER(own)                                                                                                    \
  if (strcmp(name, "vk" #own) == 0) return (PFN_vkVoidFunction)own;
#define ANSWER_CARD(own)                                                                                               \
  if (strcmp(name, "vk" #own) == 0) return (PFN_vkVoidFunction)card_##own;

static PFN_vkVoidFunction own_of_device(const char *name) {
  CARD_DEVICE_CALLS(ANSWER_CARD)
  return NULL;
}

static PFN_vkVoidFunction GetDeviceProcAddr(VkDevice device, const char *name) {
  ANSWER(GetDeviceProcAddr)
  PFN_vkVoidFunction found = own_of_device(name);
  return found || goes_around(name) ? found : device_of(device)->get(device, name);
}

static PFN_vkVoidFunction GetInstanceProcAddr(VkInstance instance, const char *name) {
  ANSWER(GetInstanceProcAddr)
  ANSWER(GetDeviceProcAddr)
  ANSWER(CreateInstance)
  ANSWER(CreateDevice)
  INSTANCE_CALLS(ANSWER)
  PFN_vkVoidFunction found = own_of_device(name);
  return found || goes_around(name) || !instance ? found : instance_of(instance)->get(instance, name);
}

VK_LAYER_EXPORT VkResult hdrbatch_card_layer(VkNegotiateLayerInterface *interface) {
  interface->loaderLayerInterfaceVersion = 2;
  interface->pfnGetInstanceProcAddr = GetInstanceProcAddr;
  interface->pfnGetDeviceProcAddr = GetDeviceProcAddr;
  interface->pfnGetPhysicalDeviceProcAddr = NULL;
  return VK_SUCCESS;
}
