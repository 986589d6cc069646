extension ShippedDialect {
  /// A Matrix home server with password login. A soft logout is a proof that has expired; without that word the
  /// server has destroyed the session. The identifier of the device is kept, for a sign-in that goes on as the same
  /// device.
  static let matrix = ShippedDialect(
    name: "matrix", title: "Matrix", tried: "Synapse 1.163.2",
    json: #"""
      {
        "dialect": 1,
        "name": "matrix",
        "title": "Matrix",
        "sources": [
          "https://spec.matrix.org/latest/client-server-api/#post_matrixclientv3login",
          "https://spec.matrix.org/latest/client-server-api/#post_matrixclientv3refresh",
          "https://spec.matrix.org/latest/client-server-api/#refreshing-access-tokens",
          "https://spec.matrix.org/latest/client-server-api/#soft-logout",
          "https://spec.matrix.org/latest/client-server-api/#get_matrixclientv3accountwhoami",
          "https://spec.matrix.org/latest/client-server-api/#post_matrixclientv3logout",
          "https://spec.matrix.org/latest/client-server-api/#rate-limiting"
        ],
        "servers": { "server": { "title": "the home server", "documented": "https://matrix-client.matrix.org" } },
        "signIn": [
          {
            "method": "POST",
            "path": "/_matrix/client/v3/login",
            "body": {
              "json": {
                "type": "m.login.password",
                "identifier": { "type": "m.id.user", "user": "{username}" },
                "password": "{password}",
                "initial_device_display_name": "{deviceName?}",
                "refresh_token": true
              }
            },
            "reads": {
              "token": "/access_token",
              "renewalToken": "/refresh_token",
              "expiry": { "in": "/expires_in_ms", "unit": "milliseconds" },
              "userID": "/user_id",
              "attributes": { "deviceID": "/device_id" }
            },
            "meanings": [
              { "when": { "pointer": "/errcode", "is": "M_USER_DEACTIVATED" }, "means": "lockedUntil" },
              {
                "when": { "all": [{ "status": 403 }, { "pointer": "/errcode", "is": "M_FORBIDDEN" }] },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "renew": {
          "method": "POST",
          "path": "/_matrix/client/v3/refresh",
          "body": { "json": { "refresh_token": "{renewalToken}" } },
          "reads": {
            "token": "/access_token",
            "renewalToken": "/refresh_token",
            "expiry": { "in": "/expires_in_ms", "unit": "milliseconds" }
          },
          "meanings": [
            {
              "when": { "all": [{ "status": 401 }, { "pointer": "/errcode", "is": "M_UNKNOWN_TOKEN" }] },
              "means": "endedForGood"
            }
          ]
        },
        "who": { "method": "GET", "path": "/_matrix/client/v3/account/whoami", "reads": { "userID": "/user_id" } },
        "end": { "method": "POST", "path": "/_matrix/client/v3/logout" },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "meanings": [
          {
            "when": {
              "all": [
                { "status": 401 },
                { "pointer": "/errcode", "is": "M_UNKNOWN_TOKEN" },
                { "pointer": "/soft_logout", "is": true }
              ]
            },
            "means": "expired"
          },
          {
            "when": { "all": [{ "status": 401 }, { "pointer": "/errcode", "is": "M_UNKNOWN_TOKEN" }] },
            "means": "endedForGood"
          },
          { "when": { "pointer": "/errcode", "is": "M_USER_LOCKED" }, "means": "notThisSession" },
          {
            "when": { "pointer": "/errcode", "is": "M_LIMIT_EXCEEDED" },
            "means": "tryLater",
            "after": { "in": "/retry_after_ms", "unit": "milliseconds" }
          }
        ],
        "renewal": { "by": "renewalToken", "rotation": "sometimes", "afterLostAnswer": "sendSameAgain" }
      }
      """#)
}
