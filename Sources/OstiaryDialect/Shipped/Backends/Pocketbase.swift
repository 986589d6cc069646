extension ShippedDialect {
  /// PocketBase: an auth record with its e-mail (or another unique field) and password. Tokens are renewed by
  /// themselves, and the old one stays good until it expires. Where the collection wants two methods, the second one
  /// is the code that PocketBase sends to the e-mail address, so the user name has to be that address.
  ///
  /// Of the source, not of the pages: the message of a wrong password (`apis/record_auth_with_password.go` of
  /// github.com/pocketbase/pocketbase).
  static let pocketbase = ShippedDialect(
    name: "pocketbase", title: "PocketBase", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "pocketbase",
        "title": "PocketBase",
        "sources": ["https://pocketbase.io/docs/api-records/", "https://pocketbase.io/docs/authentication/"],
        "servers": { "server": { "title": "the PocketBase server", "documented": "http://127.0.0.1:8090" } },
        "settings": {
          "collection": { "title": "the auth collection", "secret": false, "required": false, "default": "users" }
        },
        "signIn": [
          {
            "method": "POST",
            "path": "/api/collections/{collection}/auth-with-password",
            "body": { "json": { "identity": "{username}", "password": "{password}" } },
            "reads": {
              "token": "/token",
              "expiry": { "jwt": "token" },
              "userID": "/record/id",
              "userName": ["/record/name", "/record/email"],
              "attributes": { "collection": "/record/collectionName" }
            },
            "meanings": [
              {
                "when": { "all": [{ "status": 401 }, { "pointer": "/mfaId", "exists": true }] },
                "means": "secondFactor",
                "kind": "email",
                "handle": "/mfaId",
                "title": "The code of the e-mail"
              },
              {
                "when": {
                  "all": [{ "status": 400 }, { "pointer": "/message", "contains": "Failed to authenticate" }]
                },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "continue": {
          "email": {
            "before": [
              {
                "method": "POST",
                "path": "/api/collections/{collection}/request-otp",
                "body": { "json": { "email": "{username}" } },
                "reads": { "values": { "otpID": "/otpId" } }
              }
            ],
            "method": "POST",
            "path": "/api/collections/{collection}/auth-with-otp",
            "body": { "json": { "otpId": "{otpID}", "password": "{code}", "mfaId": "{handle}" } },
            "reads": {
              "token": "/token",
              "expiry": { "jwt": "token" },
              "userID": "/record/id",
              "userName": ["/record/name", "/record/email"],
              "attributes": { "collection": "/record/collectionName" }
            }
          }
        },
        "renew": {
          "method": "POST",
          "path": "/api/collections/{collection}/auth-refresh",
          "proof": true,
          "reads": { "token": "/token", "expiry": { "jwt": "token" } },
          "meanings": [
            {
              "when": {
                "all": [{ "status": 401 }, { "pointer": "/message", "contains": "valid record authorization token" }]
              },
              "means": "endedForGood"
            }
          ]
        },
        "verify": {
          "method": "POST",
          "path": "/api/collections/{collection}/auth-refresh",
          "reads": { "userID": "/record/id" },
          "meanings": [
            {
              "when": {
                "all": [{ "status": 401 }, { "pointer": "/message", "contains": "valid record authorization token" }]
              },
              "means": "endedForGood"
            }
          ]
        },
        "proof": { "headers": { "Authorization": "{token}" } },
        "meanings": [
          {
            "when": {
              "all": [{ "status": 401 }, { "pointer": "/message", "contains": "valid record authorization token" }]
            },
            "means": "expired"
          }
        ],
        "renewal": { "by": "token", "rotation": "never", "afterLostAnswer": "sendSameAgain" }
      }
      """#)
}
