#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "card.h"

/* Semaphores and command buffers of one submission; and how much slower than a card the device below may be, which
   compiles kernels when they first run. */
enum { MOST = 4, SLOWER = 30 };
static const uint64_t SECOND = 1000000000, SLICE = 20000000;

/* A submission that a queue has taken. */
struct job {
  uint32_t wait_count, signal_count, command_count;
  VkSemaphore waits[MOST], signals[MOST];
  uint64_t wait_values[MOST], signal_values[MOST];
  VkCommandBuffer commands[MOST];
  struct ranges reads;
  struct job *next;
};

/* Programs take it for a VkQueue, and the loader writes its table to the beginning. */
struct queue {
  void *loader_data;
  struct device *device;
  uint32_t family, index;
  pthread_t thread;
  struct job *first, *last;
  int stops;
  struct queue *next;
};

/* What the host sees once a semaphore has a value and the host has waited for it. */
struct arrival {
  VkSemaphore semaphore;
  uint64_t value;
  struct ranges ranges;
};
static struct arrival *arrivals;
static int arrival_count, arrival_room;

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* --- A queue's thread --- */

/* xorshift64 (Marsaglia, 2003): any sequence that a seed repeats. The lock is held. */
static uint64_t random_below(uint64_t end, uint64_t seed) {
  static uint64_t state = 0;
  if (state == 0) state = 0x2545f4914f6cdd1d ^ (seed * 0x9e3779b97f4a7c15);
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state % end;
}

static void run(struct queue *queue, struct job *job) {
  struct device *device = queue->device;
  for (uint32_t i = 0; i < job->wait_count; i++) {
    VkSemaphoreWaitInfo wait = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, .semaphoreCount = 1,
                                .pSemaphores = &job->waits[i], .pValues = &job->wait_values[i]};
    if (device->WaitSemaphores(device->handle, &wait, 60 * SECOND) != VK_SUCCESS)
      card_refuses("a submission that waits for a semaphore for a minute");
  }
  pthread_mutex_lock(&card_lock);
  uint64_t delay = random_below(device->profile.delay + 1, device->profile.seed);
  pthread_mutex_unlock(&card_lock);
  usleep((useconds_t)delay);
  if (device->profile.late) move_to_card(&job->reads);
  VkTimelineSemaphoreSubmitInfo values = {.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
                                          .signalSemaphoreValueCount = job->signal_count,
                                          .pSignalSemaphoreValues = job->signal_values};
  VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .pNext = &values,
                       .commandBufferCount = job->command_count, .pCommandBuffers = job->commands,
                       .signalSemaphoreCount = job->signal_count, .pSignalSemaphores = job->signals};
  pthread_mutex_lock(&device->submitting);
  VkResult result = device->QueueSubmit(device->queue_below, 1, &info, VK_NULL_HANDLE);
  pthread_mutex_unlock(&device->submitting);
  if (result != VK_SUCCESS) card_refuses("a submission that the device below does not take");
}

static void *work(void *argument) {
  struct queue *queue = argument;
  pthread_mutex_lock(&card_lock);
  for (;;) {
    while (!queue->first && !queue->stops) pthread_cond_wait(&card_changed, &card_lock);
    struct job *job = queue->first;
    if (!job) break;
    pthread_mutex_unlock(&card_lock);
    run(queue, job);
    pthread_mutex_lock(&card_lock);
    queue->first = job->next;
    if (!queue->first) queue->last = NULL;
    queue->device->pending--;
    pthread_cond_broadcast(&card_changed);
    ranges_empty(&job->reads);
    free(job);
  }
  pthread_mutex_unlock(&card_lock);
  return NULL;
}

void card_GetDeviceQueue(VkDevice handle, uint32_t family, uint32_t index, VkQueue *found) {
  struct device *device = device_of(handle);
  pthread_mutex_lock(&card_lock);
  struct queue *queue = device->queues;
  while (queue && (queue->family != family || queue->index != index)) queue = queue->next;
  if (!queue) {
    queue = calloc(1, sizeof *queue);
    if (!queue) abort();
    *queue = (struct queue){.loader_data = key_of(handle), .device = device, .family = family, .index = index,
                            .next = device->queues};
    device->queues = queue;
    if (pthread_create(&queue->thread, NULL, work, queue) != 0) abort();
  }
  pthread_mutex_unlock(&card_lock);
  *found = (VkQueue)queue;
}

