// libcurl for Swift: its types, and functions that Swift can call (libcurl's setters are variadic).
//
// libcurl is loaded with dlopen at the first use and not linked: it pulls in 30 libraries (Kerberos, LDAP, SSH …), and
// loading them costs every start of the program 4 ms and 6 MB, also the many that never send a request.
#ifndef CCURL_H
#define CCURL_H

#if defined(__linux__)

#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>

// Loads and initialises libcurl, once. NULL, or why it cannot be used. Everything below needs it to have succeeded.
const char *ccurl_load(void);

typedef size_t (*ccurl_data_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, curl_off_t offset, int origin);
typedef int (*ccurl_ready_callback)(void *context, char *peer, char *local, int peer_port, int local_port);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
void ccurl_easy_reset(CURL *easy);
CURLcode ccurl_easy_pause(CURL *easy, int mask);
const char *ccurl_easy_strerror(CURLcode code);
CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, const void *value);
CURLcode ccurl_set_data_callback(CURL *easy, CURLoption option, ccurl_data_callback callback);
CURLcode ccurl_set_seek_callback(CURL *easy, ccurl_seek_callback callback);
// Called when a connection is there and the request is about to be sent.
CURLcode ccurl_set_ready_callback(CURL *easy, ccurl_ready_callback callback, void *context);
// Makes sockets that child processes do not inherit.
CURLcode ccurl_set_close_on_exec(CURL *easy);
void *ccurl_private(CURL *easy);

struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text);
void ccurl_slist_free(struct curl_slist *list);

CURLM *ccurl_multi_init(void);
void ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_act(CURLM *multi, curl_socket_t socket, int events);
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_set_callbacks(CURLM *multi, curl_socket_callback on_socket, curl_multi_timer_callback on_timer, void *context);
// The next finished transfer and its result, or NULL.
CURL *ccurl_multi_next_done(CURLM *multi, CURLcode *result);

CURLU *ccurl_url_init(void);
void ccurl_url_cleanup(CURLU *url);
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
// The text is to be freed with ccurl_free.
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);
void ccurl_free(char *text);

// A set of sockets to wait for (epoll), and a wake-up call from other threads (eventfd); -1 with errno on failure.
typedef struct {
  int socket;
  int events;  // CURL_CSELECT_*
} ccurl_ready;
int ccurl_poller_create(void);
int ccurl_poller_watch(int poller, curl_socket_t socket, int what);  // CURL_POLL_*
int ccurl_poller_wait(int poller, int milliseconds, ccurl_ready *ready, int capacity);
int ccurl_waker_create(void);
int ccurl_poller_watch_waker(int poller, int waker);
void ccurl_waker_wake(int waker);
void ccurl_name_thread(const char *name);
// A pointer that each thread has for itself; NULL at first.
void *ccurl_thread_context(void);
void ccurl_set_thread_context(void *context);

#endif
#endif
