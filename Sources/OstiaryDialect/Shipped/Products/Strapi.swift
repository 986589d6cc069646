extension ShippedDialect {
  /// Strapi's users and permissions in its default mode, `legacy-support`: a token that lasts for days, no renewal,
  /// no sign-out at the server.
  ///
  /// Of the source, not of the pages: the words of the refusals (`users-permissions/server/controllers/auth.js` of
  /// github.com/strapi/strapi).
  static let strapi = ShippedDialect(
    name: "strapi", title: "Strapi, long-lived tokens", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "strapi",
        "title": "Strapi, long-lived tokens",
        "sources": [
          "https://docs.strapi.io/cms/features/users-permissions#authentication-endpoints",
          "https://docs.strapi.io/cms/features/users-permissions#jwt-management-modes",
          "https://docs.strapi.io/cms/error-handling"
        ],
        "servers": { "server": { "title": "the Strapi server", "documented": "http://localhost:1337" } },
        "signIn": [
          {
            "method": "POST",
            "path": "/api/auth/local",
            "body": { "json": { "identifier": "{username}", "password": "{password}" } },
            "reads": {
              "token": "/jwt",
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
        "who": { "method": "GET", "path": "/api/users/me", "reads": { "userID": "/id", "userName": "/username" } },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "meanings": [
          {
            "when": { "all": [{ "status": 401 }, { "pointer": "/error/name", "is": "UnauthorizedError" }] },
            "means": "expired"
          }
        ],
        "renewal": { "by": "credential" }
      }
      """#)
}