void queues_end(struct device *device) {
  pthread_mutex_lock(&card_lock);
  for (struct queue *queue = device->queues; queue; queue = queue->next) queue->stops = 1;
  pthread_cond_broadcast(&card_changed);
  pthread_mutex_unlock(&card_lock);
  for (struct queue *queue = device->queues, *next; queue; queue = next) {
    next = queue->next;
    pthread_join(queue->thread, NULL);
    free(queue);
  }
}

/* --- Submissions --- */

/* Waits until the device below has done all that was submitted. */
static void drain(struct device *device) {
  pthread_mutex_lock(&card_lock);
  while (device->pending > 0) pthread_cond_wait(&card_changed, &card_lock);
  pthread_mutex_unlock(&card_lock);
  pthread_mutex_lock(&device->submitting);
  device->DeviceWaitIdle(device->handle);
  pthread_mutex_unlock(&device->submitting);
}

/* The lock is held. */
static struct job *new_job(const struct queue *queue, const VkSubmitInfo *info) {
  const VkTimelineSemaphoreSubmitInfo *values =
      find_struct(info->pNext, VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO);
  if (info->waitSemaphoreCount > MOST || info->signalSemaphoreCount > MOST || info->commandBufferCount > MOST)
    card_refuses("a submission of so much");
  if (!values && info->waitSemaphoreCount + info->signalSemaphoreCount > 0)
    card_refuses("a semaphore without values, which the card does not know");
  struct job *job = calloc(1, sizeof *job);
  if (!job) abort();
  job->wait_count = info->waitSemaphoreCount;
  job->signal_count = info->signalSemaphoreCount;
  job->command_count = info->commandBufferCount;
  for (uint32_t i = 0; i < job->wait_count; i++) {
    job->waits[i] = info->pWaitSemaphores[i];
    job->wait_values[i] = values->pWaitSemaphoreValues[i];
  }
  for (uint32_t i = 0; i < job->signal_count; i++) {
    job->signals[i] = info->pSignalSemaphores[i];
    job->signal_values[i] = values->pSignalSemaphoreValues[i];
  }
  for (uint32_t i = 0; i < job->command_count; i++) {
    job->commands[i] = info->pCommandBuffers[i];
    struct commands *commands = commands_of(job->commands[i]);
    if (!commands) card_refuses("a command buffer of another device");
    if (commands->family != queue->family) card_refuses("a command buffer of another queue family");
    ranges_add_all(&job->reads, &commands->reads);
  }
  return job;
}

/* What commands write before a barrier for the host arrives there with each semaphore of the submission. */
static void expect_arrivals(const struct job *job) {
  struct ranges ranges = {0};
  for (uint32_t i = 0; i < job->command_count; i++) {
    struct ranges *writes = &commands_of(job->commands[i])->writes;
    for (int k = 0; k < writes->count; k++)
      if (writes->items[k].is_for_host) ranges_add(&ranges, writes->items[k]);
  }
  for (uint32_t i = 0; i < job->signal_count && ranges.count > 0; i++) {
    arrivals = array_with_room(arrivals, arrival_count, &arrival_room, sizeof *arrivals);
    struct arrival *arrival = &arrivals[arrival_count++];
    *arrival = (struct arrival){.semaphore = job->signals[i], .value = job->signal_values[i]};
    ranges_add_all(&arrival->ranges, &ranges);
  }
  ranges_empty(&ranges);
}

static void count(const struct queue *queue, const struct job *job) {
  card_counts.submissions[queue->family]++;
  for (uint32_t i = 0; i < job->command_count; i++) {
    const struct counts *more = &commands_of(job->commands[i])->counts;
    card_counts.copies += more->copies;
    card_counts.dispatches += more->dispatches;
    card_counts.barriers += more->barriers;
    card_counts.up += more->up;
    card_counts.down += more->down;
    card_counts.within += more->within;
    card_counts.direct += more->direct;
  }
}

