extension ShippedDialect {
  /// Rails with devise-jwt, for a model called `user`. The token is in a field of the answer; signing out puts it on
  /// the server's list of revoked ones.
  ///
  /// Of the source, not of the pages: the words of the refusals (`devise/failure_app.rb` of
  /// github.com/heartcombo/devise writes `error`; github.com/ waiting-for-dev/devise-jwt/issues/135 shows `revoked
  /// token`; `Signature has expired` is ruby-jwt's).
  static let railsDeviseJWT = ShippedDialect(
    name: "rails-devise-jwt", title: "Rails with devise-jwt", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "rails-devise-jwt",
        "title": "Rails with devise-jwt",
        "sources": [
          "https://github.com/waiting-for-dev/devise-jwt#readme",
          "https://github.com/waiting-for-dev/devise-jwt/wiki/Configuring-devise-for-APIs",
          "https://github.com/heartcombo/devise#readme"
        ],
        "servers": { "server": { "title": "the Rails application" } },
        "signIn": [
          {
            "method": "POST",
            "path": "/users/sign_in",
            "headers": { "Accept": "application/json" },
            "body": { "json": { "user": { "email": "{username}", "password": "{password}" } } },
            "reads": {
              "token": { "header": "Authorization", "after": "Bearer " },
              "expiry": { "jwt": "token" },
              "userID": { "jwt": "token", "pointer": "/sub" },
              "userName": { "text": "{username}" }
            },
            "meanings": [
              {
                "when": { "all": [{ "status": 401 }, { "pointer": "/error", "contains": "account is locked" }] },
                "means": "lockedUntil"
              },
              {
                "when": { "all": [{ "status": 401 }, { "pointer": "/error", "exists": true }] },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "end": { "method": "DELETE", "path": "/users/sign_out", "headers": { "Accept": "application/json" } },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "meanings": [
          {
            "when": { "all": [{ "status": 401 }, { "pointer": "/error", "is": "revoked token" }] },
            "means": "endedForGood"
          },
          {
            "when": { "all": [{ "status": 401 }, { "pointer": "/error", "is": "Signature has expired" }] },
            "means": "expired"
          }
        ],
        "renewal": { "by": "credential" }
      }
      """#)
}
