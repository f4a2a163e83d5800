#pragma once
#include <sys/uio.h>
/// Returns an argument of this program, its name first; NULL after the last one. The C library keeps them, so /proc,
/// where Swift reads them, need not be mounted.
const char *hdr_argument(int index);
/// Returns the path of this program as given to execve(2); NULL if the kernel does not provide it.
const char *hdr_executed_file(void);
/// Returns 1 if this machine runs x86-64-v3 code (AVX2, BMI2, F16C, FMA); else 0.
int hdr_cpu_supports_v3(void);
/// Return the CPU seconds (user + system) of the calling thread, and of the whole process.
double hdr_thread_cpu_seconds(void);
double hdr_process_cpu_seconds(void);
/// Keeps freed memory for the next item, as giving it back costs a page fault for every 4 KiB: blocks below
/// `largest_block` bytes, up to `idle_bytes` of each arena. libc's own limits follow the largest block so far, so that
/// 1 MiB was given back after each small file. `arenas` is the largest number of arenas, each of which takes address
/// space; 0: libc's choice.
void hdr_keep_memory(int largest_block, int idle_bytes, int arenas);
/// Returns the number of processors that this process may run on (its affinity mask), at least 1.
int hdr_allotted_processors(void);
/// Returns the limit of this process's address space in bytes (RLIMIT_AS); all ones without a limit.
unsigned long long hdr_address_space_limit(void);
/// Returns the number of files that this process may have open (RLIMIT_NOFILE); all ones without a limit.
unsigned long long hdr_open_files_limit(void);
/// Raises the number of files that this process may have open to the most that it may set.
void hdr_raise_open_files(void);
/// Returns the largest resident size of this process so far, in bytes.
unsigned long long hdr_peak_resident_bytes(void);
/// The value of O_PATH, which no header defines without _GNU_SOURCE.
static const int hdr_path_only = 010000000;
/// Renames a file within an open folder; `replaces` allows to overwrite a file. 0, or the error number (EEXIST if the
/// name is taken).
int hdr_rename(int folder, const char *from, const char *to, int replaces);
/// Opens a relative path without symbolic links and "..", as openat(2) does. Returns a descriptor, or -1 with errno:
/// ELOOP for a link, EXDEV for a path that leads out of the folder.
int hdr_open_beneath(int folder, const char *path, int flags);
/// Does the same as `hdr_open_beneath` for kernels without openat2(2), one folder after another.
int hdr_walk_beneath(int folder, const char *path, int flags);
/// Calls syncfs(2). 0, or -1 with errno.
int hdr_syncfs(int descriptor);
/// Names the calling thread for debuggers; the kernel keeps 15 bytes.
void hdr_name_thread(const char *name);

/// Makes shared memory without a name, which no process can make smaller. -1 with errno on failure.
int hdr_sealed_memory(const char *name, unsigned long long bytes);
/// Makes memory without a name that is written like a file; `may_be_sealed` allows to seal it. -1 with errno on
/// failure.
int hdr_plain_memory(const char *name, int may_be_sealed);
/// Seals such memory: no process can write to it any more. 0, or -1 with errno.
int hdr_seal_memory(int memory);
/// Gives back the pages of a range of such memory, which then reads as zeros. 0, or the error number.
int hdr_forget_memory(int memory, unsigned long long offset, unsigned long long bytes);
/// Makes the first pages of such memory, which keeps its size. 0, or the error number.
int hdr_make_pages(int memory, unsigned long long bytes);

/// Starts a program with only the given environment and descriptors: number I of the program is `descriptors[I]`, or
/// /dev/null where that is -1; at most 8. The program gets its own group and default signals. The thread that starts it
/// lives as long as this process, because PR_SET_PDEATHSIG acts at that thread's end. 0, or the error number, with the
/// failed step in `failed`, NULL for the program itself.
int hdr_spawn_codec(const char *path, char *const arguments[], char *const environment[], const int *descriptors,
                    int descriptor_count, int *pid, const char **failed);

/// Makes a pipe whose ends, for reading and for writing, are closed on exec. It holds `bytes` where the system lets it: fewer
/// changes between processes that pass pictures on. 0, or the error number.
int hdr_pipe(int ends[2], int bytes);
/// Makes a pipe hold so many bytes, unless it holds more or the user has no more to give. What is no pipe stays.
void hdr_widen_pipe(int descriptor, int bytes);
/// Moves bytes from one descriptor to another without reading them; one of them is a pipe. The number of bytes, 0 at the
/// end of the stream, or the negative error number: EAGAIN where, without `waits`, a pipe is empty or full.
long hdr_move_pages(int from, int to, unsigned long bytes, int waits);
/// Waits until a descriptor can be read from or, with `writes`, written to. 0, or the error number: ETIMEDOUT.
int hdr_wait_for(int descriptor, int writes, double seconds);
/// Makes reading and writing return EAGAIN instead of waiting. 0, or the error number.
int hdr_never_block(int descriptor);
/// Makes the two ends of a stream, which are closed on exec. 0, or the error number.
int hdr_socket_pair(int ends[2]);
/// Writes all pieces in order, with the descriptors in the first write. `seconds` is the timeout; 0: none. 0, or the
/// error number, which may be ETIMEDOUT. Changes `pieces`.
int hdr_send(int socket, struct iovec *pieces, int piece_count, const int *descriptors, int descriptor_count,
             double seconds);
/// Reads exactly `count` bytes. Received descriptors are kept up to `capacity`, the others are closed; with capacity 0
/// the kernel drops them all. 0; -1 for an end of the stream; else the error number.
int hdr_receive(int socket, void *bytes, unsigned long count, int *descriptors, int capacity, int *descriptor_count,
                double seconds);

/// Sets the soft limits of another process: address space in bytes, CPU time in seconds, bytes of a file. Hard limits
/// are not changed.
int hdr_limit_process(int pid, unsigned long long address_space, unsigned long long cpu_seconds,
                      unsigned long long file_bytes);
/// Sets such limits and reads them back, with those that a process has set for itself. 0, or the error number; ENOTSUP
/// if the system accepts limits but does not keep them.
int hdr_check_limits(int pid, unsigned long long address_space, unsigned long long cpu_seconds,
                     unsigned long long file_bytes);
/// The restrictions of a process as the kernel reports them: `Seccomp` (2: filtered), `NoNewPrivs`, `CapEff`.
struct hdr_locks {
  int seccomp, no_new_privileges;
  unsigned long long capabilities;
};
/// Reads them from /proc/PID/status. 0, or the error number; ENODATA if the kernel does not report them.
int hdr_locks_of(int pid, struct hdr_locks *locks);
/// Returns the CPU seconds (user + system) that a process has used; 0 when it has ended.
double hdr_cpu_seconds_of(int pid);
/// Returns the bytes of address space that a process has; 0 when it has ended.
unsigned long long hdr_address_space_of(int pid);
/// Returns the private resident bytes of a process, and in `all` all resident bytes; 0 when it has ended.
unsigned long long hdr_private_bytes_of(int pid, unsigned long long *all);
/// Waits for the end of a child, for at most `seconds`. 1 if it has ended, with `exit_code` (-1 after a signal),
/// `signal`, its CPU time and largest resident size; 0 if it still runs.
int hdr_wait_child(int pid, double seconds, int *exit_code, int *signal, double *cpu_seconds,
                   unsigned long long *peak_bytes);
