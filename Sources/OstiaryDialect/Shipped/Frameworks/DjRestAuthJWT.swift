extension ShippedDialect {
  /// dj-rest-auth with JSON Web Tokens (`USE_JWT`), for a server that has switched `JWT_AUTH_HTTPONLY` off: with it
  /// on, the renewal token is in a cookie that only a browser's page has.
  ///
  /// Of the source, not of the pages: the codes of the refusals, which are Simple JWT's; the members of version 2
  /// (`access_token`, `refresh_token`).
  static let djRestAuthJWT = ShippedDialect(
    name: "dj-rest-auth-jwt", title: "dj-rest-auth, JSON Web Tokens", tried: "dj-rest-auth 7.2.0",
    json: #"""
      {
        "dialect": 1,
        "name": "dj-rest-auth-jwt",
        "title": "dj-rest-auth, JSON Web Tokens",
        "sources": [
          "https://dj-rest-auth.readthedocs.io/en/latest/api_endpoints.html",
          "https://dj-rest-auth.readthedocs.io/en/latest/configuration.html",
          "https://dj-rest-auth.readthedocs.io/en/latest/installation.html#json-web-token-jwt-support-optional"
        ],
        "servers": { "server": { "title": "the API" } },
        "signIn": [
          {
            "method": "POST",
            "path": "/dj-rest-auth/login/",
            "body": { "json": { "username": "{username}", "password": "{password}" } },
            "reads": {
              "token": ["/access", "/access_token"],
              "renewalToken": ["/refresh", "/refresh_token"],
              "expiry": { "jwt": "token" },
              "userID": "/user/pk",
              "userName": "/user/username"
            },
            "meanings": [
              {
                "when": { "all": [{ "status": 400 }, { "pointer": "/non_field_errors", "exists": true }] },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "renew": {
          "method": "POST",
          "path": "/dj-rest-auth/token/refresh/",
          "body": { "json": { "refresh": "{renewalToken}" } },
          "reads": { "token": "/access", "renewalToken": "/refresh", "expiry": { "jwt": "token" } },
          "meanings": [
            {
              "when": {
                "all": [
                  { "status": 401 },
                  { "pointer": "/code", "isOneOf": ["token_not_valid", "no_active_account"] }
                ]
              },
              "means": "endedForGood"
            }
          ]
        },
        "verify": {
          "method": "POST",
          "path": "/dj-rest-auth/token/verify/",
          "proof": false,
          "body": { "json": { "token": "{token}" } }
        },
        "who": {
          "method": "GET",
          "path": "/dj-rest-auth/user/",
          "reads": { "userID": "/pk", "userName": "/username" }
        },
        "end": {
          "method": "POST",
          "path": "/dj-rest-auth/logout/",
          "body": { "json": { "refresh": "{renewalToken}" } }
        },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "meanings": [
          {
            "when": { "all": [{ "status": 401 }, { "pointer": "/code", "is": "token_not_valid" }] },
            "means": "expired"
          },
          {
            "when": {
              "all": [{ "status": 401 }, { "pointer": "/code", "isOneOf": ["user_not_found", "user_inactive"] }]
            },
            "means": "endedForGood"
          }
        ],
        "renewal": { "by": "renewalToken", "rotation": "sometimes", "afterLostAnswer": "sendSameAgain" }
      }
      """#)
}
