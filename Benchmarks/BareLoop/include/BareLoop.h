#ifndef BARE_LOOP_H
#define BARE_LOOP_H

#include <stdint.h>

/// The shortest program over llama.cpp there can be: what an engine is measured against.
typedef struct bare_loop bare_loop;

bare_loop *bare_loop_open(const char *path, uint32_t context_length, int32_t threads);
void bare_loop_close(bare_loop *loop);

/// Forgets everything and reads a prompt, in steps of llama.cpp's default size. 0 on success.
int bare_loop_read(bare_loop *loop, const int32_t *tokens, int32_t count);

/// Greedily makes and reads `count` tokens, with llama.cpp's own sampler. 0 on success.
int bare_loop_generate(bare_loop *loop, int32_t *tokens, int32_t count);

#endif
