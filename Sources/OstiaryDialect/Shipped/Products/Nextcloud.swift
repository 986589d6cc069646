extension ShippedDialect {
  /// Nextcloud: the password is exchanged for an app password of this device, which the session keeps and a sign-out
  /// deletes. A user with a second factor gives an app password in place of the password (the server refuses the
  /// password itself then); that one is used as it is.
  ///
  /// Of the source, not of the pages: the message that the password is an app password already
  /// (`core/Controller/AppPasswordController.php` of github.com/nextcloud/server), and status code 997 of the
  /// interface for a request without a user.
  static let nextcloud = ShippedDialect(
    name: "nextcloud", title: "Nextcloud", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "nextcloud",
        "title": "Nextcloud",
        "sources": [
          "https://docs.nextcloud.com/server/latest/developer_manual/client_apis/LoginFlow/index.html",
          "https://docs.nextcloud.com/server/latest/developer_manual/client_apis/OCS/ocs-api-overview.html"
        ],
        "servers": { "server": { "title": "the Nextcloud server", "documented": "https://cloud.example.com" } },
        "signIn": [
          {
            "method": "GET",
            "path": "/ocs/v2.php/core/getapppassword",
            "headers": { "OCS-APIRequest": "true", "Accept": "application/json", "User-Agent": "{deviceName?}" },
            "body": { "basic": { "username": "{username}", "password": "{password}" } },
            "success": {
              "any": [
                { "all": [{ "status": 200 }, { "pointer": "/ocs/data/apppassword", "exists": true }] },
                { "all": [{ "status": 403 }, { "pointer": "/ocs/meta/message", "contains": "with an apppassword" }] }
              ]
            },
            "reads": {
              "token": ["/ocs/data/apppassword", { "applicationPassword": true }],
              "values": { "loginName": { "text": "{username}" } }
            },
            "meanings": [
              {
                "when": { "all": [{ "status": 401 }, { "pointer": "/ocs/meta/statuscode", "isOneOf": [997, 401] }] },
                "means": "wrongPassword"
              }
            ]
          }
        ],
        "who": {
          "method": "GET",
          "path": "/ocs/v2.php/cloud/user",
          "reads": { "userID": "/ocs/data/id", "userName": ["/ocs/data/displayname", "/ocs/data/display-name"] }
        },
        "end": { "method": "DELETE", "path": "/ocs/v2.php/core/apppassword" },
        "proof": {
          "basic": { "username": "{loginName}", "password": "{token}" },
          "headers": { "OCS-APIRequest": "true", "Accept": "application/json" }
        },
        "meanings": [
          {
            "when": { "all": [{ "status": 401 }, { "pointer": "/ocs/meta/statuscode", "isOneOf": [997, 401] }] },
            "means": "endedForGood"
          }
        ],
        "renewal": { "by": "none" }
      }
      """#)
}
