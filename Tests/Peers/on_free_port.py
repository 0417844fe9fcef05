"""Runs a Python program that serves with uvicorn, on a port that the system chooses.

  on_free_port.py FILE PROGRAM ARGUMENT…

FILE comes into being with the port in it once the server listens. A port chosen beforehand could be taken by another
before the program binds it; whatever port the program is told, it gets a free one.
"""

import os
import runpy
import sys

import uvicorn

file, program = sys.argv[1:3]
start = uvicorn.Server.startup


async def startup(server, sockets=None):
    server.config.port = 0
    await start(server, sockets=sockets)
    if not server.should_exit:
        port = server.servers[0].sockets[0].getsockname()[1]
        with open(file + ".new", "w") as out:
            out.write(str(port))
        os.rename(file + ".new", file)


uvicorn.Server.startup = startup
sys.argv = sys.argv[2:]
runpy.run_path(program, run_name="__main__")
