"""MCP servers made with the Python packages. Usage: mcp_servers.py KIND

KIND is `new-stdio` or `new-http` (mcp 2), `old-stdio`, `old-http` or `old-sse` (mcp 1), `fast-stdio` or `fast-http` (fastmcp). Those over HTTP are run by `on_free_port.py`.
"""

import sys

kind = sys.argv[1]

if kind.startswith("new"):
    from mcp.server.mcpserver import Context, MCPServer

    server = MCPServer("new")
elif kind.startswith("old"):
    from mcp.server.fastmcp import Context, FastMCP

    server = FastMCP("old", host="127.0.0.1")
else:
    from fastmcp import Context, FastMCP

    server = FastMCP("fast")


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.tool()
async def count(to: int, ctx: Context) -> str:
    """Counts, and tells how far it is."""
    for step in range(to):
        await ctx.report_progress(step + 1, to)
    return "counted"


@server.tool()
def fail() -> str:
    """Always fails."""
    raise ValueError("broken")


@server.resource("data://greeting")
def greeting() -> str:
    """A text."""
    return "hello"


@server.prompt()
def ask(topic: str) -> str:
    """Asks about something."""
    return f"What is {topic}?"


if kind == "new-http":
    server.run(transport="streamable-http", host="127.0.0.1")
elif kind == "old-http":
    server.run(transport="streamable-http")
elif kind == "old-sse":
    server.run(transport="sse")
elif kind == "fast-http":
    server.run(transport="http", host="127.0.0.1", path="/mcp", show_banner=False)
elif kind == "fast-stdio":
    server.run(show_banner=False)
else:
    server.run()
