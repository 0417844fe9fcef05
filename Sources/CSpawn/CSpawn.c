#define _GNU_SOURCE
#include "CSpawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/syscall.h>
#endif
#ifdef __APPLE__
#include <crt_externs.h>
#else
extern char **environ;
#endif

static int configure(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
                     const struct cspawn_request *request) {
  int failure;
  if (request->directory && (failure = posix_spawn_file_actions_addchdir_np(actions, request->directory)))
    return failure;
  if ((failure = posix_spawn_file_actions_adddup2(actions, request->input, 0))) return failure;
  if ((failure = posix_spawn_file_actions_adddup2(actions, request->output, 1))) return failure;
  if ((failure = posix_spawn_file_actions_adddup2(actions, request->error, 2))) return failure;
  // A session brings its own group; asking for both fails.
  short flags = (request->detached ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP) | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
#if defined(__APPLE__)
  flags |= POSIX_SPAWN_CLOEXEC_DEFAULT;
#elif defined(__GLIBC__)
  if ((failure = posix_spawn_file_actions_addclosefrom_np(actions, 3))) return failure;
#else
  // musl has no closefrom action; closing a descriptor that is not open is no error there.
  for (int descriptor = 3; descriptor < 1024; descriptor++) {
    int descriptor_flags = fcntl(descriptor, F_GETFD);
    if (descriptor_flags >= 0 && !(descriptor_flags & FD_CLOEXEC))
      if ((failure = posix_spawn_file_actions_addclose(actions, descriptor))) return failure;
  }
#endif
  sigset_t set;
  sigfillset(&set);
  sigdelset(&set, SIGKILL);
  sigdelset(&set, SIGSTOP);
  if ((failure = posix_spawnattr_setsigdefault(attributes, &set))) return failure;
  sigemptyset(&set);
  if ((failure = posix_spawnattr_setsigmask(attributes, &set))) return failure;
  if ((failure = posix_spawnattr_setpgroup(attributes, 0))) return failure;
  return posix_spawnattr_setflags(attributes, flags);
}

int cspawn_start(const struct cspawn_request *request, pid_t *pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int failure = posix_spawn_file_actions_init(&actions);
  if (failure) return failure;
  failure = posix_spawnattr_init(&attributes);
  if (!failure) {
    failure = configure(&actions, &attributes, request);
    if (!failure)
      failure = posix_spawn(pid, request->path, &actions, &attributes, request->arguments, request->environment);
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return failure;
}

// Moves a descriptor out of the range of the standard streams, which a program may have closed.
static int lift(int *descriptor) {
  if (*descriptor > 2) return 0;
  int lifted = fcntl(*descriptor, F_DUPFD_CLOEXEC, 3);
  if (lifted < 0) return errno;
  close(*descriptor);
  *descriptor = lifted;
  return 0;
}

int cspawn_pipe(int ends[2]) {
#ifdef __linux__
  if (pipe2(ends, O_CLOEXEC) < 0) return errno;
#else
  if (pipe(ends) < 0) return errno;
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
#endif
  int failure = lift(&ends[0]);
  if (!failure) failure = lift(&ends[1]);
  if (failure) {
    close(ends[0]);
    close(ends[1]);
    return failure;
  }
#ifdef F_SETNOSIGPIPE
  fcntl(ends[1], F_SETNOSIGPIPE, 1);
#endif
  return 0;
}

int cspawn_null(void) {
  int descriptor = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (descriptor < 0) return -errno;
  int failure = lift(&descriptor);
  if (!failure) return descriptor;
  close(descriptor);
  return -failure;
}

int cspawn_pidfd(pid_t pid) {
#if defined(__linux__) && defined(SYS_pidfd_open)
  int descriptor = (int)syscall(SYS_pidfd_open, pid, 0);
  return descriptor < 0 ? -errno : descriptor;
#else
  (void)pid;
  return -ENOSYS;
#endif
}

int cspawn_pidfd_signal(int pidfd, int signal) {
#if defined(__linux__) && defined(SYS_pidfd_send_signal)
  return syscall(SYS_pidfd_send_signal, pidfd, signal, NULL, 0) < 0 ? errno : 0;
#else
  (void)pidfd;
  (void)signal;
  return ENOSYS;
#endif
}

int cspawn_status(pid_t pid, int wait, int reap, int *status) {
  siginfo_t info;
  int result;
  do {
    memset(&info, 0, sizeof info);
    result = waitid(P_PID, (id_t)pid, &info, WEXITED | (wait ? 0 : WNOHANG) | (reap ? 0 : WNOWAIT));
  } while (result < 0 && errno == EINTR);
  if (result < 0) return -errno;
  if (info.si_pid == 0) return 2;
  if (info.si_code == CLD_EXITED) {
    *status = info.si_status;
    return 1;
  }
  *status = -info.si_status;
  return 0;
}

void cspawn_reap_group(pid_t group) {
  int status;
  while (waitpid(-group, &status, WNOHANG) > 0) {
  }
}

int cspawn_contains(const void *bytes, size_t count, const char *text) {
  return memmem(bytes, count, text, strlen(text)) != NULL;
}

char **cspawn_environment(void) {
#ifdef __APPLE__
  return *_NSGetEnviron();
#else
  return environ;
#endif
}

void cspawn_block_signals(void) {
  sigset_t set;
  sigfillset(&set);
  // Faults of this thread must still reach whoever reports crashes.
  sigdelset(&set, SIGSEGV);
  sigdelset(&set, SIGBUS);
  sigdelset(&set, SIGILL);
  sigdelset(&set, SIGFPE);
  sigdelset(&set, SIGTRAP);
  sigdelset(&set, SIGABRT);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
}
