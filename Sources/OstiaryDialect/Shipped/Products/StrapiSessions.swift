extension ShippedDialect {
  /// Strapi's users and permissions with `jwtManagement: 'refresh'` and `httpOnly: false`: short-lived tokens,
  /// renewal, sign-out at the server.
  ///
  /// Of the source, not of the pages: a renewal may answer a new `refreshToken` too, a sign-out ends this session
  /// only, and the words of the refusals (`users-permissions/server/controllers/auth.js` and its tests, of
  /// github.com/strapi/strapi).
  static let strapiSessions = ShippedDialect(
    name: "strapi-sessions", title: "Strapi, sessions", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "strapi-sessions",
        "title": "Strapi, sessions",
        "sources": [
          "https://docs.strapi.io/cms/features/users-permissions#authentication-endpoints",
          "https://docs.strapi.io/cms/features/users-permissions#jwt-management-modes",
          "https://docs.strapi.io/cms/error-handling",
          "https://docs.strapi.io/cms/features/users-permissions#session-management-endpoints"
        ],
        "servers": { "server": { "title": "the Strapi server", "documented": "http://localhost:1337" } },
        "signIn": [
          {
            "method": "POST",
            "path": "/api/auth/local",
            "body": { "json": { "identifier": "{username}", "password": "{password}" } },
            "reads": {
              "token": "/jwt",
              "renewalToken": "/refreshToken",
              "expiry": { "jwt": "token" },
              "userID": "/user/id",
              "userName": "/user/username"
            },
            "meanings": [
              {
                "when": {
                  "all": [{ "status": 400 }, { "pointer": "/error/message", "contains": "has been blocked" }]
                },
                "means": "lockedUntil"
              },
              {
                "when": {
                  "all": [{ "status": 400 }, { "pointer": "/error/message", "is": "Invalid identifier or password" }]
                },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "renew": {
          "method": "POST",
          "path": "/api/auth/refresh",
          "body": { "json": { "refreshToken": "{renewalToken}" } },
          "reads": { "token": "/jwt", "renewalToken": "/refreshToken", "expiry": { "jwt": "token" } },
          "meanings": [
            {
              "when": { "all": [{ "status": 401 }, { "pointer": "/error/message", "is": "Invalid refresh token" }] },
              "means": "endedForGood"
            }
          ]
        },
        "who": { "method": "GET", "path": "/api/users/me", "reads": { "userID": "/id", "userName": "/username" } },
        "end": { "method": "POST", "path": "/api/auth/logout" },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "meanings": [
          {
            "when": { "all": [{ "status": 401 }, { "pointer": "/error/name", "is": "UnauthorizedError" }] },
            "means": "expired"
          }
        ],
        "renewal": { "by": "renewalToken", "rotation": "sometimes", "afterLostAnswer": "ask" }
      }
      """#)
}
