internal import Foundation
internal import OstiaryCore
internal import OstiaryOAuth

/// How a person signs in to an OAuth server from the command, for the kinds of server that are one.
enum OAuthSignIn {
  /// In a browser on this machine, whose answer arrives on a loopback port.
  /// - Parameter usualRedirectURI: where the option says nothing.
  static func browser(
    _ profile: Profile, _ environment: CommandEnvironment, scope: String?, usualRedirectURI: String
  ) throws -> OAuthFlow {
    guard let redirectURI = URL(string: profile.options?["redirect-uri"] ?? usualRedirectURI) else {
      throw OstiaryError.usage(KindMessage.noRedirectURI)
    }
    let console = environment.console
    let agent = LoopbackUserAgent { page in
      console.note(KindMessage.signInInBrowser(page: page.absoluteString))
      // A user without a browser here opens the page by hand: this is not a failure yet.
      do { try await environment.browser(page) } catch let error as OstiaryError {
        console.note(KindMessage.browserProblem(error.message))
      }
    }
    let hint: OAuthParameters = profile.user.isEmpty ? [:] : ["login_hint": profile.user]
    return .authorizationCode(in: agent, redirectURI: redirectURI, scope: scope, parameters: hint)
  }

  /// In a browser on another device.
  static func device(_ environment: CommandEnvironment, scope: String?) -> OAuthFlow {
    let console = environment.console
    return .device(scope: scope) { device in
      console.note(KindMessage.enterCode(page: device.verificationURI.absoluteString, code: device.userCode))
      if let complete = device.verificationURIComplete { show(complete, on: console) }
    }
  }

  /// Shows an address as a QR code, on a terminal that has the room and the characters for it.
  private static func show(_ address: URL, on console: Console) {
    guard console.error.isTerminal, console.writesUTF8, let code = QRCode(address.absoluteString),
      console.width(of: console.error) >= code.columns
    else { return }
    console.note(KindMessage.scan)
    // Black on white where there are colours; otherwise the letters are taken for light ones.
    let hasColors = console.colorsErrors
    console.note(code.lines(isInverse: !hasColors).map { Line($0, .picture).unbroken })
  }

  /// The secret of the client, where the profile has a file with one.
  static func secret(_ profile: Profile, _ environment: CommandEnvironment) throws -> Secret? {
    guard let path = profile.options?["client-secret-file"] else { return nil }
    guard let text = try? String(contentsOf: environment.url(path: path), encoding: .utf8) else {
      throw OstiaryError.file(FileMessage.unreadableSecret(path, option: "client-secret-file"))
    }
    let secret = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !secret.isEmpty else { throw OstiaryError.usage(LoginMessage.noSecretInFile(path)) }
    return Secret(secret)
  }
}
