// Uses every declaration of the vendor's that the tables of `NewzuluCore` and `NewzuluPlatform` have. It is compiled in Swift 6 mode
// with NewzuluPlatformTests, and in Swift 5 mode with NewzuluSamplesTests.

import Dispatch
import Foundation
import NewzuluCore
import NewzuluPlatform
import Testing

@Suite("Newzulu: the vendor's declarations")
struct NewzuluDeclarationsProbe {
  /// What a program does with a session.
  static func texts(of session: Session) -> [String?] {
    let user: User = session.user
    let id: String = user.id
    let username: String = user.username
    let firstName: String? = user.firstName
    let lastName: String? = user.lastName
    let email: String? = user.email
    return [id, username, firstName, lastName, email]
  }

  /// What a program does with an error.
  static func text(of error: NewzuluError) -> String {
    switch error.reason {
    case .networkFailure: return "network"
    case .wrongCredentials: return "credentials"
    case .serverFailure: return "server"
    case .invalidRepresentation: return "representation"
    case .unknown: return "unknown"
    case .notAuthenticated: return "not authenticated"
    }
  }

  @Test("Newzulu: every declaration of the tables compiles and can be called")
  func declarations() async throws {
    // Nothing listens there.
    let address = try #require(URL(string: "http://127.0.0.1:9"))
    // What another test sets for new clients is none of this one's.
    let platformClient: PlatformClient = NewzuluEnvironment.$replacement.withValue(NewzuluEnvironment()) {
      PlatformClient(apiKey: "key", vhost: "206", baseURL: address)
    }
    platformClient.completionQueue = DispatchQueue(label: "probe")
    let keychain = KeychainStore(identifier: "probe-\(UUID().uuidString)")
    let stores: [SessionStoreOfTheVendor] = [EphemeralSessionStore(), keychain]
    #expect(stores.count == 2)
    platformClient.setCredentials(email: "ann@example.com", password: "apple")
    platformClient.setCredentials(email: "ann@example.com", password: "apple", sessionStore: EphemeralSessionStore())
    platformClient.setCredentials(
      email: "ann@example.com", password: "apple", userVHost: "206", sessionStore: EphemeralSessionStore())
    let session: Session? = platformClient.currentSession
    #expect(session.map(Self.texts) == nil)
    let reason: String = await withCheckedContinuation { continuation in
      platformClient.authenticate(
        onSuccess: { session in continuation.resume(returning: "\(Self.texts(of: session))") },
        onError: { error in continuation.resume(returning: Self.text(of: error)) })
    }
    #expect(reason == "network")
    let info = UploadInfo(title: "Title", description: "Description")
    let source = try #require(URL(string: "data:image/png;base64,eA=="))
    let upload = Upload(source: source, info: info)
    let failed: String = await withCheckedContinuation { continuation in
      platformClient.startUpload(
        upload,
        onProgress: { uploadedBytes, totalBytes in
          let bytes: [Int64] = [uploadedBytes, totalBytes]
          _ = bytes
        },
        onSuccess: { continuation.resume(returning: "success") },
        onError: { error, uploadState in
          let state: UploadState = uploadState
          continuation.resume(returning: "\(Self.text(of: error)) \(state.uploadedBytes)")
        })
    }
    #expect(failed == "network 0")
    // Not the vendor's names, which its page does not show.
    try? await keychain.removePassword(forEmail: "nobody@example.com")
    let error: any Error = NewzuluError(reason: .unknown)
    #expect((error as? NewzuluError)?.reason == .unknown)
  }
}

/// `SessionStore` as old code writes it, without `any`.
typealias SessionStoreOfTheVendor = any SessionStore
