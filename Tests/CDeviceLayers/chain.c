#include "chain.h"

const void *find_struct(const void *next, VkStructureType type) {
  const VkBaseInStructure *link = next;
  while (link && link->sType != type) link = link->pNext;
  return link;
}

PFN_vkGetInstanceProcAddr next_instance(const VkInstanceCreateInfo *info) {
  const void *next = info->pNext;
  VkLayerInstanceCreateInfo *link;
  while ((link = (void *)find_struct(next, VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO))) {
    if (link->function == VK_LAYER_LINK_INFO) {
      PFN_vkGetInstanceProcAddr get = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
      link->u.pLayerInfo = link->u.pLayerInfo->pNext;
      return get;
    }
    next = link->pNext;
  }
  return NULL;
}

struct next_device next_device(const VkDeviceCreateInfo *info) {
  struct next_device below = {NULL, NULL, NULL};
  const void *next = info->pNext;
  VkLayerDeviceCreateInfo *link;
  while ((link = (void *)find_struct(next, VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO))) {
    if (link->function == VK_LOADER_DATA_CALLBACK) below.set_loader_data = link->u.pfnSetDeviceLoaderData;
    if (link->function == VK_LAYER_LINK_INFO) {
      below.get_instance = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
      below.get = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
      link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    }
    next = link->pNext;
  }
  return below;
}
