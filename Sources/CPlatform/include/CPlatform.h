#pragma once
#include <sys/uio.h>
/// What this program was started with, its name first; NULL from the last one on. The C library keeps it: /proc, where
/// Swift looks, need not be mounted.
const char *hdr_argument(int index);
/// The path by which this program was executed, as execve(2) was told it; NULL where the kernel does not say.
const char *hdr_executed_file(void);
/// 1 when this machine runs x86-64-v3 code (AVX2, BMI2, F16C, FMA); 0 elsewhere.
int hdr_cpu_supports_v3(void);
/// CPU seconds (user + system) of the calling thread and of the whole process.
double hdr_thread_cpu_seconds(void);
double hdr_process_cpu_seconds(void);
/// Memory that was freed is used again for the next item instead of given back and taken anew, which costs a page fault for
/// every 4 KiB: blocks below `largest_block` bytes, up to `idle_bytes` of each arena. libc's own bounds follow the largest
/// block it saw: 1 MiB went back after each small file. At most `arenas`, each of which takes address space; 0: libc's choice.
void hdr_keep_memory(int largest_block, int idle_bytes, int arenas);
/// Processors that this process may run on (its affinity mask), at least 1.
int hdr_allotted_processors(void);
/// Bytes of addresses that this process may have (RLIMIT_AS); all ones without a limit.
unsigned long long hdr_address_space_limit(void);
/// Largest resident size of this process so far, in bytes.
unsigned long long hdr_peak_resident_bytes(void);
/// O_PATH, which is in no header without _GNU_SOURCE.
static const int hdr_path_only = 010000000;
/// Renames within an open folder, with `replaces` over what is there. 0, or the error number (EEXIST when taken).
int hdr_rename(int folder, const char *from, const char *to, int replaces);
/// openat(2) of a relative path that goes through no symbolic link and no "..": a descriptor, or -1 with errno: ELOOP for
/// a link, EXDEV for a path that leads out.
int hdr_open_beneath(int folder, const char *path, int flags);
/// The same for kernels without openat2(2): one folder after another.
int hdr_walk_beneath(int folder, const char *path, int flags);
/// syncfs(2): 0, or -1 with errno.
int hdr_syncfs(int descriptor);
/// Names the calling thread for debuggers; the kernel keeps 15 bytes.
void hdr_name_thread(const char *name);

/// Shared memory without a name: nobody can make it smaller. -1 and errno on failure.
int hdr_sealed_memory(const char *name, unsigned long long bytes);
/// Memory without a name that its owners may write to like a file, until it is sealed where it may be. -1 and errno on
/// failure.
int hdr_plain_memory(const char *name, int may_be_sealed);
/// Nobody can write to such memory any more. 0, or -1 and errno.
int hdr_seal_memory(int memory);
/// Gives the pages of a range of it back; reads as zeros afterwards. 0, or the error number.
int hdr_forget_memory(int memory, unsigned long long offset, unsigned long long bytes);

/// Starts a program with nothing but the given environment, no standard input or output, `socket` as descriptor 3,
/// `memory` as 4 and `errors` as standard error (-1: none). It gets a group and default signals of its own, and is
/// started by a thread that lives as long as this process: PR_SET_PDEATHSIG tells of that thread's end. 0, or the error
/// number, and `failed`: what it is about, NULL for the program itself.
int hdr_spawn_codec(const char *path, char *const arguments[], char *const environment[], int socket, int memory,
                    int errors, int *pid, const char **failed);

/// Two ends of a stream that are closed on exec. 0, or the error number.
int hdr_socket_pair(int ends[2]);
/// Writes all pieces, one after the other, descriptors with the first of them; 0 seconds: however long it takes. 0, or the
/// error number, ETIMEDOUT among them. Counts the pieces down.
int hdr_send(int socket, struct iovec *pieces, int piece_count, const int *descriptors, int descriptor_count,
             double seconds);
/// Reads exactly `count` bytes. Descriptors that come along are counted up to `capacity`, more are closed; with
/// capacity 0 the kernel drops them all. 0; -1 for an end of the stream; else the error number.
int hdr_receive(int socket, void *bytes, unsigned long count, int *descriptors, int capacity, int *descriptor_count,
                double seconds);

/// Bounds of another process: soft limits, hard ones stay. Address space in bytes, CPU time in seconds, bytes of a
/// file.
int hdr_limit_process(int pid, unsigned long long address_space, unsigned long long cpu_seconds,
                      unsigned long long file_bytes);
/// Sets such bounds and reads them back, with those that a process has set for itself. 0, or the error number; ENOTSUP
/// where the system takes limits and does not keep them.
int hdr_check_limits(int pid, unsigned long long address_space, unsigned long long cpu_seconds,
                     unsigned long long file_bytes);
/// What the kernel says of a process: `Seccomp` (2: filtered), `NoNewPrivs`, `CapEff`.
struct hdr_locks {
  int seccomp, no_new_privileges;
  unsigned long long capabilities;
};
/// Reads them from /proc/PID/status. 0, or the error number; ENODATA where the kernel does not say.
int hdr_locks_of(int pid, struct hdr_locks *locks);
/// CPU seconds (user + system) that a process has used; 0 when it has ended.
double hdr_cpu_seconds_of(int pid);
/// Bytes of address space that a process has; 0 when it has ended.
unsigned long long hdr_address_space_of(int pid);
/// Private resident bytes of a process, and all resident bytes; 0 when it has ended.
unsigned long long hdr_private_bytes_of(int pid, unsigned long long *all);
/// Waits for the end of a child, at most so long. 1 when it ended: `exit_code` (-1 after a signal), `signal`, its CPU
/// time and largest resident size; 0 when it still runs.
int hdr_wait_child(int pid, double seconds, int *exit_code, int *signal, double *cpu_seconds,
                   unsigned long long *peak_bytes);
