// The few system calls of child processes that Swift cannot express by itself. Errors are errno values.
#ifndef CSPAWN_H
#define CSPAWN_H

#include <sys/types.h>

struct cspawn_request {
  const char *path;  // absolute
  char *const *arguments;
  char *const *environment;
  const char *directory;  // NULL: the caller's
  int input, output, error;  // descriptors that become 0, 1 and 2; each at least 3
  int detached;  // not 0: the process leads a session of its own, which ends with no terminal and no group of ours
};

// Starts a process as leader of its own group or session, with default signals, an empty signal mask and no descriptor above 2.
// Returns 0 and sets *pid, or an errno.
int cspawn_start(const struct cspawn_request *request, pid_t *pid);

// A pipe of which no end survives exec and no end is a standard stream. Returns 0 or an errno.
int cspawn_pipe(int ends[2]);

// /dev/null for reading and writing, close-on-exec. Returns the descriptor, or minus an errno.
int cspawn_null(void);

// A descriptor that polls readable when the process has ended, or minus an errno (always on Apple systems).
int cspawn_pidfd(pid_t pid);

// Looks whether a child has ended. Returns 1 and its code, or 0 and the negated signal number, in *status when it has;
// returns 2 while it runs, minus an errno on failure. A child that has ended stays a zombie unless `reap` is set.
// With `wait` set it blocks until the child ends.
int cspawn_status(pid_t pid, int wait, int reap, int *status);

// Reaps whatever members of the group are children of this process (as they are for process 1 and for subreapers).
void cspawn_reap_group(pid_t group);

// Sends a signal through a pidfd. Returns 0 or an errno.
int cspawn_pidfd_signal(int pidfd, int signal);

// Whether bytes hold a text.
int cspawn_contains(const void *bytes, size_t count, const char *text);

// The environment of this process.
char **cspawn_environment(void);

// Blocks every signal in the calling thread, so that no handler of the program runs on it and SIGPIPE becomes EPIPE.
void cspawn_block_signals(void);

#endif
