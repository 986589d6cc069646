extension ShippedDialect {
  /// Directus with tokens in the answers (`mode: json`), and its one-time password: the same call again, with `otp`.
  ///
  /// Of the source, not of the pages: a renewal spends the token that it was made with, and the user is the token's
  /// claim `id` (`api/src/services/authentication.ts` of github.com/directus/directus).
  static let directus = ShippedDialect(
    name: "directus", title: "Directus", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "directus",
        "title": "Directus",
        "sources": [
          "https://directus.io/docs/api/authentication",
          "https://directus.io/docs/guides/auth/tokens-cookies",
          "https://github.com/directus/directus/blob/v9.26.0/docs/reference/authentication.md",
          "https://github.com/directus/directus/blob/v9.26.0/docs/reference/introduction.md#error-codes"
        ],
        "servers": { "server": { "title": "the Directus server" } },
        "signIn": [
          {
            "method": "POST",
            "path": "/auth/login",
            "body": { "json": { "email": "{username}", "password": "{password}", "mode": "json" } },
            "reads": {
              "token": "/data/access_token",
              "renewalToken": "/data/refresh_token",
              "expiry": { "in": "/data/expires", "unit": "milliseconds" },
              "userID": { "jwt": "token", "pointer": "/id" },
              "userName": { "text": "{username}" }
            },
            "meanings": [
              {
                "when": { "pointer": "/errors/0/extensions/code", "is": "INVALID_OTP" },
                "means": "secondFactor",
                "kind": "totp",
                "title": "The code of the authenticator app"
              },
              {
                "when": { "pointer": "/errors/0/extensions/code", "is": "INVALID_CREDENTIALS" },
                "means": "wrongPassword"
              },
              { "when": { "pointer": "/errors/0/extensions/code", "is": "USER_SUSPENDED" }, "means": "lockedUntil" }
            ]
          }
        ],
        "continue": {
          "totp": {
            "method": "POST",
            "path": "/auth/login",
            "body": { "json": { "email": "{username}", "password": "{password}", "otp": "{code}", "mode": "json" } },
            "reads": {
              "token": "/data/access_token",
              "renewalToken": "/data/refresh_token",
              "expiry": { "in": "/data/expires", "unit": "milliseconds" },
              "userID": { "jwt": "token", "pointer": "/id" },
              "userName": { "text": "{username}" }
            },
            "meanings": [
              {
                "when": { "pointer": "/errors/0/extensions/code", "is": "INVALID_OTP" },
                "means": "secondFactor",
                "kind": "totp",
                "title": "The code of the authenticator app"
              },
              {
                "when": { "pointer": "/errors/0/extensions/code", "is": "INVALID_CREDENTIALS" },
                "means": "wrongPassword"
              },
              { "when": { "pointer": "/errors/0/extensions/code", "is": "USER_SUSPENDED" }, "means": "lockedUntil" }
            ]
          }
        },
        "renew": {
          "method": "POST",
          "path": "/auth/refresh",
          "body": { "json": { "refresh_token": "{renewalToken}", "mode": "json" } },
          "reads": {
            "token": "/data/access_token",
            "renewalToken": "/data/refresh_token",
            "expiry": { "in": "/data/expires", "unit": "milliseconds" }
          },
          "meanings": [
            {
              "when": {
                "all": [
                  { "status": 401 },
                  { "pointer": "/errors/0/extensions/code", "isOneOf": ["INVALID_CREDENTIALS", "USER_SUSPENDED"] }
                ]
              },
              "means": "endedForGood"
            }
          ]
        },
        "who": { "method": "GET", "path": "/users/me", "reads": { "userID": "/data/id", "userName": "/data/email" } },
        "end": {
          "method": "POST",
          "path": "/auth/logout",
          "proof": false,
          "body": { "json": { "refresh_token": "{renewalToken}", "mode": "json" } }
        },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "meanings": [
          {
            "when": { "pointer": "/errors/0/extensions/code", "isOneOf": ["TOKEN_EXPIRED", "INVALID_TOKEN"] },
            "means": "expired"
          },
          {
            "when": {
              "all": [{ "status": 401 }, { "pointer": "/errors/0/extensions/code", "is": "INVALID_CREDENTIALS" }]
            },
            "means": "expired"
          },
          { "when": { "pointer": "/errors/0/extensions/code", "is": "REQUESTS_EXCEEDED" }, "means": "tryLater" }
        ],
        "renewal": { "by": "renewalToken", "rotation": "always", "afterLostAnswer": "ask" }
      }
      """#)
}
