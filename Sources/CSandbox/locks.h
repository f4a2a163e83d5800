#pragma once
/* The locks that a codec process (lockdown.c) and a program in its place (program.c) share. */

/* Drops all capabilities. 0, or the error number. */
int hdr_drop_capabilities(void);
/* Makes a ruleset that handles all rights of the kernel's version, which it stores. A descriptor, or -1 with errno. */
int hdr_file_rules(int *version);
/* Sets a ruleset and closes it: what has no rule is refused. 0, or the error number. */
int hdr_lock_files(int ruleset);
/* Sets the filter on system calls, of a codec process (0), of a program that will start in it (1), or of one that speaks
   with devices (2). 0, or the error number. */
int hdr_lock_calls(int is_for_program);
