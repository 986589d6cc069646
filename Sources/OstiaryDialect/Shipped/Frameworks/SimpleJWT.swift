extension ShippedDialect {
  /// Django REST framework with Simple JWT, at the routes of its pages. The routes for verifying and for the
  /// blacklist are there only if the project adds them: a sign-out where there is none is the end on this side only.
  ///
  /// Of the source, not of the pages: the codes of the refusals (`rest_framework_simplejwt/serializers.py` and
  /// `authentication.py` of github.com/jazzband/djangorestframework-simplejwt).
  static let simpleJWT = ShippedDialect(
    name: "simplejwt", title: "Django REST framework with Simple JWT",
    tried: "Django REST framework 3.18.3 with Simple JWT 5.5.1",
    json: #"""
      {
        "dialect": 1,
        "name": "simplejwt",
        "title": "Django REST framework with Simple JWT",
        "sources": [
          "https://django-rest-framework-simplejwt.readthedocs.io/en/latest/getting_started.html",
          "https://django-rest-framework-simplejwt.readthedocs.io/en/latest/settings.html",
          "https://django-rest-framework-simplejwt.readthedocs.io/en/latest/blacklist_app.html"
        ],
        "servers": { "server": { "title": "the API", "documented": "http://localhost:8000" } },
        "signIn": [
          {
            "method": "POST",
            "path": "/api/token/",
            "body": { "json": { "username": "{username}", "password": "{password}" } },
            "reads": {
              "token": "/access",
              "renewalToken": "/refresh",
              "expiry": { "jwt": "token" },
              "userID": { "jwt": "token", "pointer": "/user_id" },
              "userName": { "text": "{username}" }
            },
            "meanings": [
              {
                "when": { "all": [{ "status": 401 }, { "pointer": "/code", "is": "no_active_account" }] },
                "means": "wrongPassword"
              },
              {
                "when": { "all": [{ "status": 401 }, { "pointer": "/detail", "exists": true }] },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "renew": {
          "method": "POST",
          "path": "/api/token/refresh/",
          "body": { "json": { "refresh": "{renewalToken}" } },
          "reads": { "token": "/access", "renewalToken": "/refresh", "expiry": { "jwt": "token" } },
          "meanings": [
            {
              "when": {
                "all": [
                  { "status": 401 },
                  { "pointer": "/code", "isOneOf": ["token_not_valid", "no_active_account"] }
                ]
              },
              "means": "endedForGood"
            }
          ]
        },
        "verify": {
          "method": "POST",
          "path": "/api/token/verify/",
          "proof": false,
          "body": { "json": { "token": "{token}" } }
        },
        "end": {
          "method": "POST",
          "path": "/api/token/blacklist/",
          "proof": false,
          "body": { "json": { "refresh": "{renewalToken}" } },
          "success": { "any": [{ "status": { "from": 200, "to": 299 } }, { "status": 404 }] }
        },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "meanings": [
          {
            "when": { "all": [{ "status": 401 }, { "pointer": "/code", "is": "token_not_valid" }] },
            "means": "expired"
          },
          {
            "when": {
              "all": [{ "status": 401 }, { "pointer": "/code", "isOneOf": ["user_not_found", "user_inactive"] }]
            },
            "means": "endedForGood"
          }
        ],
        "renewal": { "by": "renewalToken", "rotation": "sometimes", "afterLostAnswer": "sendSameAgain" }
      }
      """#)
}
