extension ShippedDialect {
  /// WordPress with the plug-in JWT Authentication for WP REST API.
  ///
  /// Of the source, not of the pages: since version 1.2 the code of a wrong password begins with `[jwt_auth]`
  /// (`public/class-jwt-auth-public.php` of github.com/Tmeister/wp-api-jwt-auth).
  static let wordPressJWT = ShippedDialect(
    name: "wordpress-jwt", title: "WordPress, JWT plug-in", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "wordpress-jwt",
        "title": "WordPress, JWT plug-in",
        "sources": [
          "https://github.com/Tmeister/wp-api-jwt-auth#readme",
          "https://wordpress.org/plugins/jwt-authentication-for-wp-rest-api/",
          "https://developer.wordpress.org/rest-api/reference/users/#retrieve-a-user-2"
        ],
        "servers": { "server": { "title": "the WordPress site" } },
        "signIn": [
          {
            "method": "POST",
            "path": "/wp-json/jwt-auth/v1/token",
            "body": { "json": { "username": "{username}", "password": "{password}" } },
            "reads": {
              "token": "/token",
              "expiry": { "jwt": "token" },
              "userID": { "jwt": "token", "pointer": "/data/user/id" },
              "userName": "/user_display_name",
              "attributes": { "email": "/user_email" }
            },
            "meanings": [
              {
                "when": {
                  "all": [
                    { "status": 403 },
                    {
                      "pointer": "/code",
                      "isOneOf": [
                        "jwt_auth_failed", "[jwt_auth] incorrect_password", "[jwt_auth] invalid_username",
                        "[jwt_auth] invalid_email"
                      ]
                    }
                  ]
                },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "verify": { "method": "POST", "path": "/wp-json/jwt-auth/v1/token/validate" },
        "who": {
          "method": "GET",
          "path": "/wp-json/wp/v2/users/me",
          "reads": { "userID": "/id", "userName": "/name" }
        },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "meanings": [
          {
            "when": {
              "any": [
                { "pointer": "/code", "is": "jwt_auth_invalid_token" },
                { "pointer": "/0/code", "is": "jwt_auth_invalid_token" }
              ]
            },
            "means": "expired"
          }
        ],
        "renewal": { "by": "credential" }
      }
      """#)
}
