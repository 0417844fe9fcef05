"""The same work done with the Python SDK. Usage: mcp-peer.py serve stdio | serve http PORT | call stdio CALLS | call http CALLS URL

`call` prints calls per second, and then milliseconds of CPU time a call of the client.
"""

import asyncio
import logging
import sys
import time

what, how = sys.argv[1:3]


def serve():
    from mcp.server.mcpserver import MCPServer

    logging.disable(logging.CRITICAL)
    server = MCPServer("bench", log_level="CRITICAL")

    @server.tool()
    def add(a: int, b: int) -> int:
        """Adds two numbers."""
        return a + b

    if how == "http":
        server.run(transport="streamable-http", host="127.0.0.1", port=int(sys.argv[3]))
    else:
        server.run()


async def call():
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters

    calls = int(sys.argv[3])
    place = sys.argv[4] if how == "http" else StdioServerParameters(command=sys.executable, args=[__file__, "serve", "stdio"])
    async with Client(place) as client:
        await client.list_tools()
        for number in range(20):
            await client.call_tool("add", {"a": number, "b": 1})
        start, cpu = time.perf_counter(), time.process_time()
        for number in range(calls):
            result = await client.call_tool("add", {"a": number, "b": 1})
            assert result.structured_content == {"result": number + 1}, result
        print(calls / (time.perf_counter() - start), (time.process_time() - cpu) * 1000 / calls)


serve() if what == "serve" else asyncio.run(call())
