extension ShippedDialect {
  /// Laravel Sanctum's cookies for an app of the site itself. Each request has the CSRF cookie's value as a field,
  /// and names one of the hosts that the server counts as its own (`SANCTUM_STATEFUL_DOMAINS`). The login routes are
  /// Fortify's, with its second factor.
  ///
  /// Of the source, not of the pages: a login without a second factor answers `two_factor` with false
  /// (`LoginResponse` of github.com/laravel/fortify), and 204 where the application's own route is the starter kit's, which says as a mistake
  /// in the address that there were too many attempts (`LoginRequest` of github.com/laravel/breeze, in English).
  /// A page is neither: a host in between that answers with one signs no user in. Each answer sets the session's cookie anew, with the time
  /// for which the application lets a session be idle (`StartSession` of github.com/laravel/framework).
  static let laravelSanctumCookie = ShippedDialect(
    name: "laravel-sanctum-cookie", title: "Laravel Sanctum, cookies", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "laravel-sanctum-cookie",
        "title": "Laravel Sanctum, cookies",
        "sources": [
          "https://laravel.com/docs/sanctum#spa-authentication",
          "https://laravel.com/docs/sanctum#csrf-protection",
          "https://laravel.com/docs/fortify#authentication",
          "https://laravel.com/docs/fortify#authenticating-with-two-factor-authentication"
        ],
        "servers": { "server": { "title": "the Laravel application" } },
        "settings": {
          "origin": {
            "title": "an address that the server counts as its own, such as https://app.example.com",
            "secret": false,
            "required": true
          }
        },
        "prepare": [
          {
            "method": "GET",
            "path": "/sanctum/csrf-cookie",
            "headers": { "Accept": "application/json", "Referer": "{origin}" },
            "reads": { "values": { "xsrf": { "cookie": "XSRF-TOKEN", "as": "percentDecoded" } } }
          }
        ],
        "signIn": [
          {
            "method": "POST",
            "path": "/login",
            "headers": { "Accept": "application/json", "Referer": "{origin}", "X-XSRF-TOKEN": "{xsrf}" },
            "body": { "json": { "email": "{username}", "password": "{password}" } },
            "success": { "any": [{ "pointer": "/two_factor", "is": false }, { "status": 204 }] },
            "reads": {
              "userID": { "text": "{username}" },
              "userName": { "text": "{username}" },
              "values": { "xsrf": { "cookie": "XSRF-TOKEN", "as": "percentDecoded" } }
            },
            "meanings": [
              {
                "when": { "pointer": "/two_factor", "is": true },
                "means": "secondFactor",
                "kind": "totp",
                "title": "The code of the authenticator app"
              },
              {
                "when": {
                  "all": [{ "status": 422 }, { "pointer": "/errors/email/0", "contains": "too many login attempts" }]
                },
                "means": "tryLater"
              },
              {
                "when": { "all": [{ "status": 422 }, { "pointer": "/errors/email", "exists": true }] },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "continue": {
          "totp": {
            "method": "POST",
            "path": "/two-factor-challenge",
            "headers": { "Accept": "application/json", "Referer": "{origin}", "X-XSRF-TOKEN": "{xsrf}" },
            "body": { "json": { "code": "{code}" } },
            "success": { "status": 204 },
            "reads": { "userID": { "text": "{username}" }, "userName": { "text": "{username}" } },
            "meanings": [
              {
                "when": { "all": [{ "status": 422 }, { "pointer": "/errors/code", "exists": true }] },
                "means": "secondFactor",
                "kind": "totp",
                "title": "The code of the authenticator app"
              }
            ]
          }
        },
        "verify": { "method": "GET", "path": "/api/user" },
        "end": { "method": "POST", "path": "/logout" },
        "proof": {
          "cookies": ["*"],
          "csrf": { "cookie": "XSRF-TOKEN", "as": "percentDecoded", "header": "X-XSRF-TOKEN" },
          "headers": { "Accept": "application/json", "Referer": "{origin}" }
        },
        "meanings": [
          {
            "when": { "all": [{ "status": 401 }, { "pointer": "/message", "is": "Unauthenticated." }] },
            "means": "expired"
          },
          { "when": { "status": 419 }, "means": "expired" }
        ],
        "renewal": { "by": "cookies" }
      }
      """#)
}
