"""The Python client (mcp 2) against a server over HTTP. Usage: mcp_client.py MODE URL

MODE is `auto` or `legacy`. Prints one JSON object with what came of it.
"""

import asyncio
import json
import sys

import mcp_types as types
from mcp.client.client import Client

mode, url = sys.argv[1:3]
steps = []


async def elicit(context, params):
    return types.ElicitResult(action="accept", content={"name": "Ada"})


async def sample(context, params):
    content = types.TextContent(type="text", text="Paris")
    return types.CreateMessageResult(role="assistant", content=content, model="stub")


async def progress(done, total, message):
    steps.append(done)


async def main():
    seen = {}
    async with Client(
        url, mode=mode, elicitation_callback=elicit, sampling_callback=sample, read_timeout_seconds=120
    ) as client:
        seen["version"] = client.protocol_version
        seen["tools"] = [tool.name for tool in (await client.list_tools()).tools]
        added = await client.call_tool("add", {"a": 2, "b": 3})
        seen["sum"] = added.structured_content
        seen["count"] = (await client.call_tool("count", {"to": 3}, progress_callback=progress)).content[0].text
        seen["steps"] = steps
        failed = await client.call_tool("fail", {})
        seen["failed"] = [failed.is_error, failed.content[0].text]
        seen["asked"] = (await client.call_tool("ask", {})).content[0].text
        seen["resource"] = (await client.read_resource("data://greeting")).contents[0].text
        seen["prompt"] = (await client.get_prompt("ask", {"topic": "MCP"})).messages[0].content.text
        try:
            await client.call_tool("none", {})
        except Exception as error:
            seen["unknown"] = getattr(getattr(error, "error", error), "code", str(error))
    print(json.dumps(seen))


asyncio.run(asyncio.wait_for(main(), 60))
