"""What stands between a client and a server, for tests: an end of TLS, or a proxy. Standard library only.

  relay.py tls CERTIFICATE KEY PORT   TLS on a free port; what comes goes on to PORT of this machine in the clear
  relay.py proxy                      an HTTP proxy on a free port, for CONNECT and for absolute addresses

Prints its port on the first line; the proxy then prints the first line of each request that it gets.
"""

import socket
import ssl
import sys
import threading


def pump(source, sink):
    try:
        while chunk := source.recv(65536):
            sink.sendall(chunk)
    except OSError:
        pass
    for one in (source, sink):
        try:
            one.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def join(client, server):
    back = threading.Thread(target=pump, args=(server, client), daemon=True)
    back.start()
    pump(client, server)
    back.join()
    client.close()
    server.close()


def tls(client, context, port):
    try:
        client = context.wrap_socket(client, server_side=True)
    except OSError:
        client.close()
        return
    join(client, socket.create_connection(("127.0.0.1", port)))


def proxy(client):
    head = b""
    while b"\r\n\r\n" not in head:
        chunk = client.recv(65536)
        if not chunk:
            client.close()
            return
        head += chunk
    method, target, version = head.split(b"\r\n", 1)[0].decode().split(" ")
    print(method, target, flush=True)
    place = target if method == "CONNECT" else target.split("/")[2]
    host, _, port = place.rpartition(":")
    server = socket.create_connection((host, int(port)))
    if method == "CONNECT":
        client.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
    else:
        # As a proxy should: the path alone (RFC 9112, 3.2.1).
        server.sendall(head.replace(b" http://" + place.encode(), b" ", 1))
    join(client, server)


def main():
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    if sys.argv[1] == "tls":
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[2], sys.argv[3])
        serve, rest = tls, (context, int(sys.argv[4]))
    else:
        serve, rest = proxy, ()
    print(listener.getsockname()[1], flush=True)
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client, *rest), daemon=True).start()


main()
