// The Swift samples of the vendor's page "Authentication" (Embedded Service SDK for iOS, Salesforce).
//
// What had to be changed, and nothing else:
//
//  1. All: `import Foundation`, on Linux also `import FoundationNetworking`, and the imports of the SDK are written out.
//  2. Settings: the page's placeholders `CLIENT_ID_VALUE`, `https://URL_FOR_YOUR_ORG.com`, `ACCESS_TOKEN_VALUE`, `myUserId` and
//     `myOrgId` are parameters, and what is made is returned.
//  3. The delegate: the address `https://example.com/auth` and what stands for the comment "TO DO: Populate" come from
//     `SampleApp`, which also hears of each call.

import Foundation
import SalesforceSDKCore
import ServiceCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The page's "Authentication Settings".
enum SampleSettings {
  static func settings(_ clientID: String, _ org: String, _ accessToken: String) -> SCSAuthenticationSettings? {
    // Specify auth info
    let myClientId: String = clientID
    let authDictionary: [SCSOAuth2JSONKey: String] =
      [ .instanceUrl : org,
        .accessToken : accessToken ]

    // Create auth settings object
    let authSettings = SCSAuthenticationSettings(oauth2: authDictionary,
                                                 clientId: myClientId)
    return authSettings
  }

  static func settings(ofUser myUserId: String, org myOrgId: String) -> SCSAuthenticationSettings? {
    // Get user account info from the Salesforce Mobile SDK
    let identity: SFUserAccountIdentity =
      SFUserAccountIdentity(userId: myUserId, orgId: myOrgId)
    let account: SFUserAccount =
      SFUserAccountManager.sharedInstance().userAccount(forUserIdentity: identity)!

    // Create auth settings object from SFUserAccount
    let authSettings = SCSAuthenticationSettings(mobileSDK: account)
    return authSettings
  }
}

/// What the page leaves to the app.
enum SampleApp {
  /// Where the app authenticates.
  static var page = "https://example.com/auth"
  /// Makes settings of what that answered.
  static var populate: (Data?) -> SCSAuthenticationSettings? = { _ in nil }
  /// Hears of each call.
  static var note: (String) -> Void = { _ in }
}

/// The page's "Sample Code".
class MyAuthHandler: NSObject, SCServiceCloudDelegate {

  override init() {
    super.init()

    // Subscribe to ServiceCloud events
    ServiceCloud.shared().delegate = self
  }

  /**
   Implementation of a `ServiceCloudDelegate` method that allows you to
   authenticate for a given service.
   */
  func serviceCloud(_ serviceCloud: ServiceCloud,
                    shouldAuthenticateServiceType service: SCServiceType,
                    completion: @escaping (SCSAuthenticationSettings?) -> Void) -> Bool {
    SampleApp.note("shouldAuthenticate \(service.rawValue)")

    // Rather than scrutinize the service to see if we want to authenticate,
    // let's just assume that we always want to authenticate...

    // TO DO: Authenticate asynchronously
    let urlRequest = URLRequest.init(url: URL(string: SampleApp.page)!)
    URLSession.shared.dataTask(with: urlRequest) { (data, response, error) in

      // TO DO: Populate the `SCSAuthenticationSettings` object from the result.
      var authSettings: SCSAuthenticationSettings?
      authSettings = SampleApp.populate(data)

      // Call the completion block with the authentication settings (asynchronously)
      completion(authSettings)

    }.resume()

    // Tell the SDK that we do plan to authenticate
    return true
  }

  /**
   Implementation of a `ServiceCloudDelegate` method to handle authentication
   failure events.
   */
  func serviceCloud(_ serviceCloud: ServiceCloud,
                    authenticationFailed error: Error,
                    forServiceType service: SCServiceType) -> Bool {
    SampleApp.note("authenticationFailed \((error as NSError).code)")

    // For this example, let's not bother handling the error,
    // and just fall back to the guest user state...
    // TO DO: In your code, you should inspect this error.
    // If you want to handle the error, you could
    // return `true` and then you'd be called back in the
    // `shouldAuthenticateServiceType` method above.

    return false
  }
}
