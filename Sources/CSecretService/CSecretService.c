#include "CSecretService.h"

#ifdef OSTIARY_SECRET_SERVICE

#include <libsecret/secret.h>
#include <string.h>

#define SCHEMA "org.ostiary.Session"

// libsecret's service, over a connection that is given to it. Its own constructor asks for the session bus's shared one,
// which ends the process when the bus goes away and can't be chosen.
typedef SecretService PrivateService;
typedef SecretServiceClass PrivateServiceClass;
G_DEFINE_TYPE(PrivateService, private_service, SECRET_TYPE_SERVICE)

static GObject *private_service_constructor(GType type, guint count, GObjectConstructParam *properties) {
  GObject *object = G_OBJECT_CLASS(private_service_parent_class)->constructor(type, count, properties);
  g_object_set(object, "g-bus-type", G_BUS_TYPE_NONE, NULL);
  return object;
}

static void private_service_class_init(PrivateServiceClass *class) {
  G_OBJECT_CLASS(class)->constructor = private_service_constructor;
}

static void private_service_init(PrivateService *service) { (void)service; }

struct ostiary_secret_service {
  GDBusConnection *connection;
  SecretService *service;
};

// What an error of GLib or D-Bus means. Frees it.
static ostiary_secret_status explain(GError *error, char **message) {
  ostiary_secret_status status = OSTIARY_SECRET_FAILED;
  if (error == NULL) return status;
  if (g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SERVICE_UNKNOWN) ||
      g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_NAME_HAS_NO_OWNER) ||
      g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_SPAWN_SERVICE_NOT_FOUND)) {
    status = OSTIARY_SECRET_NO_SERVICE;
  } else if (g_error_matches(error, SECRET_ERROR, SECRET_ERROR_IS_LOCKED)) {
    status = OSTIARY_SECRET_LOCKED;
  } else if (g_error_matches(error, G_IO_ERROR, G_IO_ERROR_CLOSED) ||
             g_error_matches(error, G_DBUS_ERROR, G_DBUS_ERROR_DISCONNECTED)) {
    status = OSTIARY_SECRET_NO_BUS;
  }
  g_dbus_error_strip_remote_error(error);
  *message = strdup(error->message);
  g_error_free(error);
  return status;
}

ostiary_secret_status ostiary_secret_open(const char *address, ostiary_secret_service **result, char **message) {
  GError *error = NULL;
  *result = NULL;
  *message = NULL;
  char *found = address == NULL ? g_dbus_address_get_for_bus_sync(G_BUS_TYPE_SESSION, NULL, &error) : g_strdup(address);
  if (found == NULL) {
    explain(error, message);
    return OSTIARY_SECRET_NO_BUS;
  }
  GDBusConnection *connection = g_dbus_connection_new_for_address_sync(
      found, G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION, NULL, NULL,
      &error);
  g_free(found);
  if (connection == NULL) {
    explain(error, message);
    return OSTIARY_SECRET_NO_BUS;
  }
  SecretService *service = g_initable_new(private_service_get_type(), NULL, &error, "flags",
                                          SECRET_SERVICE_OPEN_SESSION, "g-connection", connection, NULL);
  if (service == NULL) {
    g_object_unref(connection);
    return explain(error, message);
  }
  *result = g_new0(ostiary_secret_service, 1);
  (*result)->connection = connection;
  (*result)->service = service;
  return OSTIARY_SECRET_OK;
}

void ostiary_secret_close(ostiary_secret_service *service) {
  if (service == NULL) return;
  g_object_unref(service->service);
  g_dbus_connection_close_sync(service->connection, NULL, NULL);
  g_object_unref(service->connection);
  g_free(service);
}

// The default collection, if it can be used now. A look-up in a locked one finds nothing and reports no error, so this
// comes before everything else.
static ostiary_secret_status open_collection(ostiary_secret_service *service, SecretCollection **collection,
                                             char **message) {
  GError *error = NULL;
  *message = NULL;
  *collection = secret_collection_for_alias_sync(service->service, SECRET_COLLECTION_DEFAULT, SECRET_COLLECTION_NONE,
                                                 NULL, &error);
  if (error != NULL) return explain(error, message);
  if (*collection == NULL) return OSTIARY_SECRET_NO_COLLECTION;
  if (!secret_collection_get_locked(*collection)) return OSTIARY_SECRET_OK;
  g_object_unref(*collection);
  *collection = NULL;
  return OSTIARY_SECRET_LOCKED;
}

static GHashTable *attributes_of(const char *application, const char *account) {
  GHashTable *attributes = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
  g_hash_table_insert(attributes, g_strdup("xdg:schema"), g_strdup(SCHEMA));
  g_hash_table_insert(attributes, g_strdup("application"), g_strdup(application));
  if (account != NULL) g_hash_table_insert(attributes, g_strdup("account"), g_strdup(account));
  return attributes;
}

