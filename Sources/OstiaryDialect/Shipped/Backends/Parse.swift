extension ShippedDialect {
  /// Parse Server. The pages sign in by `GET /parse/login` with the password in the query, where logs keep it; the
  /// server takes the same by POST with a JSON body (`src/Routers/UsersRouter.js` of
  /// github.com/parse-community/parse-server), and this dialect does that.
  ///
  /// Also of the source: the message of a locked account (`src/AccountLockout.js`).
  static let parse = ShippedDialect(
    name: "parse", title: "Parse Server", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "parse",
        "title": "Parse Server",
        "sources": [
          "https://docs.parseplatform.org/rest/guide/#logging-in",
          "https://docs.parseplatform.org/rest/guide/#validating-session-tokens--retrieving-current-user",
          "https://docs.parseplatform.org/rest/guide/#handling-invalid-session-token-error",
          "https://docs.parseplatform.org/rest/guide/#deleting-sessions",
          "https://docs.parseplatform.org/rest/guide/#error-codes"
        ],
        "servers": { "server": { "title": "the Parse server", "documented": "https://YOUR.PARSE-SERVER.HERE" } },
        "settings": {
          "applicationID": { "title": "the application's ID", "secret": false, "required": true },
          "restKey": { "title": "the REST API key, where the server has one", "secret": true, "required": false },
          "mount": {
            "title": "the path that Parse is mounted at",
            "secret": false,
            "required": false,
            "default": "parse"
          }
        },
        "signIn": [
          {
            "method": "POST",
            "path": "/{mount}/login",
            "headers": {
              "X-Parse-Application-Id": "{applicationID}",
              "X-Parse-REST-API-Key": "{restKey?}",
              "X-Parse-Revocable-Session": "1"
            },
            "body": { "json": { "username": "{username}", "password": "{password}" } },
            "reads": { "token": "/sessionToken", "userID": "/objectId", "userName": "/username" },
            "meanings": [
              {
                "when": {
                  "all": [
                    { "pointer": "/code", "is": 101 },
                    { "pointer": "/error", "contains": "account is locked" }
                  ]
                },
                "means": "lockedUntil"
              },
              {
                "when": {
                  "all": [
                    { "pointer": "/code", "is": 101 },
                    { "pointer": "/error", "contains": "password has expired" }
                  ]
                },
                "means": "passwordChange"
              },
              { "when": { "pointer": "/code", "is": 101 }, "means": "wrongPassword" }
            ]
          }
        ],
        "who": {
          "method": "GET",
          "path": "/{mount}/users/me",
          "reads": { "userID": "/objectId", "userName": "/username" }
        },
        "end": { "method": "POST", "path": "/{mount}/logout" },
        "proof": {
          "headers": {
            "X-Parse-Session-Token": "{token}",
            "X-Parse-Application-Id": "{applicationID}",
            "X-Parse-REST-API-Key": "{restKey?}"
          }
        },
        "meanings": [
          { "when": { "pointer": "/code", "is": 209 }, "means": "endedForGood" },
          { "when": { "pointer": "/code", "is": 155 }, "means": "tryLater" }
        ],
        "renewal": { "by": "none" }
      }
      """#)
}
