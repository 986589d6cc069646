extension ShippedDialect {
  /// Firebase Authentication by its REST interface: e-mail and password, and a second factor from an authenticator
  /// app. A second factor by SMS needs reCAPTCHA, which only Google's own libraries have.
  ///
  /// Of the source, not of the pages: `INVALID_CODE`, and `INVALID_LOGIN_CREDENTIALS` of projects that protect
  /// against the enumeration of addresses (`packages/auth/src/api/errors.ts` of github.com/firebase/firebase-js-sdk).
  static let firebase = ShippedDialect(
    name: "firebase", title: "Firebase Authentication (Identity Toolkit)", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "firebase",
        "title": "Firebase Authentication (Identity Toolkit)",
        "sources": [
          "https://firebase.google.com/docs/reference/rest/auth",
          "https://cloud.google.com/identity-platform/docs/reference/rest/v1/accounts/signInWithPassword",
          "https://cloud.google.com/identity-platform/docs/reference/rest/v2/accounts.mfaSignIn/finalize",
          "https://cloud.google.com/apis/design/errors"
        ],
        "servers": {
          "server": {
            "title": "the service that takes the ID token: your own, or Firestore",
            "documented": "https://firestore.googleapis.com"
          },
          "identity": { "title": "Identity Toolkit", "documented": "https://identitytoolkit.googleapis.com" },
          "tokens": { "title": "Secure Token", "documented": "https://securetoken.googleapis.com" }
        },
        "settings": { "apiKey": { "title": "the project's web API key", "secret": false, "required": true } },
        "signIn": [
          {
            "server": "identity",
            "method": "POST",
            "path": "/v1/accounts:signInWithPassword",
            "query": { "key": "{apiKey}" },
            "body": { "json": { "email": "{username}", "password": "{password}", "returnSecureToken": true } },
            "reads": {
              "token": "/idToken",
              "renewalToken": "/refreshToken",
              "expiry": { "in": "/expiresIn", "unit": "seconds" },
              "userID": "/localId",
              "userName": ["/displayName", "/email"],
              "values": { "enrollment": "/mfaInfo/0/mfaEnrollmentId" }
            },
            "meanings": [
              {
                "when": {
                  "pointer": "/error/message",
                  "isOneOf": ["INVALID_LOGIN_CREDENTIALS", "INVALID_PASSWORD", "EMAIL_NOT_FOUND"]
                },
                "means": "wrongPassword"
              },
              { "when": { "pointer": "/error/message", "is": "USER_DISABLED" }, "means": "lockedUntil" },
              {
                "when": { "pointer": "/error/message", "contains": "TOO_MANY_ATTEMPTS_TRY_LATER" },
                "means": "tryLater"
              },
              {
                "when": {
                  "all": [
                    { "pointer": "/mfaPendingCredential", "exists": true },
                    { "pointer": "/mfaInfo/0/totpInfo", "exists": true }
                  ]
                },
                "means": "secondFactor",
                "kind": "totp",
                "handle": "/mfaPendingCredential",
                "title": "The code of the authenticator app"
              }
            ]
          }
        ],
        "continue": {
          "totp": {
            "server": "identity",
            "method": "POST",
            "path": "/v2/accounts/mfaSignIn:finalize",
            "query": { "key": "{apiKey}" },
            "body": {
              "json": {
                "mfaPendingCredential": "{handle}",
                "mfaEnrollmentId": "{enrollment}",
                "totpVerificationInfo": { "verificationCode": "{code}" }
              }
            },
            "reads": {
              "token": "/idToken",
              "renewalToken": "/refreshToken",
              "expiry": { "jwt": "token" },
              "userID": { "jwt": "token", "pointer": "/sub" }
            },
            "meanings": [
              {
                "when": { "pointer": "/error/message", "is": "INVALID_CODE" },
                "means": "secondFactor",
                "kind": "totp",
                "title": "The code of the authenticator app"
              }
            ]
          }
        },
        "renew": {
          "server": "tokens",
          "method": "POST",
          "path": "/v1/token",
          "query": { "key": "{apiKey}" },
          "body": { "form": { "grant_type": "refresh_token", "refresh_token": "{renewalToken}" } },
          "reads": {
            "token": "/id_token",
            "renewalToken": "/refresh_token",
            "expiry": { "in": "/expires_in", "unit": "seconds" }
          },
          "meanings": [
            {
              "when": {
                "pointer": "/error/message",
                "isOneOf": ["TOKEN_EXPIRED", "USER_DISABLED", "USER_NOT_FOUND", "INVALID_REFRESH_TOKEN"]
              },
              "means": "endedForGood"
            }
          ]
        },
        "who": {
          "server": "identity",
          "method": "POST",
          "path": "/v1/accounts:lookup",
          "query": { "key": "{apiKey}" },
          "proof": false,
          "body": { "json": { "idToken": "{token}" } },
          "reads": { "userID": "/users/0/localId", "userName": ["/users/0/displayName", "/users/0/email"] },
          "meanings": [
            { "when": { "pointer": "/error/message", "is": "USER_NOT_FOUND" }, "means": "endedForGood" },
            { "when": { "pointer": "/error/message", "is": "INVALID_ID_TOKEN" }, "means": "expired" }
          ]
        },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "meanings": [
          {
            "when": { "all": [{ "status": 401 }, { "pointer": "/error/status", "is": "UNAUTHENTICATED" }] },
            "means": "expired"
          }
        ],
        "renewal": { "by": "renewalToken", "rotation": "sometimes", "afterLostAnswer": "sendSameAgain" }
      }
      """#)
}
