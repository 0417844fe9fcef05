#if defined(__linux__)

#define _GNU_SOURCE
#include "CMicroHTTPD.h"

#include "CLoad.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define FUNCTIONS(X)                                                                                                   \
  X(MHD_start_daemon) X(MHD_quiesce_daemon) X(MHD_stop_daemon) X(MHD_suspend_connection) X(MHD_resume_connection)      \
  X(MHD_get_connection_info) X(MHD_get_connection_values) X(MHD_create_response_from_buffer)                           \
  X(MHD_create_response_from_callback) X(MHD_add_response_header) X(MHD_queue_response) X(MHD_destroy_response)

static struct {
#define MEMBER(name) __typeof__(name) *name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static void load(void) {
#define FUNCTION(name) {#name, (void **)&lib.name},
  static const cload_function functions[] = {FUNCTIONS(FUNCTION)};
#undef FUNCTION
  failure = cload("libmicrohttpd.so.12", "libmicrohttpd", functions, sizeof functions / sizeof *functions);
}

const char *cmhd_load(void) {
  pthread_once(&once, load);
  return failure;
}

int cmhd_listen(const char *address, uint16_t port, int backlog, uint16_t *bound) {
  char service[8];
  snprintf(service, sizeof service, "%u", port);
  struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV}, *found = NULL;
  if (getaddrinfo(address, service, &hints, &found) || !found) {
    errno = EADDRNOTAVAIL;
    return -1;
  }
  int one = 1, reason = 0;
  int listener = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  struct sockaddr_storage name;
  socklen_t length = sizeof name;
  // A port whose last connections are still fading away may be taken again at once.
  if (listener < 0 || setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one) ||
      bind(listener, found->ai_addr, found->ai_addrlen) || listen(listener, backlog) ||
      getsockname(listener, (struct sockaddr *)&name, &length))
    reason = errno;
  freeaddrinfo(found);
  if (reason) {
    if (listener >= 0) close(listener);
    errno = reason;
    return -1;
  }
  *bound = ntohs(name.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&name)->sin6_port
                                            : ((struct sockaddr_in *)&name)->sin_port);
  return listener;
}

struct MHD_Daemon *cmhd_start(int listener, cmhd_callbacks callbacks, unsigned connection_limit, size_t head_limit,
                              unsigned idle_seconds) {
  return lib.MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, callbacks.handle, callbacks.context,
      MHD_OPTION_LISTEN_SOCKET, listener, MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, head_limit, MHD_OPTION_CONNECTION_TIMEOUT, idle_seconds,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, callbacks.begin, callbacks.context,
      MHD_OPTION_NOTIFY_COMPLETED, callbacks.end, callbacks.context, MHD_OPTION_NOTIFY_CONNECTION,
      callbacks.connection, callbacks.context, MHD_OPTION_END);
}
void cmhd_quiesce(struct MHD_Daemon *daemon) {
  int listener = lib.MHD_quiesce_daemon(daemon);
  if (listener >= 0) close(listener);
}
void cmhd_stop(struct MHD_Daemon *daemon) { lib.MHD_stop_daemon(daemon); }

void cmhd_suspend(struct MHD_Connection *connection) { lib.MHD_suspend_connection(connection); }
void cmhd_resume(struct MHD_Connection *connection) { lib.MHD_resume_connection(connection); }
int cmhd_descriptor(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = lib.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}
void *cmhd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info = lib.MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info ? info->socket_context : NULL;
}
void cmhd_each_header(struct MHD_Connection *connection, MHD_KeyValueIterator body, void *context) {
  lib.MHD_get_connection_values(connection, MHD_HEADER_KIND, body, context);
}

struct MHD_Response *cmhd_bytes_response(const void *bytes, size_t count) {
  return lib.MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}
struct MHD_Response *cmhd_stream_response(int64_t size, size_t block, MHD_ContentReaderCallback read, void *context,
                                          MHD_ContentReaderFreeCallback release) {
  return lib.MHD_create_response_from_callback(size < 0 ? MHD_SIZE_UNKNOWN : (uint64_t)size, block, read, context,
                                               release);
}
int cmhd_add_header(struct MHD_Response *response, const char *name, const char *value) {
  return lib.MHD_add_response_header(response, name, value) == MHD_YES;
}
enum MHD_Result cmhd_respond(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response) {
  enum MHD_Result result = lib.MHD_queue_response(connection, status, response);
  lib.MHD_destroy_response(response);
  return result;
}

int cmhd_watcher_create(void) { return epoll_create1(EPOLL_CLOEXEC); }
int cmhd_watcher_add(int watcher, int descriptor, uint64_t token) {
  struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.u64 = token};
  return epoll_ctl(watcher, EPOLL_CTL_ADD, descriptor, &event);
}
void cmhd_watcher_remove(int watcher, int descriptor) {
  struct epoll_event event = {0};
  epoll_ctl(watcher, EPOLL_CTL_DEL, descriptor, &event);
}
int cmhd_watcher_wait(int watcher, uint64_t *tokens, int capacity, int milliseconds) {
  struct epoll_event events[64];
  int count = epoll_wait(watcher, events, capacity < 64 ? capacity : 64, milliseconds);
  for (int i = 0; i < count; i++) tokens[i] = events[i].data.u64;
  return count < 0 ? 0 : count;
}
int cmhd_watcher_add_waker(int watcher) {
  int waker = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = 0};
  if (waker < 0 || epoll_ctl(watcher, EPOLL_CTL_ADD, waker, &event)) return -1;
  return waker;
}
void cmhd_shut_down(int descriptor) { shutdown(descriptor, SHUT_RDWR); }
void cmhd_wake(int waker) {
  uint64_t one = 1;
  ssize_t ignored = write(waker, &one, sizeof one);
  (void)ignored;
}

#else
typedef int cmhd_is_for_linux;
#endif
