"""The Python client (mcp 2) against a server, over HTTP or as a program.

Usage: mcp_suite_client.py WHAT MODE URL | mcp_suite_client.py WHAT MODE PROGRAM ARGUMENT…

WHAT is `fixture` (the server of the conformance suite) or `martlet` (`martlet mcp serve`), MODE is `auto` or `legacy`.
Prints one JSON object with what came of it.
"""

import asyncio
import json
import os
import sys

import mcp_types as types
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters

what, mode, place, *arguments = sys.argv[1:]
if not place.startswith("http"):
    place = StdioServerParameters(command=place, args=arguments, env=dict(os.environ))

logged = []


async def elicit(context, params):
    content = {"name": "Ada", "color": "red", "context": "tests", "response": "yes", "ok": True}
    wanted = params.requested_schema.get("properties", {})
    return types.ElicitResult(action="accept", content={key: value for key, value in content.items() if key in wanted})


async def sample(context, params):
    content = types.TextContent(type="text", text="Paris")
    return types.CreateMessageResult(role="assistant", content=content, model="stub")


async def roots(context):
    return types.ListRootsResult(roots=[types.Root(uri="file:///work")])


async def log(params):
    logged.append(params.data)


def text(result):
    return result.content[0].text


async def code(action):
    try:
        await action
        return None
    except Exception as error:
        return getattr(getattr(error, "error", error), "code", str(error))


async def fixture(client, seen):
    seen["tools"] = [tool.name for tool in (await client.list_tools()).tools]
    seen["text"] = text(await client.call_tool("test_simple_text", {}))
    seen["kinds"] = [
        (await client.call_tool(name, {})).content[0].type
        for name in ("test_image_content", "test_audio_content", "test_embedded_resource")
    ]
    steps = []

    async def progress(done, total, message):
        steps.append([done, total])

    await client.call_tool("test_tool_with_progress", {}, progress_callback=progress)
    seen["steps"] = steps
    await client.call_tool("test_tool_with_logging", {})
    seen["logged"] = logged
    failed = await client.call_tool("test_error_handling", {})
    seen["failed"] = failed.is_error
    seen["sampled"] = text(await client.call_tool("test_sampling", {"prompt": "Capital?"}))
    seen["asked"] = text(await client.call_tool("test_elicitation", {"message": "Are you there?"}))
    seen["rounds"] = text(await client.call_tool("test_input_required_result_multi_round", {}))
    seen["together"] = text(await client.call_tool("test_input_required_result_multiple_inputs", {}))
    seen["parallel"] = [
        text(result)
        for result in await asyncio.gather(
            *(client.call_tool("greet", {"name": str(number)}) for number in range(20))
        )
    ]
    seen["resources"] = [str(resource.uri) for resource in (await client.list_resources()).resources]
    seen["templates"] = [template.uri_template for template in (await client.list_resource_templates()).resource_templates]
    seen["read"] = (await client.read_resource("test://template/7/data")).contents[0].text
    seen["blob"] = (await client.read_resource("test://static-binary")).contents[0].mime_type
    seen["prompts"] = len((await client.list_prompts()).prompts)
    prompt = await client.get_prompt("test_prompt_with_arguments", {"arg1": "one", "arg2": "two"})
    seen["prompt"] = prompt.messages[0].content.text
    reference = types.PromptReference(type="ref/prompt", name="test_prompt_with_arguments")
    completed = await client.complete(reference, {"name": "arg1", "value": "par"})
    seen["completed"] = completed.completion.values
    seen["unknown"] = [
        await code(client.call_tool("none", {})),
        await code(client.read_resource("test://none")),
        await code(client.get_prompt("none", {})),
    ]
    if mode == "auto":
        async with client.listen(tools_list_changed=True) as changes:
            await client.call_tool("test_trigger_tool_change", {})
            async for change in changes:
                seen["change"] = type(change).__name__
                break
    else:
        await client.set_logging_level("debug")
        await client.subscribe_resource("test://watched-resource")
        await client.unsubscribe_resource("test://watched-resource")
        await client.send_ping()
    # A call that is given up ends at once, and the rest goes on.
    slow = asyncio.create_task(client.call_tool("slow_compute", {"seconds": 60}))
    await asyncio.sleep(0.2)
    slow.cancel()
    try:
        await slow
    except asyncio.CancelledError:
        pass
    seen["afterwards"] = text(await client.call_tool("greet", {"name": "you"}))


async def martlet(client, seen):
    tools = (await client.list_tools()).tools
    seen["tools"] = [tool.name for tool in tools]
    seen["manners"] = {
        tool.name: [tool.annotations.read_only_hint, tool.annotations.destructive_hint]
        for tool in tools
        if tool.annotations
    }
    seen["echo"] = text(await client.call_tool("echo", {"text": "hi"}))
    refused = await client.call_tool("keep", {"name": "f"})
    seen["refused"] = [refused.is_error, text(refused)]
    wrong = await client.call_tool("echo", {})
    seen["wrong"] = wrong.is_error
    steps = []

    async def progress(done, total, message):
        steps.append(message)

    asked = await client.call_tool("ask_agent", {"prompt": "go"}, progress_callback=progress)
    seen["asked"] = asked.structured_content["answer"]
    seen["steps"] = steps
    again = await client.call_tool(
        "ask_agent", {"prompt": "go on", "session": asked.structured_content["session"]})
    seen["again"] = again.structured_content["answer"]
    seen["same"] = again.structured_content["session"] == asked.structured_content["session"]


async def main():
    seen = {}
    async with Client(
        place, mode=mode, elicitation_callback=elicit, sampling_callback=sample, list_roots_callback=roots,
        logging_callback=log, log_level="info", read_timeout_seconds=120
    ) as client:
        seen["version"] = client.protocol_version
        seen["server"] = client.server_info.name if client.server_info else None
        await {"fixture": fixture, "martlet": martlet}[what](client, seen)
    print(json.dumps(seen))


asyncio.run(asyncio.wait_for(main(), 90))
