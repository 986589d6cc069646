extension ShippedDialect {
  /// dj-rest-auth with its tokens, which have no end until the server deletes them.
  ///
  /// Of the source, not of the pages: the words of the refusals, which are Django REST framework's.
  static let djRestAuth = ShippedDialect(
    name: "dj-rest-auth", title: "dj-rest-auth, tokens", tried: "dj-rest-auth 7.2.0",
    json: #"""
      {
        "dialect": 1,
        "name": "dj-rest-auth",
        "title": "dj-rest-auth, tokens",
        "sources": [
          "https://dj-rest-auth.readthedocs.io/en/latest/api_endpoints.html",
          "https://dj-rest-auth.readthedocs.io/en/latest/configuration.html",
          "https://www.django-rest-framework.org/api-guide/authentication/#tokenauthentication"
        ],
        "servers": { "server": { "title": "the API" } },
        "signIn": [
          {
            "method": "POST",
            "path": "/dj-rest-auth/login/",
            "body": { "json": { "username": "{username}", "password": "{password}" } },
            "reads": { "token": "/key" },
            "meanings": [
              {
                "when": { "all": [{ "status": 400 }, { "pointer": "/non_field_errors", "exists": true }] },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "who": {
          "method": "GET",
          "path": "/dj-rest-auth/user/",
          "reads": { "userID": "/pk", "userName": "/username" }
        },
        "end": { "method": "POST", "path": "/dj-rest-auth/logout/" },
        "proof": { "headers": { "Authorization": "Token {token}" } },
        "meanings": [
          {
            "when": {
              "all": [
                { "status": 401 },
                { "pointer": "/detail", "isOneOf": ["Invalid token.", "User inactive or deleted."] }
              ]
            },
            "means": "endedForGood"
          }
        ],
        "renewal": { "by": "none" }
      }
      """#)
}
