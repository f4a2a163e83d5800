#include <string.h>

#include "card.h"

/* Of modules and pipelines: 1 for those of the kernel that faults wait for. */
static struct table modules, pipelines;

static int *note_of(struct table *table, uint64_t handle) { return table_add(table, handle, 0, sizeof(int)); }

/* True if a module has this function: kernels keep the names of theirs (OpName), with the types behind a bracket. */
static int has_function(const uint32_t *words, size_t count, const char *name) {
  enum { HEADER = 5, OP_NAME = 5 };
  size_t length = strlen(name);
  for (size_t i = HEADER; length > 0 && i < count && words[i] >> 16; i += words[i] >> 16) {
    size_t bytes = 4 * (size_t)(words[i] >> 16);
    const char *text = (const char *)&words[i + 2];
    if ((words[i] & 0xffff) == OP_NAME && bytes > 8 + length && strncmp(text, name, length) == 0 && text[length] == '(')
      return 1;
  }
  return 0;
}

VkResult card_CreateShaderModule(VkDevice handle, const VkShaderModuleCreateInfo *info,
                                 const VkAllocationCallbacks *allocator, VkShaderModule *made) {
  struct device *device = device_of(handle);
  VkResult result = device->CreateShaderModule(handle, info, allocator, made);
  if (result != VK_SUCCESS) return result;
  pthread_mutex_lock(&card_lock);
  *note_of(&modules, NUMBER(*made)) = has_function(info->pCode, info->codeSize / 4, device->profile.at);
  pthread_mutex_unlock(&card_lock);
  return VK_SUCCESS;
}

void note_pipelines(uint32_t count, const VkComputePipelineCreateInfo *infos, const VkPipeline *made) {
  pthread_mutex_lock(&card_lock);
  for (uint32_t i = 0; i < count; i++) {
    const int *module = table_find(&modules, NUMBER(infos[i].stage.module));
    *note_of(&pipelines, NUMBER(made[i])) = module && *module;
  }
  pthread_mutex_unlock(&card_lock);
}

int is_of_fault(VkPipeline pipeline) {
  const int *note = table_find(&pipelines, NUMBER(pipeline));
  return note && *note;
}
