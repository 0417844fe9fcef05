#if defined(__linux__)

#include "CCrypto.h"

#include "CLoad.h"

#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <limits.h>
#include <pthread.h>
#include <string.h>

#define FUNCTIONS(X)                                                                                                   \
  X(EVP_sha256) X(EVP_MD_CTX_new) X(EVP_MD_CTX_free) X(EVP_MD_CTX_copy_ex) X(EVP_DigestInit_ex) X(EVP_DigestUpdate)    \
  X(EVP_DigestFinal_ex) X(HMAC) X(CRYPTO_memcmp) X(EVP_PKEY_free) X(EVP_PKEY_Q_keygen) X(EVP_PKEY_get_group_name)      \
  X(EVP_PKEY_get_octet_string_param) X(EVP_DigestSignInit) X(EVP_DigestSign) X(EVP_DigestVerifyInit)                   \
  X(EVP_DigestVerify) X(BIO_new) X(BIO_s_mem) X(BIO_new_mem_buf) X(BIO_read) X(BIO_free) X(PEM_read_bio_PrivateKey)    \
  X(PEM_read_bio_PUBKEY) X(PEM_write_bio_PKCS8PrivateKey) X(d2i_PUBKEY) X(d2i_ECDSA_SIG) X(i2d_ECDSA_SIG)              \
  X(ECDSA_SIG_new) X(ECDSA_SIG_free) X(ECDSA_SIG_get0_r) X(ECDSA_SIG_get0_s) X(ECDSA_SIG_set0) X(BN_bin2bn)            \
  X(BN_bn2binpad) X(BN_free) X(ERR_clear_error)

static struct {
#define MEMBER(name) __typeof__(name) *name;
  FUNCTIONS(MEMBER)
#undef MEMBER
} lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *failure;

static void load(void) {
#define FUNCTION(name) {#name, (void **)&lib.name},
  static const cload_function functions[] = {FUNCTIONS(FUNCTION)};
#undef FUNCTION
  failure = cload("libcrypto.so.3", "libcrypto", functions, sizeof functions / sizeof *functions);
}

const char *ccrypto_load(void) {
  pthread_once(&once, load);
  return failure;
}

// MARK: Hashes

static EVP_MD_CTX *context(const ccrypto_hash *hash) { return (EVP_MD_CTX *)hash; }

ccrypto_hash *ccrypto_sha256_new(void) {
  EVP_MD_CTX *made = lib.EVP_MD_CTX_new();
  if (made && lib.EVP_DigestInit_ex(made, lib.EVP_sha256(), NULL) == 1) return (ccrypto_hash *)made;
  lib.EVP_MD_CTX_free(made);
  return NULL;
}

ccrypto_hash *ccrypto_sha256_copy(const ccrypto_hash *hash) {
  EVP_MD_CTX *made = lib.EVP_MD_CTX_new();
  if (made && lib.EVP_MD_CTX_copy_ex(made, context(hash)) == 1) return (ccrypto_hash *)made;
  lib.EVP_MD_CTX_free(made);
  return NULL;
}

void ccrypto_sha256_free(ccrypto_hash *hash) { lib.EVP_MD_CTX_free(context(hash)); }

int ccrypto_sha256_update(ccrypto_hash *hash, const void *bytes, size_t count) {
  return lib.EVP_DigestUpdate(context(hash), bytes, count) == 1;
}

int ccrypto_sha256_final(ccrypto_hash *hash, uint8_t *digest) {
  return lib.EVP_DigestFinal_ex(context(hash), digest, NULL) == 1;
}

int ccrypto_hmac_sha256(const uint8_t *key, size_t key_count, const uint8_t *message, size_t count, uint8_t *code) {
  if (key_count > INT_MAX) return 0;
  // OpenSSL takes a key of NULL for the key of an earlier call.
  return lib.HMAC(lib.EVP_sha256(), key ? key : (const uint8_t *)"", (int)key_count, message, count, code, NULL) != NULL;
}

int ccrypto_equal(const void *left, const void *right, size_t count) {
  return lib.CRYPTO_memcmp(left, right, count) == 0;
}

// MARK: Keys

static EVP_PKEY *pkey(const ccrypto_key *key) { return (EVP_PKEY *)key; }

// The key if it is on P-256; otherwise it is freed.
static ccrypto_key *on_curve(EVP_PKEY *key) {
  char name[32];
  size_t length;
  if (key && lib.EVP_PKEY_get_group_name(key, name, sizeof name, &length) == 1 &&
      (strcmp(name, "prime256v1") == 0 || strcmp(name, "P-256") == 0))
    return (ccrypto_key *)key;
  lib.EVP_PKEY_free(key);
  lib.ERR_clear_error();
  return NULL;
}

ccrypto_key *ccrypto_p256_generate(void) {
  return on_curve(lib.EVP_PKEY_Q_keygen(NULL, NULL, "EC", "P-256"));
}

// Nobody is asked for a password.
static int no_password(char *buffer, int size, int writing, void *context) {
  (void)buffer, (void)size, (void)writing, (void)context;
  return -1;
}

