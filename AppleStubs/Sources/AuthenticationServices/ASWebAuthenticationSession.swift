public import Foundation

/// https://developer.apple.com/documentation/authenticationservices/aspresentationanchor
///
/// NSWindow and UIWindow.
@MainActor
public final class ASPresentationAnchor {
  public init() {}
}

/// https://developer.apple.com/documentation/authenticationservices/aswebauthenticationpresentationcontextproviding
@MainActor
public protocol ASWebAuthenticationPresentationContextProviding: AnyObject {
  func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor
}

/// https://developer.apple.com/documentation/authenticationservices/aswebauthenticationsession
@MainActor
public final class ASWebAuthenticationSession {
  public typealias CompletionHandler = (URL?, (any Error)?) -> Void

  public weak var presentationContextProvider: (any ASWebAuthenticationPresentationContextProviding)?
  public var prefersEphemeralWebBrowserSession = false

  public init(url: URL, callbackURLScheme: String?, completionHandler: @escaping CompletionHandler) {}

  @discardableResult
  public func start() -> Bool { false }

  public func cancel() {}
}
