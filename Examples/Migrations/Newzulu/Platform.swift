import Foundation
import NewzuluCore
import NewzuluPlatform

// An app as they were written for Newzulu's Platform SDK: Swift 5 mode, completion blocks, controllers that hold state. Where such
// an app has view controllers there are plain classes here, so that it also builds where there is no UIKit.

/// The keys of the app's project at the vendor's platform.
struct Project {
  static let apiKey = "0123456789abcdef0123456789abcdef"
  static let vhost = "206"
}

/// The app's way to the platform: one client for all of its screens.
public class Platform {
  public let client: PlatformClient
  let store: SessionStore

  /// - Parameter store: where sessions are kept; the keychain, as on the vendor's page, unless it is another one.
  public init(store: SessionStore = KeychainStore(identifier: "MigratedNewzuluApp")) {
    client = PlatformClient(apiKey: Project.apiKey, vhost: Project.vhost)
    self.store = store
  }

  /// Whether a user is signed in, as far as is known.
  public var isSignedIn: Bool {
    return client.currentSession != nil
  }
}
