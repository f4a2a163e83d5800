#pragma once
/// What a codec process is locked in with, besides limits.
struct hdr_lockdown {
  /// 1 when a parent's death ends this process.
  int parent_death;
  /// ABI version of Landlock that refuses every file, 0 without it.
  int landlock;
  /// 1 when the filter on system calls is set.
  int seccomp;
  /// Where something is missing: its error number and what it was.
  int error;
  const char *what;
};

/// Bounds of this process that nothing raises again: no core file, few open files, so much address space at most.
/// 0, or the error number.
int hdr_bound_process(unsigned long long most_address_space);
/// When memory runs out, the kernel ends this process before others of the user. 0, or the error number.
int hdr_be_ended_first(void);
/// Ends this process when the thread that started it ends; ends it now if `parent` has ended already.
int hdr_die_with_parent(int parent);
/// Locks this process in, for good: no new privileges, no file by name, no socket, no other process, only the system
/// calls that computing and open descriptors need. Load and start everything before.
struct hdr_lockdown hdr_lock_down(void);

/// Bytes of the largest request for memory that this process could not have; 0 when it got all.
unsigned long long hdr_refused_bytes(void);
void hdr_forget_refused_bytes(void);
/// Also keep that number here, where others can see it when this process is no more.
void hdr_report_refused_bytes(unsigned long long *place);
/// Where the number of a system call that ends this process is kept, plus 1.
void hdr_report_refused_call(unsigned long long *place);
/// Resource use of this process so far: CPU seconds and largest resident bytes.
double hdr_own_cpu_seconds(void);
/// Bytes of address space this process has; from a descriptor opened before the lock-down.
unsigned long long hdr_address_space_bytes(int statm);
