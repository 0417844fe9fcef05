"""Checks every message of a server, or of a client, against the protocol's schemas, as the package mcp_types has them.

Usage: mcp_wire_schema.py server URL | mcp_wire_schema.py client PROGRAM

`server` makes all requests that the fixture's server answers, in each revision over HTTP. `client` is a server itself and
lets the fixture's client play its scenarios. Prints one JSON object: how many messages were checked, and what is wrong.
"""

import http.client
import http.server
import json
import os
import subprocess
import sys
import threading
from urllib.parse import urlsplit

from mcp_types import methods
from mcp_types.jsonrpc import jsonrpc_message_adapter

LEGACY = ["2025-03-26", "2025-06-18", "2025-11-25"]
MODERN = "2026-07-28"
checked = 0
wrong = []


def check(what, message, version, method=None):
    """Checks a message; `method` is that of the request which a result answers."""
    global checked
    checked += 1
    try:
        jsonrpc_message_adapter.validate_python(message, by_name=False)
        side, other = ("server", "client") if what == "server" else ("client", "server")
        if "method" in message:
            method, params = message["method"], message.get("params")
            if method.startswith(("tasks/", "notifications/tasks")):
                return
            if side == "client":
                kind = methods.validate_client_request if "id" in message else methods.validate_client_notification
            else:
                kind = methods.parse_server_request if "id" in message else methods.parse_server_notification
            kind(method, version, params)
        elif "result" in message:
            if method is None or method.startswith("tasks/") or message["result"].get("resultType") == "task":
                return
            getattr(methods, f"validate_{side}_result")(method, version, message["result"])
    except Exception as error:
        wrong.append([what, version, message.get("method") or method, f"{type(error).__name__}: {error}"[:400]])


# A client that reads everything a server says.


