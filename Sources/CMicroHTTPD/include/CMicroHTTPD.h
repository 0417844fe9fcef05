// libmicrohttpd for Swift: its types, and functions that Swift can call (starting a daemon is variadic).
//
// Loaded with dlopen when a server starts, and not linked: with the TLS library that it pulls in, loading it costs every
// start of the program 2 ms.
#ifndef CMICROHTTPD_H
#define CMICROHTTPD_H

#if defined(__linux__)

#include <microhttpd.h>
#include <stddef.h>
#include <stdint.h>

// The constants that callbacks need, under names that Swift imports.
static const enum MHD_Result cmhd_yes = MHD_YES, cmhd_no = MHD_NO;
static const enum MHD_ConnectionNotificationCode cmhd_connection_started = MHD_CONNECTION_NOTIFY_STARTED;

// Loads libmicrohttpd, once. NULL, or why it cannot be used.
const char *cmhd_load(void);

// A listening socket, or -1 with errno. Port 0 takes a free one; `bound` gets the port taken.
int cmhd_listen(const char *address, uint16_t port, int backlog, uint16_t *bound);

typedef struct {
  MHD_AccessHandlerCallback handle;
  // Gets the raw request target; returns the context of the exchange.
  void *(*begin)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_RequestCompletedCallback end;
  MHD_NotifyConnectionCallback connection;
  void *context;
} cmhd_callbacks;

// Serves on a thread of its own. NULL on failure; the socket is then still the caller's.
struct MHD_Daemon *cmhd_start(int listener, cmhd_callbacks callbacks, unsigned connection_limit, size_t head_limit,
                              unsigned idle_seconds);
// Stops accepting and closes the listener.
void cmhd_quiesce(struct MHD_Daemon *daemon);
// Blocks until all connections are closed. None may be suspended.
void cmhd_stop(struct MHD_Daemon *daemon);

void cmhd_suspend(struct MHD_Connection *connection);
void cmhd_resume(struct MHD_Connection *connection);
int cmhd_descriptor(struct MHD_Connection *connection);
void *cmhd_socket_context(struct MHD_Connection *connection);
void cmhd_each_header(struct MHD_Connection *connection, MHD_KeyValueIterator body, void *context);

struct MHD_Response *cmhd_bytes_response(const void *bytes, size_t count);
// `size` -1: unknown.
struct MHD_Response *cmhd_stream_response(int64_t size, size_t block, MHD_ContentReaderCallback read, void *context,
                                          MHD_ContentReaderFreeCallback release);
int cmhd_add_header(struct MHD_Response *response, const char *name, const char *value);
// Gives the response to the connection and releases it.
enum MHD_Result cmhd_respond(struct MHD_Connection *connection, unsigned status, struct MHD_Response *response);

// Tells about sockets whose peer has closed, while libmicrohttpd does not look (epoll); -1 with errno on failure.
int cmhd_watcher_create(void);
int cmhd_watcher_add(int watcher, int descriptor, uint64_t token);
void cmhd_watcher_remove(int watcher, int descriptor);
// Waits. The number of tokens, 0 for none.
int cmhd_watcher_wait(int watcher, uint64_t *tokens, int capacity, int milliseconds);
/// Ends a connection under its owner, who notices and closes it.
void cmhd_shut_down(int descriptor);
// Makes a wait return, with token 0.
int cmhd_watcher_add_waker(int watcher);
void cmhd_wake(int waker);

#endif
#endif
