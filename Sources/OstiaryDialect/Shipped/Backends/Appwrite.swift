extension ShippedDialect {
  /// Appwrite, as its client-side interface: the session is cookies, and each request names the project. The second
  /// factor is the authenticator app's; Appwrite makes a challenge before the code is asked for.
  static let appwrite = ShippedDialect(
    name: "appwrite", title: "Appwrite", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "appwrite",
        "title": "Appwrite",
        "sources": [
          "https://appwrite.io/docs/apis/rest",
          "https://appwrite.io/docs/products/auth/email-password",
          "https://appwrite.io/docs/products/auth/mfa",
          "https://appwrite.io/docs/references/cloud/client-rest/account",
          "https://appwrite.io/docs/advanced/platform/response-codes"
        ],
        "servers": { "server": { "title": "the Appwrite server", "documented": "https://cloud.appwrite.io" } },
        "settings": { "project": { "title": "the project's ID", "secret": false, "required": true } },
        "signIn": [
          {
            "method": "POST",
            "path": "/v1/account/sessions/email",
            "headers": { "X-Appwrite-Project": "{project}" },
            "body": { "json": { "email": "{username}", "password": "{password}" } },
            "reads": { "userID": "/userId", "expiry": { "at": "/expire", "as": "rfc3339" } },
            "meanings": [
              { "when": { "pointer": "/type", "is": "user_invalid_credentials" }, "means": "wrongPassword" },
              { "when": { "pointer": "/type", "is": "user_blocked" }, "means": "lockedUntil" }
            ]
          },
          {
            "method": "GET",
            "path": "/v1/account",
            "headers": { "X-Appwrite-Project": "{project}" },
            "reads": { "userID": "/$id", "userName": ["/name", "/email"] },
            "meanings": [
              {
                "when": { "pointer": "/type", "is": "user_more_factors_required" },
                "means": "secondFactor",
                "kind": "totp",
                "title": "The code of the authenticator app"
              }
            ]
          }
        ],
        "continue": {
          "totp": {
            "before": [
              {
                "method": "POST",
                "path": "/v1/account/mfa/challenges",
                "headers": { "X-Appwrite-Project": "{project}" },
                "body": { "json": { "factor": "totp" } },
                "reads": { "values": { "challenge": "/$id" } }
              }
            ],
            "method": "PUT",
            "path": "/v1/account/mfa/challenges",
            "headers": { "X-Appwrite-Project": "{project}" },
            "body": { "json": { "challengeId": "{challenge}", "otp": "{code}" } },
            "meanings": [
              {
                "when": { "pointer": "/type", "is": "user_invalid_token" },
                "means": "secondFactor",
                "kind": "totp",
                "title": "The code of the authenticator app"
              }
            ]
          }
        },
        "who": {
          "method": "GET",
          "path": "/v1/account",
          "reads": { "userID": "/$id", "userName": ["/name", "/email"] }
        },
        "end": { "method": "DELETE", "path": "/v1/account/sessions/current" },
        "proof": { "cookies": ["a_session_*"], "headers": { "X-Appwrite-Project": "{project}" } },
        "meanings": [
          { "when": { "pointer": "/type", "is": "user_blocked" }, "means": "endedForGood" },
          {
            "when": {
              "all": [
                { "status": 401 },
                { "pointer": "/type", "is": "general_unauthorized_scope" },
                { "pointer": "/message", "contains": "role: guests" }
              ]
            },
            "means": "expired"
          },
          { "when": { "pointer": "/type", "is": "general_rate_limit_exceeded" }, "means": "tryLater" }
        ],
        "renewal": { "by": "credential" }
      }
      """#)
}