class Peer:
    answers = {
        "elicitation/create": {"action": "accept", "content": {"name": "Ada", "response": "yes"}},
        "sampling/createMessage": {
            "role": "assistant", "content": {"type": "text", "text": "Paris"}, "model": "m", "stopReason": "endTurn"
        },
        "roots/list": {"roots": [{"uri": "file:///work"}]},
    }

    def __init__(self, url, version):
        self.url, self.version, self.session, self.last = urlsplit(url), version, None, 0

    def post(self, message):
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        if self.version == MODERN:
            params = message.get("params", {})
            headers |= {"MCP-Protocol-Version": MODERN, "Mcp-Method": message["method"]}
            name = params.get("name") or params.get("uri") or params.get("taskId")
            if name:
                headers["Mcp-Name"] = name
        elif self.session:
            headers |= {"Mcp-Session-Id": self.session, "MCP-Protocol-Version": self.version}
        connection = http.client.HTTPConnection(self.url.hostname, self.url.port, timeout=120)
        connection.request("POST", self.url.path, json.dumps(message), headers)
        return connection.getresponse()

    def ask(self, method, params=None, capabilities=None):
        params = dict(params or {})
        if self.version == MODERN:
            own = capabilities if capabilities is not None else {"elicitation": {}, "sampling": {}, "roots": {}}
            meta = {
                "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": own,
                "io.modelcontextprotocol/clientInfo": {"name": "peer", "version": "1"},
                "io.modelcontextprotocol/logLevel": "debug",
            }
            params["_meta"] = meta | params.get("_meta", {})
        self.last += 1
        request = {"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}
        response = self.post(request)
        self.session = response.headers.get("Mcp-Session-Id") or self.session
        if response.headers.get("Content-Type", "").startswith("application/json"):
            message = json.loads(response.read())
            check("server", message, self.version, method)
            return message
        data = b""
        while line := response.readline():
            line = line.rstrip(b"\r\n")
            if line.startswith(b"data:"):
                data += line[5:].strip()
            elif not line and data:
                message, data = json.loads(data), b""
                check("server", message, self.version, method)
                if "method" in message and "id" in message:
                    answer = {"jsonrpc": "2.0", "id": message["id"], "result": self.answers[message["method"]]}
                    self.post(answer).read()
                elif message.get("id") == request["id"]:
                    response.close()
                    return message
        return {}

    def rounds(self, method, params):
        """Makes a request again with what it asks for."""
        more = {}
        for _ in range(4):
            result = self.ask(method, params | more).get("result", {})
            if result.get("resultType") != "input_required":
                return
            more = {
                "inputResponses": {
                    key: self.answers[asked["method"]] for key, asked in result.get("inputRequests", {}).items()
                }
            }
            if "requestState" in result:
                more["requestState"] = result["requestState"]

    def play(self):
        if self.version == MODERN:
            self.ask("server/discover")
        else:
            self.ask("initialize", {
                "protocolVersion": self.version, "clientInfo": {"name": "peer", "version": "1"},
                "capabilities": {"elicitation": {}, "sampling": {}, "roots": {}},
            })
            self.post({"jsonrpc": "2.0", "method": "notifications/initialized"}).read()
            for method, params in [
                ("ping", {}), ("logging/setLevel", {"level": "debug"}),
                ("resources/subscribe", {"uri": "test://watched-resource"}),
                ("resources/unsubscribe", {"uri": "test://watched-resource"}),
            ]:
                self.ask(method, params)
        listed = {}
        for method, key in [
            ("tools/list", "tools"), ("resources/list", "resources"), ("prompts/list", "prompts"),
            ("resources/templates/list", "resourceTemplates"),
        ]:
            listed[key] = self.ask(method).get("result", {}).get(key, [])
        for tool in listed["tools"]:
            if tool["name"] in ("test_reconnection", "slow_compute"):
                continue
            required = tool["inputSchema"].get("required", [])
            params = {"name": tool["name"], "arguments": {name: "text" for name in required}}
            params["_meta"] = {"progressToken": "token"}
            self.rounds("tools/call", params)
        for resource in [item["uri"] for item in listed["resources"]] + ["test://template/1/data", "test://none"]:
            self.ask("resources/read", {"uri": resource})
        for prompt in listed["prompts"]:
            arguments = {item["name"]: "test://example" for item in prompt.get("arguments", [])}
            self.rounds("prompts/get", {"name": prompt["name"], "arguments": arguments})
        reference = {"type": "ref/prompt", "name": "test_prompt_with_arguments"}
        self.ask("completion/complete", {"ref": reference, "argument": {"name": "arg1", "value": "p"}})
        for method, params in [
            ("tools/call", {"name": "none"}), ("prompts/get", {"name": "none"}), ("no/such", {}),
            ("tools/list", {"cursor": "nowhere"}),
        ]:
            self.ask(method, params)
        if self.version == MODERN:
            self.ask("tools/call", {"name": "test_missing_capability", "arguments": {}}, capabilities={})
            self.ask("server/discover", {"_meta": {"io.modelcontextprotocol/protocolVersion": "v9"}})
        listed_names = [tool["name"] for tool in listed["tools"]]
        return listed_names


# A server that checks everything a client says.


class Mock(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    version = MODERN
    asked = {}

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.send_response(405)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_DELETE = do_GET

    def answer(self, message, kind="application/json", status=200):
        body = json.dumps(message).encode()
        if kind != "application/json":
            body = b"data: " + body + b"\n\n"
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        check("client", message, self.version, self.asked.get(message.get("id")))
        if "id" not in message or "method" not in message:
            self.send_response(202)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        cache = {"ttlMs": 0, "cacheScope": "private", "resultType": "complete"} if self.version == MODERN else {}
        method, params = message["method"], message.get("params", {})
        tool = {"inputSchema": {"type": "object"}}
        result = {
            "server/discover": {
                "supportedVersions": [MODERN], "capabilities": {"tools": {}, "resources": {}, "prompts": {}}
            },
            "initialize": {
                "protocolVersion": self.version, "capabilities": {"tools": {}},
                "serverInfo": {"name": "mock", "version": "1"},
            },
            "tools/list": {
                "tools": [
                    tool | {"name": name}
                    for name in ("add_numbers", "test_mrtr_echo_state", "test_mrtr_state_only")
                ]
            },
            "resources/list": {"resources": [{"uri": "test://one", "name": "one"}]},
            "resources/read": {"contents": [{"uri": "test://one", "text": "one"}]},
            "prompts/list": {"prompts": [{"name": "one"}]},
            "prompts/get": {"messages": []},
        }.get(method, {"content": [{"type": "text", "text": "ok"}]})
        if self.version == MODERN and params.get("name") == "test_mrtr_echo_state" and "requestState" not in params:
            form = {"type": "object", "properties": {"confirmed": {"type": "boolean"}}}
            result = {
                "resultType": "input_required", "requestState": "s",
                "inputRequests": {
                    "a": {"method": "elicitation/create", "params": {"message": "?", "requestedSchema": form}},
                    "b": {
                        "method": "sampling/createMessage",
                        "params": {
                            "messages": [{"role": "user", "content": {"type": "text", "text": "?"}}], "maxTokens": 9
                        },
                    },
                    "c": {"method": "roots/list"},
                },
            }
            self.answer({"jsonrpc": "2.0", "id": message["id"], "result": result})
            return
        self.answer({"jsonrpc": "2.0", "id": message["id"], "result": result | cache})


def play_client(program):
    for version, scenarios in [
        (MODERN, ["tools_call", "http-standard-headers", "sep-2322-client-request-state"]),
        ("2025-11-25", ["initialize", "tools_call"]), ("2025-06-18", ["initialize", "tools_call"]),
    ]:
        handler = type("Handler", (Mock,), {"version": version})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for scenario in scenarios:
            environment = os.environ | {
                "MCP_CONFORMANCE_SCENARIO": scenario, "MCP_CONFORMANCE_PROTOCOL_VERSION": version
            }
            result = subprocess.run(
                [program, f"http://127.0.0.1:{server.server_port}/mcp"], env=environment, capture_output=True, timeout=120)
            if result.returncode:
                wrong.append(["client", version, scenario, result.stderr.decode()])
        server.shutdown()


if sys.argv[1] == "server":
    for version in LEGACY + [MODERN]:
        Peer(sys.argv[2], version).play()
else:
    play_client(sys.argv[2])
print(json.dumps({"checked": checked, "wrong": wrong}))
