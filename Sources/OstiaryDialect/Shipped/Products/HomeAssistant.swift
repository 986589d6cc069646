extension ShippedDialect {
  /// Home Assistant with a user of its own (`homeassistant` provider), by the login flow that its frontend uses. The
  /// pages describe the authorization code and the token endpoint; the flow between (`/auth/login_flow`) is of the
  /// source (`homeassistant/components/auth/login_flow.py` and `homeassistant/auth/providers/__init__.py` of
  /// github.com/home-assistant/core), as is `invalid_grant`.
  ///
  /// A user with several second factors would have to choose one first, which isn't described here.
  static let homeAssistant = ShippedDialect(
    name: "home-assistant", title: "Home Assistant", tried: "Home Assistant 2024.3.3",
    json: #"""
      {
        "dialect": 1,
        "name": "home-assistant",
        "title": "Home Assistant",
        "sources": [
          "https://developers.home-assistant.io/docs/auth_api/",
          "https://developers.home-assistant.io/docs/api/rest/",
          "https://github.com/home-assistant/core/blob/dev/homeassistant/components/auth/login_flow.py"
        ],
        "servers": {
          "server": { "title": "the Home Assistant instance", "documented": "http://homeassistant.local:8123" }
        },
        "settings": {
          "clientID": {
            "title": "the app's web address, which is its client ID, such as https://www.my-application.io",
            "secret": false,
            "required": true
          }
        },
        "prepare": [
          {
            "method": "POST",
            "path": "/auth/login_flow",
            "body": {
              "json": { "client_id": "{clientID}", "handler": ["homeassistant", null], "redirect_uri": "{clientID}" }
            },
            "reads": { "values": { "flow": "/flow_id" } }
          }
        ],
        "signIn": [
          {
            "method": "POST",
            "path": "/auth/login_flow/{flow}",
            "body": { "json": { "client_id": "{clientID}", "username": "{username}", "password": "{password}" } },
            "success": { "pointer": "/type", "is": "create_entry" },
            "reads": { "values": { "grant": "/result" } },
            "meanings": [
              { "when": { "pointer": "/errors/base", "is": "invalid_auth" }, "means": "wrongPassword" },
              {
                "when": { "pointer": "/step_id", "is": "mfa" },
                "means": "secondFactor",
                "kind": "mfa",
                "title": "The code of the second factor"
              }
            ]
          },
          {
            "method": "POST",
            "path": "/auth/token",
            "body": { "form": { "grant_type": "authorization_code", "code": "{grant}", "client_id": "{clientID}" } },
            "reads": {
              "token": "/access_token",
              "renewalToken": "/refresh_token",
              "kind": "/token_type",
              "expiry": { "in": "/expires_in", "unit": "seconds" },
              "userID": { "text": "{username}" },
              "userName": { "text": "{username}" }
            },
            "meanings": [
              {
                "when": { "all": [{ "status": 403 }, { "pointer": "/error", "is": "access_denied" }] },
                "means": "lockedUntil"
              }
            ]
          }
        ],
        "continue": {
          "mfa": {
            "method": "POST",
            "path": "/auth/login_flow/{flow}",
            "body": { "json": { "client_id": "{clientID}", "code": "{code}" } },
            "success": { "pointer": "/type", "is": "create_entry" },
            "reads": { "values": { "grant": "/result" } },
            "meanings": [
              {
                "when": { "pointer": "/step_id", "is": "mfa" },
                "means": "secondFactor",
                "kind": "mfa",
                "title": "The code of the second factor"
              }
            ]
          }
        },
        "renew": {
          "method": "POST",
          "path": "/auth/token",
          "body": {
            "form": { "grant_type": "refresh_token", "refresh_token": "{renewalToken}", "client_id": "{clientID}" }
          },
          "reads": { "token": "/access_token", "expiry": { "in": "/expires_in", "unit": "seconds" } },
          "meanings": [
            {
              "when": { "pointer": "/error", "isOneOf": ["invalid_grant", "access_denied"] },
              "means": "endedForGood"
            }
          ]
        },
        "verify": { "method": "GET", "path": "/api/" },
        "end": {
          "method": "POST",
          "path": "/auth/token",
          "proof": false,
          "body": { "form": { "token": "{renewalToken}", "action": "revoke" } }
        },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "renewal": { "by": "renewalToken", "rotation": "never", "afterLostAnswer": "sendSameAgain" }
      }
      """#)
}
