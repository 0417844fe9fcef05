"""A llama.cpp server from the package xllamacpp: llama_server.py MODEL.gguf TEMPLATE.jinja

Prints its address and serves until standard input ends.
"""
import sys

import xllamacpp

params = xllamacpp.CommonParams()
params.model.path = sys.argv[1]
params.n_ctx = 4096
params.n_parallel = 1
params.port = 0
params.use_jinja = True
params.warmup = False
params.chat_template = open(sys.argv[2]).read()
params.sampling.temp = 0.0
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
