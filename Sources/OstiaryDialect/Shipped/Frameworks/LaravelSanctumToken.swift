extension ShippedDialect {
  /// Laravel Sanctum's tokens for mobile apps, with the route that its pages tell to make. The answer is the token
  /// itself, no JSON; one with markup in it is a page of a host in between. The server wants a name of the device.
  ///
  /// Of the source, not of the pages: `Unauthenticated.` (`AuthenticationException` of github.com/laravel/framework).
  static let laravelSanctumToken = ShippedDialect(
    name: "laravel-sanctum-token", title: "Laravel Sanctum, tokens", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "laravel-sanctum-token",
        "title": "Laravel Sanctum, tokens",
        "sources": [
          "https://laravel.com/docs/sanctum#issuing-mobile-api-tokens",
          "https://laravel.com/docs/sanctum#protecting-mobile-api-routes",
          "https://laravel.com/docs/validation#validation-error-response-format"
        ],
        "servers": { "server": { "title": "the Laravel application" } },
        "signIn": [
          {
            "method": "POST",
            "path": "/sanctum/token",
            "headers": { "Accept": "application/json" },
            "body": { "json": { "email": "{username}", "password": "{password}", "device_name": "{deviceName}" } },
            "success": {
              "all": [{ "status": { "from": 200, "to": 299 } }, { "not": { "body": { "contains": "<" } } }]
            },
            "reads": {
              "token": { "body": true },
              "userID": { "text": "{username}" },
              "userName": { "text": "{username}" }
            },
            "meanings": [
              {
                "when": { "all": [{ "status": 422 }, { "pointer": "/errors/email", "exists": true }] },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "verify": { "method": "GET", "path": "/api/user", "headers": { "Accept": "application/json" } },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "meanings": [
          {
            "when": { "all": [{ "status": 401 }, { "pointer": "/message", "is": "Unauthenticated." }] },
            "means": "endedForGood"
          }
        ],
        "renewal": { "by": "none" }
      }
      """#)
}
