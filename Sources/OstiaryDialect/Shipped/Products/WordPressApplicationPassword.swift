extension ShippedDialect {
  /// WordPress with an application password, which the user makes in the profile for this one app. It is sent with
  /// each request, and is good until the user revokes it there: a sign-out here doesn't.
  ///
  /// Of the source, not of the pages: the codes of a refusal (`wp_authenticate_application_password` in
  /// `wp-includes/user.php`).
  static let wordPressApplicationPassword = ShippedDialect(
    name: "wordpress-application-password", title: "WordPress, application passwords", tried: "WordPress 6.1.9",
    json: #"""
      {
        "dialect": 1,
        "name": "wordpress-application-password",
        "title": "WordPress, application passwords",
        "sources": [
          "https://developer.wordpress.org/rest-api/using-the-rest-api/authentication/",
          "https://make.wordpress.org/core/2020/11/05/application-passwords-integration-guide/",
          "https://developer.wordpress.org/rest-api/reference/users/#retrieve-a-user-2"
        ],
        "servers": { "server": { "title": "the WordPress site" } },
        "signIn": [
          {
            "method": "GET",
            "path": "/wp-json/wp/v2/users/me",
            "body": { "basic": { "username": "{username}", "password": "{password}" } },
            "reads": {
              "token": { "applicationPassword": true },
              "userID": "/id",
              "userName": "/name",
              "values": { "loginName": { "text": "{username}" } }
            },
            "meanings": [
              {
                "when": {
                  "pointer": "/code",
                  "isOneOf": ["incorrect_password", "invalid_username", "invalid_email"]
                },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "who": {
          "method": "GET",
          "path": "/wp-json/wp/v2/users/me",
          "reads": { "userID": "/id", "userName": "/name" }
        },
        "proof": { "basic": { "username": "{loginName}", "password": "{token}" } },
        "meanings": [
          {
            "when": {
              "all": [
                { "status": 401 },
                { "pointer": "/code", "isOneOf": ["incorrect_password", "invalid_username", "invalid_email"] }
              ]
            },
            "means": "endedForGood"
          }
        ],
        "renewal": { "by": "none" }
      }
      """#)
}
