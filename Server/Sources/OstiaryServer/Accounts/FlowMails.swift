import Foundation
import OstiaryCore

/// The mail of the flows. An address in it begins with the configured origin, never with the host that a request
/// claims.
struct FlowMails: Sendable {
  let service: String
  let origin: Origin
  let minutes: Int

  /// - Parameter link: The page that accepts the code, in the browser that asked for it.
  func confirmation(_ code: FlowCode, to address: MailAddress, link: String?) -> MailMessage {
    MailMessage(
      to: address, subject: "Your code for \(service)",
      text: """
        A person, probably you, wants to make an account at \(service) with this address.

        The code is \(Self.spaced(code))

        It is good for \(minutes) minutes, in the window in which it was asked for.\(Self.place(link))

        If it wasn't you, do nothing: without the code there is no account.

        """)
  }

  func alreadyRegistered(to address: MailAddress) -> MailMessage {
    MailMessage(
      to: address, subject: "You have an account at \(service)",
      text: """
        A person, probably you, wanted to make an account at \(service) with this address. There is one already.

        Sign in: \(origin)\(FlowPaths.page(.login))
        Forgot the password? \(origin)\(FlowPaths.page(.recover))

        If it wasn't you, do nothing: nothing has changed.

        """)
  }

  func recovery(_ code: FlowCode, to address: MailAddress, link: String?) -> MailMessage {
    MailMessage(
      to: address, subject: "Your code for \(service)",
      text: """
        A person, probably you, forgot the password of the account that \(service) has for this address.

        The code is \(Self.spaced(code))

        It is good for \(minutes) minutes, in the window in which it was asked for.\(Self.place(link)) Nobody from
        \(service) will ever ask you for it.

        If it wasn't you, do nothing: the password stays as it is.

        """)
  }

  func passwordChanged(to address: MailAddress) -> MailMessage {
    MailMessage(
      to: address, subject: "Your password at \(service) was changed",
      text: """
        The password of your account at \(service) has been changed, and every device has been signed out.

        If it wasn't you, set another one now: \(origin)\(FlowPaths.page(.recover))

        """)
  }

  private static func spaced(_ code: FlowCode) -> String {
    let letters = code.secret.reveal()
    return "\(letters.prefix(4)) \(letters.dropFirst(4))"
  }

  private static func place(_ link: String?) -> String {
    link.map { " If that window is gone, open this in the same browser:\n\n\($0)\n\n" } ?? ""
  }
}