/* True if `lost` and `hang` count a submission. The lock is held. */
static int is_counted(const struct profile *profile, const VkSubmitInfo *info) {
  int is_counted = !*profile->at;
  for (uint32_t i = 0; i < info->commandBufferCount; i++) {
    const struct commands *commands = commands_of(info->pCommandBuffers[i]);
    is_counted |= commands && commands->has_fault;
  }
  return is_counted;
}

static void count_for_faults(struct device *device) {
  uint64_t number = ++device->submissions;
  if (device->state != WORKS) return;
  card_counts.at++;
  if (number == device->profile.hang) {
    device->state = HANGS;
    card_stays = device->profile.stay != 0;
  } else if (number == device->profile.lost) {
    device->state = LOST;
  }
}

static VkResult submit(struct queue *queue, const VkSubmitInfo *info) {
  struct device *device = queue->device;
  pthread_mutex_lock(&card_lock);
  int is_lost = device->state == LOST;
  if (is_counted(&device->profile, info)) count_for_faults(device);
  int works = device->state == WORKS;
  struct job *job = NULL;
  if (works) {
    job = new_job(queue, info);
    expect_arrivals(job);
    count(queue, job);
    device->pending++;
  }
  pthread_mutex_unlock(&card_lock);
  /* A card that fails has nothing in work: its program gives the memory back next. */
  if (!works) {
    drain(device);
    return is_lost ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
  }
  if (!device->profile.late) move_to_card(&job->reads);
  pthread_mutex_lock(&card_lock);
  if (queue->last) queue->last->next = job;
  else queue->first = job;
  queue->last = job;
  pthread_cond_broadcast(&card_changed);
  pthread_mutex_unlock(&card_lock);
  return VK_SUCCESS;
}

/* Vulkan allows submissions to two queues at once; NVIDIA's driver for Linux hangs of them. */
static void begin_giving(struct device *device) {
  pthread_mutex_lock(&card_lock);
  int is_alone = device->givers++ == 0;
  pthread_mutex_unlock(&card_lock);
  if (!is_alone && profile_wants_turns(&device->profile))
    card_refuses("two threads at once that submit or make pipelines");
}

static void end_giving(struct device *device) {
  pthread_mutex_lock(&card_lock);
  device->givers--;
  pthread_mutex_unlock(&card_lock);
}

VkResult card_QueueSubmit(VkQueue handle, uint32_t count, const VkSubmitInfo *infos, VkFence fence) {
  if (fence) card_refuses("a fence, which the card does not know");
  struct queue *queue = (struct queue *)handle;
  begin_giving(queue->device);
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < count && result == VK_SUCCESS; i++) result = submit(queue, &infos[i]);
  end_giving(queue->device);
  return result;
}

VkResult card_CreateComputePipelines(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                     const VkComputePipelineCreateInfo *infos, const VkAllocationCallbacks *allocator,
                                     VkPipeline *pipelines) {
  struct device *device = device_of(handle);
  begin_giving(device);
  VkResult result = device->CreateComputePipelines(handle, cache, count, infos, allocator, pipelines);
  if (result == VK_SUCCESS) note_pipelines(count, infos, pipelines);
  end_giving(device);
  return result;
}

/* --- Waits --- */

/* Takes what arrives with semaphores that the host has waited for; with NULL, with all. */
static void arrive(const VkSemaphoreWaitInfo *info) {
  struct ranges ranges = {0};
  pthread_mutex_lock(&card_lock);
  for (int k = arrival_count - 1; k >= 0; k--) {
    int is_there = info == NULL;
    for (uint32_t i = 0; info && i < info->semaphoreCount; i++)
      is_there |= arrivals[k].semaphore == info->pSemaphores[i] && arrivals[k].value <= info->pValues[i];
    if (!is_there) continue;
    ranges_add_all(&ranges, &arrivals[k].ranges);
    ranges_empty(&arrivals[k].ranges);
    arrivals[k] = arrivals[--arrival_count];
  }
  pthread_mutex_unlock(&card_lock);
  move_to_host(&ranges);
  ranges_empty(&ranges);
}

