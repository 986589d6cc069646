import Foundation
import NewzuluCore
import NewzuluPlatform

/// The screen on which users sign in.
public class LoginController {
  let platform: Platform
  /// What the screen shows.
  public private(set) var message = ""
  public private(set) var isBusy = false
  /// Called when the screen is done or shows another message.
  public var didChange: ((LoginController) -> Void)?

  public init(platform: Platform) {
    self.platform = platform
  }

  public func signIn(email: String, password: String) {
    isBusy = true
    platform.client.setCredentials(email: email, password: password, sessionStore: platform.store)
    platform.client.authenticate(
      onSuccess: { [weak self] session in
        self?.show("Welcome, \(session.user.firstName ?? session.user.username)!")
      },
      onError: { [weak self] error in
        self?.show(LoginController.text(for: error))
      })
  }

  private func show(_ text: String) {
    isBusy = false
    message = text
    didChange?(self)
  }

  static func text(for error: NewzuluError) -> String {
    switch error.reason {
    case .networkFailure:
      return "You seem to be offline."
    case .wrongCredentials:
      return "Wrong e-mail address or password."
    case .serverFailure:
      return "The server has a problem. Try again later."
    case .invalidRepresentation:
      return "The server's answer can't be understood."
    case .notAuthenticated:
      return "Please sign in."
    case .unknown:
      return "Something went wrong."
    }
  }
}
