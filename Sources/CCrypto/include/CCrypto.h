// What Swift needs of OpenSSL's libcrypto (3.0 or later), in calls of its own.
//
// libcrypto is loaded with dlopen at the first use and not linked: linking it would cost every start of the program,
// also the many that never hash or sign anything.
#ifndef CCRYPTO_H
#define CCRYPTO_H

#if defined(__linux__)

#include <stddef.h>
#include <stdint.h>

// Loads libcrypto, once. NULL, or why it cannot be used. Everything below needs it to have succeeded.
const char *ccrypto_load(void);

// A hash under way. Functions return 1, or 0 when OpenSSL fails.
typedef struct ccrypto_hash ccrypto_hash;
ccrypto_hash *ccrypto_sha256_new(void);
ccrypto_hash *ccrypto_sha256_copy(const ccrypto_hash *hash);
void ccrypto_sha256_free(ccrypto_hash *hash);
int ccrypto_sha256_update(ccrypto_hash *hash, const void *bytes, size_t count);
// Ends the hash: nothing more can be added. `digest` has 32 bytes.
int ccrypto_sha256_final(ccrypto_hash *hash, uint8_t *digest);

// `code` has 32 bytes.
int ccrypto_hmac_sha256(const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, uint8_t *code);

// Whether both hold the same bytes, in time that depends on `count` alone.
int ccrypto_equal(const void *left, const void *right, size_t count);

// A key on the curve P-256: a pair, or a public key alone. Never changed once made; may be used by many threads.
typedef struct ccrypto_key ccrypto_key;
// NULL when OpenSSL fails.
ccrypto_key *ccrypto_p256_generate(void);
// From PEM without a password: PKCS#8 or SEC 1. NULL when it is no private key on P-256.
ccrypto_key *ccrypto_p256_private(const uint8_t *pem, size_t count);
// From an uncompressed point of 65 bytes (SEC 1). NULL when it is not on the curve.
ccrypto_key *ccrypto_p256_public(const uint8_t *point);
// From PEM (SubjectPublicKeyInfo). NULL when it is no public key on P-256.
ccrypto_key *ccrypto_p256_public_pem(const uint8_t *pem, size_t count);
void ccrypto_p256_free(ccrypto_key *key);
// The public key as an uncompressed point of 65 bytes.
int ccrypto_p256_point(const ccrypto_key *key, uint8_t *point);
// The private key as PKCS#8 in PEM. How many bytes were written, 0 when it does not fit or OpenSSL fails.
size_t ccrypto_p256_pem(const ccrypto_key *key, char *pem, size_t capacity);
// ECDSA over the SHA-256 of the message. `signature` has 64 bytes: r, then s.
int ccrypto_p256_sign(const ccrypto_key *key, const uint8_t *message, size_t count, uint8_t *signature);
int ccrypto_p256_verify(const ccrypto_key *key, const uint8_t *message, size_t count, const uint8_t *signature);

#endif
#endif
