// The Swift samples of the vendor's pages "Authenticating the user" and "Uploading media" (Newzulu Platform SDK for iOS).
//
// What had to be changed, and nothing else:
//
//  1. All: `import Foundation` and the imports of the SDK are written out. `platformClient`, which the pages never make, is
//     a property.
//  2. All: where a sample ends with a comment, or in the middle of a call, a function that the test gives is called, and
//     what is not closed on the page is closed.
//  3. Authenticating: the page's placeholders `""` and `"*****"` are parameters.
//  4. Uploading: `source` and the two strings of the info are parameters.
//
// `MyApplication`, the identifier of the page's keychain store, is a parameter, too, so that tests share nothing.

import Foundation
import NewzuluCore
import NewzuluPlatform

/// The app around the samples.
class SampleApp {
  let platformClient: PlatformClient

  init(_ platformClient: PlatformClient) {
    self.platformClient = platformClient
  }

  // MARK: Authenticating the user

  func setCredentials(_ address: String, _ secret: String, _ application: String) {
    let email = address
    let password = secret
    let sessionStore = KeychainStore(identifier: application)
    platformClient.setCredentials(email: email, password: password, sessionStore: sessionStore)
  }

  func authenticate(success: @escaping (Session) -> Void, failure: @escaping (NewzuluError) -> Void) {
    platformClient.authenticate(onSuccess: { session in
        // User is authenticated and now has a valid session.
        // You can use APIs that require authentication.
        success(session)
    }, onError: { error in
        // An error occurred during authentication.
        // See “Handling errors” below.
        failure(error)
    })
  }

  // MARK: Accessing user information

  func currentUser() -> User? {
    if let user = platformClient.currentSession?.user {
        // Use the user information
        return user
    }
    return nil
  }

  // MARK: Handling errors

  func describe(_ error: NewzuluError) -> String {
    switch error.reason {
    case .networkFailure: return "network"
    case .wrongCredentials: return "credentials"
    case .serverFailure: return "server"
    case .invalidRepresentation: return "representation"
    case .unknown: return "unknown"
    case .notAuthenticated: return "not authenticated"
    }
  }

  // MARK: Uploading media

  func upload(
    _ source: URL, _ title: String, _ description: String, progress: @escaping (Int64, Int64) -> Void,
    success: @escaping () -> Void, failure: @escaping (NewzuluError, UploadState) -> Void
  ) {
    let info = UploadInfo(title: title, description: description)
    let upload = Upload(source: source, info: info)

    platformClient.startUpload(upload, onProgress: { uploadedBytes, totalBytes in
        // The progress changed.
        progress(uploadedBytes, totalBytes)
    }, onSuccess: {
        // The upload completed with success.
        success()
    }, onError: { error, uploadState in
        // An error occurred.
        failure(error, uploadState)
    })
  }
}
