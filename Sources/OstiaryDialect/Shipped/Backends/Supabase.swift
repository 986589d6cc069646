extension ShippedDialect {
  /// Supabase Auth (GoTrue): e-mail and password. A second factor of Supabase raises the level of a session that is
  /// there already, so it is no step of the sign-in.
  ///
  /// Of the source, not of the pages: an error has its code as `error_code`, and as `code` from API version
  /// 2024-01-01 on (`internal/api/errors.go` of github.com/supabase/auth).
  static let supabase = ShippedDialect(
    name: "supabase", title: "Supabase Auth", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "supabase",
        "title": "Supabase Auth",
        "sources": [
          "https://github.com/supabase/auth/blob/master/openapi.yaml",
          "https://supabase.com/docs/guides/auth/sessions",
          "https://supabase.com/docs/guides/auth/signout",
          "https://supabase.com/docs/guides/auth/debugging/error-codes",
          "https://docs.postgrest.org/en/stable/references/errors.html"
        ],
        "servers": { "server": { "title": "the project", "documented": "https://abcdefghijklmnopqrst.supabase.co" } },
        "settings": {
          "apiKey": { "title": "the project's publishable (anon) key", "secret": true, "required": true }
        },
        "signIn": [
          {
            "method": "POST",
            "path": "/auth/v1/token",
            "query": { "grant_type": "password" },
            "headers": { "apikey": "{apiKey}" },
            "body": { "json": { "email": "{username}", "password": "{password}" } },
            "reads": {
              "token": "/access_token",
              "renewalToken": "/refresh_token",
              "expiry": { "in": "/expires_in", "unit": "seconds" },
              "userID": "/user/id",
              "userName": "/user/email",
              "attributes": { "role": "/user/role" }
            },
            "meanings": [
              {
                "when": {
                  "any": [
                    { "pointer": "/error_code", "is": "invalid_credentials" },
                    { "pointer": "/code", "is": "invalid_credentials" }
                  ]
                },
                "means": "wrongPassword"
              },
              {
                "when": {
                  "any": [
                    { "pointer": "/error_code", "is": "user_banned" },
                    { "pointer": "/code", "is": "user_banned" }
                  ]
                },
                "means": "lockedUntil"
              }
            ]
          }
        ],
        "renew": {
          "method": "POST",
          "path": "/auth/v1/token",
          "query": { "grant_type": "refresh_token" },
          "headers": { "apikey": "{apiKey}" },
          "body": { "json": { "refresh_token": "{renewalToken}" } },
          "reads": {
            "token": "/access_token",
            "renewalToken": "/refresh_token",
            "expiry": { "in": "/expires_in", "unit": "seconds" }
          },
          "meanings": [
            {
              "when": {
                "any": [
                  {
                    "pointer": "/error_code",
                    "isOneOf": [
                      "refresh_token_not_found", "refresh_token_already_used", "session_not_found", "session_expired",
                      "user_banned"
                    ]
                  },
                  {
                    "pointer": "/code",
                    "isOneOf": [
                      "refresh_token_not_found", "refresh_token_already_used", "session_not_found", "session_expired",
                      "user_banned"
                    ]
                  }
                ]
              },
              "means": "endedForGood"
            }
          ]
        },
        "who": { "method": "GET", "path": "/auth/v1/user", "reads": { "userID": "/id", "userName": "/email" } },
        "end": { "method": "POST", "path": "/auth/v1/logout", "query": { "scope": "local" } },
        "proof": { "headers": { "Authorization": "Bearer {token}", "apikey": "{apiKey}" } },
        "meanings": [
          {
            "when": {
              "any": [
                { "pointer": "/error_code", "is": "session_not_found" },
                { "pointer": "/code", "is": "session_not_found" }
              ]
            },
            "means": "endedForGood"
          },
          {
            "when": {
              "any": [{ "pointer": "/error_code", "is": "bad_jwt" }, { "pointer": "/code", "is": "bad_jwt" }]
            },
            "means": "expired"
          },
          { "when": { "pointer": "/code", "isOneOf": ["PGRST301", "PGRST303"] }, "means": "expired" }
        ],
        "renewal": { "by": "renewalToken", "rotation": "always", "afterLostAnswer": "sendSameAgain", "grace": 10 }
      }
      """#)
}
