extension ShippedDialect {
  /// Django REST framework's `TokenAuthentication`, with the route that its pages show. The token has no end until
  /// the server deletes it.
  ///
  /// Of the source, not of the pages: the words of the refusals (`rest_framework/authentication.py` and
  /// `authtoken/serializers.py` of github.com/encode/django-rest-framework), which a server with another language
  /// than English translates.
  static let drfToken = ShippedDialect(
    name: "drf-token", title: "Django REST framework, token authentication", tried: "Django REST framework 3.18.3",
    json: #"""
      {
        "dialect": 1,
        "name": "drf-token",
        "title": "Django REST framework, token authentication",
        "sources": [
          "https://www.django-rest-framework.org/api-guide/authentication/#tokenauthentication",
          "https://www.django-rest-framework.org/api-guide/authentication/#by-exposing-an-api-endpoint"
        ],
        "servers": { "server": { "title": "the API" } },
        "signIn": [
          {
            "method": "POST",
            "path": "/api-token-auth/",
            "body": { "json": { "username": "{username}", "password": "{password}" } },
            "reads": { "token": "/token", "userID": { "text": "{username}" }, "userName": { "text": "{username}" } },
            "meanings": [
              {
                "when": { "all": [{ "status": 400 }, { "pointer": "/non_field_errors", "exists": true }] },
                "means": "wrongPassword"
              }
            ]
          }
        ],
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
