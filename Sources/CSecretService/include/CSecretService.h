#ifndef C_SECRET_SERVICE_H
#define C_SECRET_SERVICE_H

#include <stddef.h>
#include <stdint.h>

// The Secret Service (freedesktop.org, Secret Service API 0.2) by way of libsecret, in calls that block. Only for one
// thread at a time.

typedef enum {
  OSTIARY_SECRET_OK,
  // There is no such item.
  OSTIARY_SECRET_NOT_FOUND,
  // There is no session bus, or it has closed the connection.
  OSTIARY_SECRET_NO_BUS,
  // No program on the bus offers the service.
  OSTIARY_SECRET_NO_SERVICE,
  // The user has no default collection (keyring).
  OSTIARY_SECRET_NO_COLLECTION,
  // The default collection is locked.
  OSTIARY_SECRET_LOCKED,
  // Anything else.
  OSTIARY_SECRET_FAILED,
} ostiary_secret_status;

// A connection to the service. NULL when libsecret is not part of this build.
typedef struct ostiary_secret_service ostiary_secret_service;

// Connects. `address` is that of the bus, or NULL for the session's. With a status other than OK, `message` gets a text
// to be freed, or NULL; so it does in every function.
ostiary_secret_status ostiary_secret_open(const char *address, ostiary_secret_service **service, char **message);
void ostiary_secret_close(ostiary_secret_service *service);

// Reads. `data` gets a block to be freed with ostiary_secret_free.
ostiary_secret_status ostiary_secret_copy(ostiary_secret_service *service, const char *application,
                                          const char *account, uint8_t **data, size_t *count, char **message);
// Writes, in place of the item that is there.
ostiary_secret_status ostiary_secret_put(ostiary_secret_service *service, const char *application,
                                         const char *account, const char *label, const uint8_t *data, size_t count,
                                         char **message);
// Removes.
ostiary_secret_status ostiary_secret_delete(ostiary_secret_service *service, const char *application,
                                            const char *account, char **message);
// The accounts of an application: an array of `count` strings, to be freed with ostiary_secret_free_list.
ostiary_secret_status ostiary_secret_list(ostiary_secret_service *service, const char *application, char ***accounts,
                                          size_t *count, char **message);

// Frees a block, wiping it first.
void ostiary_secret_free(void *block, size_t count);
void ostiary_secret_free_list(char **accounts);

#endif