void card_DestroySemaphore(VkDevice handle, VkSemaphore semaphore, const VkAllocationCallbacks *allocator) {
  pthread_mutex_lock(&card_lock);
  for (int k = arrival_count - 1; k >= 0; k--)
    if (arrivals[k].semaphore == semaphore) {
      ranges_empty(&arrivals[k].ranges);
      arrivals[k] = arrivals[--arrival_count];
    }
  pthread_mutex_unlock(&card_lock);
  device_of(handle)->DestroySemaphore(handle, semaphore, allocator);
}

static int state_of(const struct device *device) {
  pthread_mutex_lock(&card_lock);
  int state = device->state;
  pthread_mutex_unlock(&card_lock);
  return state;
}

/* The wait of a card that hangs timed out. */
static void note_timeout(const struct device *device, uint64_t nanoseconds) {
  pthread_mutex_lock(&card_lock);
  card_counts.timeouts++;
  pthread_mutex_unlock(&card_lock);
  int file = *device->profile.log ? open(device->profile.log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600) : -1;
  if (file < 0) return;
  dprintf(file, "%ld %llu\n", (long)syscall(SYS_gettid), (unsigned long long)nanoseconds);
  close(file);
}

VkResult card_WaitSemaphores(VkDevice handle, const VkSemaphoreWaitInfo *info, uint64_t nanoseconds) {
  struct device *device = device_of(handle);
  if (info->flags & VK_SEMAPHORE_WAIT_ANY_BIT) card_refuses("a wait for any semaphore, which the card does not know");
  pthread_mutex_lock(&card_lock);
  card_counts.waits++;
  pthread_mutex_unlock(&card_lock);
  uint64_t begin = now();
  for (;;) {
    int state = state_of(device);
    if (state != WORKS) drain(device);
    if (state == LOST) return VK_ERROR_DEVICE_LOST;
    uint64_t limit = state == HANGS ? nanoseconds / device->profile.clock
                     : nanoseconds < UINT64_MAX / SLOWER ? nanoseconds * SLOWER : nanoseconds;
    uint64_t past = now() - begin;
    uint64_t left = limit > past ? limit - past : 0;
    VkResult result = device->WaitSemaphores(handle, info, left < SLICE ? left : SLICE);
    if (result == VK_SUCCESS) arrive(info);
    if (result != VK_TIMEOUT) return result;
    if (left > SLICE) continue;
    if (state == HANGS) note_timeout(device, nanoseconds);
    return VK_TIMEOUT;
  }
}

VkResult card_DeviceWaitIdle(VkDevice handle) {
  struct device *device = device_of(handle);
  /* A card that hangs is never idle again. */
  while (state_of(device) == HANGS) pause();
  drain(device);
  arrive(NULL);
  return state_of(device) == LOST ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

VkResult card_QueueWaitIdle(VkQueue handle) { return card_DeviceWaitIdle(((struct queue *)handle)->device->handle); }

/* --- Clocks --- */

/* The card's clock has its own ticks, and no more bits than it says. */
VkResult card_GetQueryPoolResults(VkDevice handle, VkQueryPool pool, uint32_t first, uint32_t count, size_t bytes,
                                  void *data, VkDeviceSize stride, VkQueryResultFlags flags) {
  struct device *device = device_of(handle);
  VkResult result = device->GetQueryPoolResults(handle, pool, first, count, bytes, data, stride, flags);
  uint32_t bits = device->profile.families[0].timestampValidBits;
  for (uint32_t i = 0; result == VK_SUCCESS && flags & VK_QUERY_RESULT_64_BIT && i < count; i++) {
    uint64_t ticks;
    memcpy(&ticks, (char *)data + i * stride, sizeof ticks);
    ticks /= device->profile.tick;
    if (bits < 64) ticks &= (1ull << bits) - 1;
    memcpy((char *)data + i * stride, &ticks, sizeof ticks);
  }
  return result;
}
