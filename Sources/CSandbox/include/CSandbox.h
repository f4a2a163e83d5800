#pragma once
/// The sandbox of a codec process, besides limits.
struct hdr_lockdown {
  /// 1 when a parent's death ends this process.
  int parent_death;
  /// The ABI version of Landlock, which refuses every file; 0 without it.
  int landlock;
  /// 1 when the filter on system calls is set.
  int seccomp;
  /// The error number and the name of the step that failed; 0 if none did.
  int error;
  const char *what;
};

/// Sets limits of this process that cannot be raised again: no core file, few open files, at most `most_address_space`
/// bytes of address space. 0, or the error number.
int hdr_bound_process(unsigned long long most_address_space);
/// Makes the kernel end this process before the user's others when memory runs out. 0, or the error number.
int hdr_be_ended_first(void);
/// Ends this process when the thread that started it ends; ends it now if `parent` has ended already.
int hdr_die_with_parent(int parent);
/// Locks this process in, which cannot be undone: no new privileges, no file by name, no socket, no other process, only
/// the system calls for computing and open descriptors. All libraries and threads must be started before.
struct hdr_lockdown hdr_lock_down(void);

/// A program of others, which runs in the place of this process.
struct hdr_program {
  /// The open file of the program, and its arguments and environment, which end with NULL.
  int file;
  char *const *arguments, *const *environment;
  /// Open files that it may open again, as /dev/fd/N: two for reading, one for reading and writing; -1: none.
  int input, second_input, output;
  /// Further folders of its libraries, with colons between; NULL: none.
  const char *libraries;
  /// 1: it is locked in; 0: it has the limits of this process alone.
  int is_locked;
  /// 1: it decodes on the machine's graphics: it opens their devices, and what their drivers read of the machine.
  int uses_devices;
};
/// Locks this process in and becomes the program: it can read its libraries, those files, and what the machine's
/// processors are; it opens nothing else, no socket, and starts threads but no process. Returns only if a step failed:
/// its error number, with its name in `what`.
int hdr_become(const struct hdr_program *program, const char **what);

/// Returns the bytes of the largest request for memory that was refused; 0 if none was.
unsigned long long hdr_refused_bytes(void);
void hdr_forget_refused_bytes(void);
/// Also stores that number at `place`, where other processes can read it after this one has ended.
void hdr_report_refused_bytes(unsigned long long *place);
/// Stores at `place` the number, plus 1, of a system call that ends this process.
void hdr_report_refused_call(unsigned long long *place);
/// Returns the CPU seconds of this process so far.
double hdr_own_cpu_seconds(void);
/// Returns the bytes of address space of this process, from a descriptor of /proc/self/statm opened before the
/// lock-down.
unsigned long long hdr_address_space_bytes(int statm);