typedef EVP_PKEY *(*pem_reader)(BIO *, EVP_PKEY **, pem_password_cb *, void *);

static ccrypto_key *read_pem(const uint8_t *pem, size_t count, pem_reader reader) {
  if (count > 1 << 16) return NULL;
  BIO *bio = lib.BIO_new_mem_buf(pem, (int)count);
  if (!bio) return NULL;
  EVP_PKEY *key = reader(bio, NULL, no_password, NULL);
  lib.BIO_free(bio);
  return on_curve(key);
}

ccrypto_key *ccrypto_p256_private(const uint8_t *pem, size_t count) {
  return read_pem(pem, count, lib.PEM_read_bio_PrivateKey);
}

ccrypto_key *ccrypto_p256_public_pem(const uint8_t *pem, size_t count) {
  return read_pem(pem, count, lib.PEM_read_bio_PUBKEY);
}

ccrypto_key *ccrypto_p256_public(const uint8_t *point) {
  // SubjectPublicKeyInfo of id-ecPublicKey on prime256v1 (RFC 5480), up to the point.
  static const uint8_t head[26] = {0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01,
                                   0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00};
  uint8_t bytes[sizeof head + 65];
  memcpy(bytes, head, sizeof head);
  memcpy(bytes + sizeof head, point, 65);
  const uint8_t *cursor = bytes;
  return on_curve(lib.d2i_PUBKEY(NULL, &cursor, sizeof bytes));
}

void ccrypto_p256_free(ccrypto_key *key) { lib.EVP_PKEY_free(pkey(key)); }

int ccrypto_p256_point(const ccrypto_key *key, uint8_t *point) {
  size_t count = 0;
  return lib.EVP_PKEY_get_octet_string_param(pkey(key), OSSL_PKEY_PARAM_PUB_KEY, point, 65, &count) == 1 &&
         count == 65 && point[0] == 4;
}

size_t ccrypto_p256_pem(const ccrypto_key *key, char *pem, size_t capacity) {
  BIO *bio = lib.BIO_new(lib.BIO_s_mem());
  if (!bio || capacity > INT_MAX) return 0;
  int count = 0;
  if (lib.PEM_write_bio_PKCS8PrivateKey(bio, pkey(key), NULL, NULL, 0, NULL, NULL) == 1)
    count = lib.BIO_read(bio, pem, (int)capacity);
  lib.BIO_free(bio);
  lib.ERR_clear_error();
  return count > 0 && (size_t)count < capacity ? (size_t)count : 0;
}

// MARK: Signatures

// OpenSSL reads and writes the two numbers as DER; JSON Web Signatures have them in 32 bytes each (RFC 7518, 3.4).

int ccrypto_p256_sign(const ccrypto_key *key, const uint8_t *message, size_t count, uint8_t *signature) {
  uint8_t der[80];
  size_t der_count = sizeof der;
  EVP_MD_CTX *digest = lib.EVP_MD_CTX_new();
  int done = digest && lib.EVP_DigestSignInit(digest, NULL, lib.EVP_sha256(), NULL, pkey(key)) == 1 &&
             lib.EVP_DigestSign(digest, der, &der_count, message, count) == 1;
  lib.EVP_MD_CTX_free(digest);
  if (done) {
    const uint8_t *cursor = der;
    ECDSA_SIG *numbers = lib.d2i_ECDSA_SIG(NULL, &cursor, (long)der_count);
    done = numbers && lib.BN_bn2binpad(lib.ECDSA_SIG_get0_r(numbers), signature, 32) == 32 &&
           lib.BN_bn2binpad(lib.ECDSA_SIG_get0_s(numbers), signature + 32, 32) == 32;
    lib.ECDSA_SIG_free(numbers);
  }
  lib.ERR_clear_error();
  return done;
}

int ccrypto_p256_verify(const ccrypto_key *key, const uint8_t *message, size_t count, const uint8_t *signature) {
  ECDSA_SIG *numbers = lib.ECDSA_SIG_new();
  BIGNUM *r = lib.BN_bin2bn(signature, 32, NULL), *s = lib.BN_bin2bn(signature + 32, 32, NULL);
  uint8_t der[80], *cursor = der;
  int der_count = 0;
  if (numbers && r && s && lib.ECDSA_SIG_set0(numbers, r, s) == 1) {
    r = s = NULL; // The signature owns them now.
    // At most 72 bytes: two numbers of 33 bytes, each with two bytes of head, in a sequence.
    der_count = lib.i2d_ECDSA_SIG(numbers, &cursor);
  }
  lib.BN_free(r);
  lib.BN_free(s);
  lib.ECDSA_SIG_free(numbers);
  EVP_MD_CTX *digest = der_count > 0 ? lib.EVP_MD_CTX_new() : NULL;
  int valid = digest && lib.EVP_DigestVerifyInit(digest, NULL, lib.EVP_sha256(), NULL, pkey(key)) == 1 &&
              lib.EVP_DigestVerify(digest, der, (size_t)der_count, message, count) == 1;
  lib.EVP_MD_CTX_free(digest);
  lib.ERR_clear_error();
  return valid;
}

#endif
