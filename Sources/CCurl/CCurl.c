#if defined(__linux__)

#define _GNU_SOURCE
#include "CCurl.h"

#include "CLoad.h"

#include <errno.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define FUNCTIONS(X)                                                                                                   \
  X(curl_global_init) X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_reset) X(curl_easy_pause)                     \
  X(curl_easy_strerror) X(curl_easy_setopt) X(curl_easy_getinfo) X(curl_slist_append) X(curl_slist_free_all)           \
  X(curl_multi_init) X(curl_multi_cleanup) X(curl_multi_add_handle) X(curl_multi_remove_handle)                        \
  X(curl_multi_socket_action) X(curl_multi_setopt) X(curl_multi_info_read) X(curl_url) X(curl_url_cleanup)             \
  X(curl_url_set) X(curl_url_get) X(curl_free)

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
  failure = cload("libcurl.so.4", "libcurl", functions, sizeof functions / sizeof *functions);
  if (!failure && lib.curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) failure = "libcurl cannot be initialised";
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return failure;
}

CURL *ccurl_easy_init(void) { return lib.curl_easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { lib.curl_easy_cleanup(easy); }
void ccurl_easy_reset(CURL *easy) { lib.curl_easy_reset(easy); }
CURLcode ccurl_easy_pause(CURL *easy, int mask) { return lib.curl_easy_pause(easy, mask); }
const char *ccurl_easy_strerror(CURLcode code) { return lib.curl_easy_strerror(code); }

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return lib.curl_easy_setopt(easy, option, value); }
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return lib.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return lib.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value) {
  return lib.curl_easy_setopt(easy, option, value);
}
CURLcode ccurl_set_data_callback(CURL *easy, CURLoption option, ccurl_data_callback callback) {
  return lib.curl_easy_setopt(easy, option, callback);
}
CURLcode ccurl_set_seek_callback(CURL *easy, ccurl_seek_callback callback) {
  return lib.curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, callback);
}
CURLcode ccurl_set_ready_callback(CURL *easy, ccurl_ready_callback callback, void *context) {
  CURLcode code = lib.curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  return code ? code : lib.curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
  (void)context, (void)purpose;
  return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
CURLcode ccurl_set_close_on_exec(CURL *easy) {
  return lib.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
}
void *ccurl_private(CURL *easy) {
  char *value = NULL;
  lib.curl_easy_getinfo(easy, CURLINFO_PRIVATE, &value);
  return value;
}

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
  return lib.curl_slist_append(list, text);
}
void ccurl_slist_free(struct curl_slist *list) { lib.curl_slist_free_all(list); }

CURLM *ccurl_multi_init(void) { return lib.curl_multi_init(); }
void ccurl_multi_cleanup(CURLM *multi) { lib.curl_multi_cleanup(multi); }
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) { return lib.curl_multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) { return lib.curl_multi_remove_handle(multi, easy); }
CURLMcode ccurl_multi_act(CURLM *multi, curl_socket_t socket, int events) {
  int running;
  return lib.curl_multi_socket_action(multi, socket, events, &running);
}
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return lib.curl_multi_setopt(multi, option, value);
}
CURLMcode ccurl_multi_set_callbacks(CURLM *multi, curl_socket_callback on_socket, curl_multi_timer_callback on_timer,
                                    void *context) {
  lib.curl_multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  lib.curl_multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  CURLMcode code = lib.curl_multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket);
  return code ? code : lib.curl_multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer);
}
CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result) {
  int left;
  CURLMsg *message;
  while ((message = lib.curl_multi_info_read(multi, &left))) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

CURLU *ccurl_url_init(void) { return lib.curl_url(); }
void ccurl_url_cleanup(CURLU *url) { lib.curl_url_cleanup(url); }
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
  return lib.curl_url_set(url, part, text, flags);
}
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  return lib.curl_url_get(url, part, text, flags);
}
void ccurl_free(char *text) { lib.curl_free(text); }

int ccurl_poller_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

int ccurl_poller_watch(int poller, curl_socket_t socket, int what) {
  struct epoll_event event = {.data.fd = socket};
  if (what == CURL_POLL_REMOVE) return epoll_ctl(poller, EPOLL_CTL_DEL, socket, &event);
  if (what & CURL_POLL_IN) event.events |= EPOLLIN;
  if (what & CURL_POLL_OUT) event.events |= EPOLLOUT;
  int result = epoll_ctl(poller, EPOLL_CTL_ADD, socket, &event);
  return result && errno == EEXIST ? epoll_ctl(poller, EPOLL_CTL_MOD, socket, &event) : result;
}

int ccurl_poller_wait(int poller, int milliseconds, ccurl_ready *ready, int capacity) {
  struct epoll_event events[64];
  int count = epoll_wait(poller, events, capacity < 64 ? capacity : 64, milliseconds);
  for (int i = 0; i < count; i++) {
    uint32_t mask = events[i].events;
    ready[i].socket = events[i].data.fd;
    ready[i].events = (mask & EPOLLIN ? CURL_CSELECT_IN : 0) | (mask & EPOLLOUT ? CURL_CSELECT_OUT : 0) |
                      (mask & (EPOLLERR | EPOLLHUP) ? CURL_CSELECT_ERR : 0);
  }
  return count;
}

int ccurl_waker_create(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }
// Edge-triggered: each wake-up is told once, and nobody needs to read the count.
int ccurl_poller_watch_waker(int poller, int waker) {
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.fd = waker};
  return epoll_ctl(poller, EPOLL_CTL_ADD, waker, &event);
}
void ccurl_waker_wake(int waker) {
  uint64_t one = 1;
  ssize_t ignored = write(waker, &one, sizeof one);  // fails only when a wake-up is pending already
  (void)ignored;
}
void ccurl_name_thread(const char *name) { pthread_setname_np(pthread_self(), name); }

static _Thread_local void *thread_context;
void *ccurl_thread_context(void) { return thread_context; }
void ccurl_set_thread_context(void *context) { thread_context = context; }

#else
typedef int ccurl_is_for_linux;
#endif
