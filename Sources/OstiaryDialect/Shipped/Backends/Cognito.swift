extension ShippedDialect {
  /// Amazon Cognito user pools, for an app client without a secret that allows `USER_PASSWORD_AUTH`. The password
  /// goes to Cognito; its own SRP needs Amazon's library.
  ///
  /// `newPassword` is a question whose answer is the new password of a user whom an administrator has made.
  static let cognito = ShippedDialect(
    name: "cognito", title: "Amazon Cognito user pools", tried: "never",
    json: #"""
      {
        "dialect": 1,
        "name": "cognito",
        "title": "Amazon Cognito user pools",
        "sources": [
          "https://docs.aws.amazon.com/goto/WebAPI/cognito-idp-2016-04-18/InitiateAuth",
          "https://docs.aws.amazon.com/goto/WebAPI/cognito-idp-2016-04-18/RespondToAuthChallenge",
          "https://docs.aws.amazon.com/goto/WebAPI/cognito-idp-2016-04-18/GetTokensFromRefreshToken",
          "https://docs.aws.amazon.com/goto/WebAPI/cognito-idp-2016-04-18/RefreshTokenRotationType",
          "https://docs.aws.amazon.com/goto/WebAPI/cognito-idp-2016-04-18/RevokeToken",
          "https://docs.aws.amazon.com/goto/WebAPI/cognito-idp-2016-04-18/GetUser",
          "https://docs.aws.amazon.com/cognito/latest/developerguide/amazon-cognito-user-pools-authentication-flow.html"
        ],
        "servers": {
          "server": { "title": "the API that takes the access token" },
          "cognito": {
            "title": "Cognito in the user pool's region",
            "documented": "https://cognito-idp.us-east-1.amazonaws.com"
          }
        },
        "settings": { "clientID": { "title": "the app client's ID", "secret": false, "required": true } },
        "signIn": [
          {
            "server": "cognito",
            "method": "POST",
            "path": "/",
            "headers": {
              "X-Amz-Target": "AWSCognitoIdentityProviderService.InitiateAuth",
              "Content-Type": "application/x-amz-json-1.1"
            },
            "body": {
              "json": {
                "AuthFlow": "USER_PASSWORD_AUTH",
                "ClientId": "{clientID}",
                "AuthParameters": { "USERNAME": "{username}", "PASSWORD": "{password}" }
              }
            },
            "reads": {
              "token": "/AuthenticationResult/AccessToken",
              "renewalToken": "/AuthenticationResult/RefreshToken",
              "expiry": { "in": "/AuthenticationResult/ExpiresIn", "unit": "seconds" },
              "userID": { "jwt": "token", "pointer": "/sub" },
              "userName": { "jwt": "token", "pointer": "/username" },
              "values": { "poolUser": ["/ChallengeParameters/USER_ID_FOR_SRP", { "text": "{username}" }] }
            },
            "meanings": [
              {
                "when": {
                  "all": [
                    { "pointer": "/__type", "contains": "NotAuthorizedException" },
                    { "pointer": "/message", "contains": "attempts exceeded" }
                  ]
                },
                "means": "lockedUntil"
              },
              {
                "when": {
                  "any": [
                    { "pointer": "/__type", "contains": "NotAuthorizedException" },
                    { "pointer": "/__type", "contains": "UserNotFoundException" }
                  ]
                },
                "means": "wrongPassword"
              },
              {
                "when": { "pointer": "/__type", "contains": "PasswordResetRequiredException" },
                "means": "passwordChange"
              },
              {
                "when": { "pointer": "/ChallengeName", "is": "SMS_MFA" },
                "means": "secondFactor",
                "kind": "sms",
                "handle": "/Session",
                "title": "The code of the text message"
              },
              {
                "when": { "pointer": "/ChallengeName", "is": "SOFTWARE_TOKEN_MFA" },
                "means": "secondFactor",
                "kind": "totp",
                "handle": "/Session",
                "title": "The code of the authenticator app"
              },
              {
                "when": { "pointer": "/ChallengeName", "is": "EMAIL_OTP" },
                "means": "secondFactor",
                "kind": "email",
                "handle": "/Session",
                "title": "The code of the e-mail"
              },
              {
                "when": { "pointer": "/ChallengeName", "is": "NEW_PASSWORD_REQUIRED" },
                "means": "secondFactor",
                "kind": "newPassword",
                "handle": "/Session",
                "title": "A new password, which the server asks for"
              }
            ]
          }
        ],
        "continue": {
          "sms": {
            "server": "cognito",
            "method": "POST",
            "path": "/",
            "headers": {
              "X-Amz-Target": "AWSCognitoIdentityProviderService.RespondToAuthChallenge",
              "Content-Type": "application/x-amz-json-1.1"
            },
            "body": {
              "json": {
                "ChallengeName": "SMS_MFA",
                "ClientId": "{clientID}",
                "Session": "{handle}",
                "ChallengeResponses": { "USERNAME": "{poolUser}", "SMS_MFA_CODE": "{code}" }
              }
            },
            "reads": {
              "token": "/AuthenticationResult/AccessToken",
              "renewalToken": "/AuthenticationResult/RefreshToken",
              "expiry": { "in": "/AuthenticationResult/ExpiresIn", "unit": "seconds" },
              "userID": { "jwt": "token", "pointer": "/sub" },
              "userName": { "jwt": "token", "pointer": "/username" }
            },
            "meanings": [
              {
                "when": { "pointer": "/__type", "contains": "CodeMismatchException" },
                "means": "secondFactor",
                "kind": "sms",
                "title": "The code of the text message"
              }
            ]
          },
          "totp": {
            "server": "cognito",
            "method": "POST",
            "path": "/",
            "headers": {
              "X-Amz-Target": "AWSCognitoIdentityProviderService.RespondToAuthChallenge",
              "Content-Type": "application/x-amz-json-1.1"
            },
            "body": {
              "json": {
                "ChallengeName": "SOFTWARE_TOKEN_MFA",
                "ClientId": "{clientID}",
                "Session": "{handle}",
                "ChallengeResponses": { "USERNAME": "{poolUser}", "SOFTWARE_TOKEN_MFA_CODE": "{code}" }
              }
            },
            "reads": {
              "token": "/AuthenticationResult/AccessToken",
              "renewalToken": "/AuthenticationResult/RefreshToken",
              "expiry": { "in": "/AuthenticationResult/ExpiresIn", "unit": "seconds" },
              "userID": { "jwt": "token", "pointer": "/sub" },
              "userName": { "jwt": "token", "pointer": "/username" }
            },
            "meanings": [
              {
                "when": { "pointer": "/__type", "contains": "CodeMismatchException" },
                "means": "secondFactor",
                "kind": "totp",
                "title": "The code of the authenticator app"
              }
            ]
          },
          "email": {
            "server": "cognito",
            "method": "POST",
            "path": "/",
            "headers": {
              "X-Amz-Target": "AWSCognitoIdentityProviderService.RespondToAuthChallenge",
              "Content-Type": "application/x-amz-json-1.1"
            },
            "body": {
              "json": {
                "ChallengeName": "EMAIL_OTP",
                "ClientId": "{clientID}",
                "Session": "{handle}",
                "ChallengeResponses": { "USERNAME": "{poolUser}", "EMAIL_OTP_CODE": "{code}" }
              }
            },
            "reads": {
              "token": "/AuthenticationResult/AccessToken",
              "renewalToken": "/AuthenticationResult/RefreshToken",
              "expiry": { "in": "/AuthenticationResult/ExpiresIn", "unit": "seconds" },
              "userID": { "jwt": "token", "pointer": "/sub" },
              "userName": { "jwt": "token", "pointer": "/username" }
            },
            "meanings": [
              {
                "when": { "pointer": "/__type", "contains": "CodeMismatchException" },
                "means": "secondFactor",
                "kind": "email",
                "title": "The code of the e-mail"
              }
            ]
          },
          "newPassword": {
            "server": "cognito",
            "method": "POST",
            "path": "/",
            "headers": {
              "X-Amz-Target": "AWSCognitoIdentityProviderService.RespondToAuthChallenge",
              "Content-Type": "application/x-amz-json-1.1"
            },
            "body": {
              "json": {
                "ChallengeName": "NEW_PASSWORD_REQUIRED",
                "ClientId": "{clientID}",
                "Session": "{handle}",
                "ChallengeResponses": { "USERNAME": "{poolUser}", "NEW_PASSWORD": "{code}" }
              }
            },
            "reads": {
              "token": "/AuthenticationResult/AccessToken",
              "renewalToken": "/AuthenticationResult/RefreshToken",
              "expiry": { "in": "/AuthenticationResult/ExpiresIn", "unit": "seconds" },
              "userID": { "jwt": "token", "pointer": "/sub" },
              "userName": { "jwt": "token", "pointer": "/username" }
            },
            "meanings": [
              {
                "when": { "pointer": "/__type", "contains": "InvalidPasswordException" },
                "means": "secondFactor",
                "kind": "newPassword",
                "title": "A new password, which the server asks for"
              },
              {
                "when": { "pointer": "/ChallengeName", "is": "SMS_MFA" },
                "means": "secondFactor",
                "kind": "sms",
                "handle": "/Session",
                "title": "The code of the text message"
              },
              {
                "when": { "pointer": "/ChallengeName", "is": "SOFTWARE_TOKEN_MFA" },
                "means": "secondFactor",
                "kind": "totp",
                "handle": "/Session",
                "title": "The code of the authenticator app"
              },
              {
                "when": { "pointer": "/ChallengeName", "is": "EMAIL_OTP" },
                "means": "secondFactor",
                "kind": "email",
                "handle": "/Session",
                "title": "The code of the e-mail"
              }
            ]
          }
        },
        "renew": {
          "server": "cognito",
          "method": "POST",
          "path": "/",
          "headers": {
            "X-Amz-Target": "AWSCognitoIdentityProviderService.GetTokensFromRefreshToken",
            "Content-Type": "application/x-amz-json-1.1"
          },
          "body": { "json": { "ClientId": "{clientID}", "RefreshToken": "{renewalToken}" } },
          "reads": {
            "token": "/AuthenticationResult/AccessToken",
            "renewalToken": "/AuthenticationResult/RefreshToken",
            "expiry": { "in": "/AuthenticationResult/ExpiresIn", "unit": "seconds" }
          },
          "meanings": [
            {
              "when": {
                "any": [
                  { "pointer": "/__type", "contains": "NotAuthorizedException" },
                  { "pointer": "/__type", "contains": "RefreshTokenReuseException" },
                  { "pointer": "/__type", "contains": "UserNotFoundException" }
                ]
              },
              "means": "endedForGood"
            }
          ]
        },
        "who": {
          "server": "cognito",
          "method": "POST",
          "path": "/",
          "headers": {
            "X-Amz-Target": "AWSCognitoIdentityProviderService.GetUser",
            "Content-Type": "application/x-amz-json-1.1"
          },
          "proof": false,
          "body": { "json": { "AccessToken": "{token}" } },
          "reads": { "userID": { "jwt": "token", "pointer": "/sub" }, "userName": "/Username" },
          "meanings": [
            { "when": { "pointer": "/__type", "contains": "NotAuthorizedException" }, "means": "expired" },
            { "when": { "pointer": "/__type", "contains": "UserNotFoundException" }, "means": "endedForGood" }
          ]
        },
        "end": {
          "server": "cognito",
          "method": "POST",
          "path": "/",
          "headers": {
            "X-Amz-Target": "AWSCognitoIdentityProviderService.RevokeToken",
            "Content-Type": "application/x-amz-json-1.1"
          },
          "proof": false,
          "body": { "json": { "ClientId": "{clientID}", "Token": "{renewalToken}" } }
        },
        "proof": { "headers": { "Authorization": "Bearer {token}" } },
        "meanings": [
          {
            "when": {
              "any": [
                { "pointer": "/__type", "contains": "TooManyRequestsException" },
                { "pointer": "/__type", "contains": "LimitExceededException" }
              ]
            },
            "means": "tryLater"
          }
        ],
        "renewal": { "by": "renewalToken", "rotation": "sometimes", "afterLostAnswer": "sendSameAgain" }
      }
      """#)
}
