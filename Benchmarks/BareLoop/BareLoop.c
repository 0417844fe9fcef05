#include "BareLoop.h"

#include <stdlib.h>

#include "llama.h"

struct bare_loop {
  struct llama_model *model;
  struct llama_context *context;
  struct llama_sampler *sampler;
  int32_t step;
};

bare_loop *bare_loop_open(const char *path, uint32_t context_length, int32_t threads) {
  struct llama_model_params model_parameters = llama_model_default_params();
  model_parameters.n_gpu_layers = 0;
  struct llama_model *model = llama_model_load_from_file(path, model_parameters);
  if (!model) return NULL;
  struct llama_context_params parameters = llama_context_default_params();
  parameters.n_ctx = context_length;
  parameters.n_batch = parameters.n_ubatch;
  parameters.n_threads = threads;
  parameters.n_threads_batch = threads;
  struct llama_context *context = llama_init_from_model(model, parameters);
  bare_loop *loop = context ? malloc(sizeof *loop) : NULL;
  if (!loop) {
    llama_free(context);
    llama_model_free(model);
    return NULL;
  }
  *loop = (bare_loop){model, context, llama_sampler_init_greedy(), (int32_t)parameters.n_batch};
  return loop;
}

void bare_loop_close(bare_loop *loop) {
  llama_sampler_free(loop->sampler);
  llama_free(loop->context);
  llama_model_free(loop->model);
  free(loop);
}

int bare_loop_read(bare_loop *loop, const int32_t *tokens, int32_t count) {
  llama_memory_clear(llama_get_memory(loop->context), true);
  for (int32_t start = 0; start < count; start += loop->step) {
    int32_t length = count - start < loop->step ? count - start : loop->step;
    if (llama_decode(loop->context, llama_batch_get_one((llama_token *)tokens + start, length))) return -1;
  }
  llama_synchronize(loop->context);
  return 0;
}

int bare_loop_generate(bare_loop *loop, int32_t *tokens, int32_t count) {
  for (int32_t index = 0; index < count; index++) {
    tokens[index] = llama_sampler_sample(loop->sampler, loop->context, -1);
    if (llama_decode(loop->context, llama_batch_get_one(tokens + index, 1))) return -1;
  }
  llama_synchronize(loop->context);
  return 0;
}