// Finds items in the default collection. It may be locked at any moment, so a miss is looked at again.
static ostiary_secret_status find(ostiary_secret_service *service, const char *application, const char *account,
                                  SecretSearchFlags flags, GList **items, char **message) {
  SecretCollection *collection = NULL;
  GError *error = NULL;
  *items = NULL;
  ostiary_secret_status status = open_collection(service, &collection, message);
  if (status != OSTIARY_SECRET_OK) return status;
  GHashTable *attributes = attributes_of(application, account);
  *items = secret_collection_search_sync(collection, NULL, attributes, flags | SECRET_SEARCH_ALL, NULL, &error);
  g_hash_table_unref(attributes);
  g_object_unref(collection);
  if (error != NULL) return explain(error, message);
  if (*items != NULL) return OSTIARY_SECRET_OK;
  status = open_collection(service, &collection, message);
  if (status != OSTIARY_SECRET_OK) return status;
  g_object_unref(collection);
  return OSTIARY_SECRET_NOT_FOUND;
}

ostiary_secret_status ostiary_secret_copy(ostiary_secret_service *service, const char *application,
                                          const char *account, uint8_t **data, size_t *count, char **message) {
  GList *items = NULL;
  ostiary_secret_status status = find(service, application, account, SECRET_SEARCH_LOAD_SECRETS, &items, message);
  if (status != OSTIARY_SECRET_OK) return status;
  SecretValue *value = secret_item_get_secret(items->data);
  if (value == NULL) {
    // Locked in between.
    status = secret_item_get_locked(items->data) ? OSTIARY_SECRET_LOCKED : OSTIARY_SECRET_FAILED;
  } else {
    gsize length = 0;
    const gchar *bytes = secret_value_get(value, &length);
    *data = g_malloc(length + 1);
    memcpy(*data, bytes, length);
    *count = length;
    secret_value_unref(value);
  }
  g_list_free_full(items, g_object_unref);
  return status;
}

ostiary_secret_status ostiary_secret_put(ostiary_secret_service *service, const char *application,
                                         const char *account, const char *label, const uint8_t *data, size_t count,
                                         char **message) {
  SecretCollection *collection = NULL;
  GError *error = NULL;
  ostiary_secret_status status = open_collection(service, &collection, message);
  if (status != OSTIARY_SECRET_OK) return status;
  GHashTable *attributes = attributes_of(application, account);
  SecretValue *value = secret_value_new((const gchar *)data, (gssize)count, "application/octet-stream");
  SecretItem *item =
      secret_item_create_sync(collection, NULL, attributes, label, value, SECRET_ITEM_CREATE_REPLACE, NULL, &error);
  secret_value_unref(value);
  g_hash_table_unref(attributes);
  g_object_unref(collection);
  if (item == NULL) return explain(error, message);
  g_object_unref(item);
  return OSTIARY_SECRET_OK;
}

ostiary_secret_status ostiary_secret_delete(ostiary_secret_service *service, const char *application,
                                            const char *account, char **message) {
  GList *items = NULL;
  ostiary_secret_status status = find(service, application, account, SECRET_SEARCH_NONE, &items, message);
  if (status != OSTIARY_SECRET_OK) return status;
  for (GList *item = items; item != NULL && status == OSTIARY_SECRET_OK; item = item->next) {
    GError *error = NULL;
    if (!secret_item_delete_sync(item->data, NULL, &error)) status = explain(error, message);
  }
  g_list_free_full(items, g_object_unref);
  return status;
}

ostiary_secret_status ostiary_secret_list(ostiary_secret_service *service, const char *application, char ***accounts,
                                          size_t *count, char **message) {
  GList *items = NULL;
  ostiary_secret_status status = find(service, application, NULL, SECRET_SEARCH_NONE, &items, message);
  if (status != OSTIARY_SECRET_OK) return status;
  *accounts = g_new0(char *, g_list_length(items) + 1);
  *count = 0;
  for (GList *item = items; item != NULL; item = item->next) {
    GHashTable *attributes = secret_item_get_attributes(item->data);
    const char *account = g_hash_table_lookup(attributes, "account");
    if (account != NULL) (*accounts)[(*count)++] = g_strdup(account);
    g_hash_table_unref(attributes);
  }
  g_list_free_full(items, g_object_unref);
  return status;
}

void ostiary_secret_free(void *block, size_t count) {
  if (block == NULL) return;
  explicit_bzero(block, count);
  g_free(block);
}

void ostiary_secret_free_list(char **accounts) { g_strfreev(accounts); }

#endif
