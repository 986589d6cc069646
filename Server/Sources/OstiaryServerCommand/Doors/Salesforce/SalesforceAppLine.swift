internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryPrivateFiles
internal import OstiaryServer

/// A line of a file of connected apps: the consumer key, and the app's settings.
enum SalesforceAppLine {
  /// The settings of a line, for people.
  static let words = [
    "callback=URL", "secret=TEXT", "name=TEXT", "scope=A,B", "certificate=FILE", "optional-secret", "any-port",
    "headless", "rotate", "challenge", "preauthorized",
  ]

  /// Reads a line; nil for an empty one and for a comment. Errors don't contain its text, because it may be a secret.
  static func read(
    _ line: Substring, place: String, _ environment: CommandEnvironment
  ) throws -> SalesforceConnectedApp? {
    let parts = line.split(whereSeparator: \.isWhitespace).map(String.init)
    guard let key = parts.first, !key.hasPrefix("#") else { return nil }
    var app = SalesforceConnectedApp(consumerKey: key, name: key)
    for (number, part) in parts.enumerated().dropFirst() {
      guard try apply(part, to: &app, environment) else {
        throw OstiaryError.usage(
          DoorOptionMessage.badAppWord(place: place, word: number + 1, known: words))
      }
    }
    return app
  }

  /// - Returns: Whether the word is a known setting.
  private static func apply(
    _ word: String, to app: inout SalesforceConnectedApp, _ environment: CommandEnvironment
  ) throws -> Bool {
    switch word {
    case "optional-secret": app.requiresSecret = false
    case "any-port": app.acceptsAnyLoopbackPort = true
    case "headless": app.allowsHeadlessSignIn = true
    case "rotate": app.rotatesRefreshTokens = true
    case "challenge": app.requiresCodeChallenge = true
    case "preauthorized": app.permittedUsers = .preauthorized
    default:
      guard let equals = word.firstIndex(of: "=") else { return false }
      let value = String(word[word.index(after: equals)...])
      switch word[..<equals] {
      case "callback": app.callbackURLs.append(value)
      case "secret": app.consumerSecret = Secret(value)
      case "name": app.name = value
      case "scope": app.scopes = value.split(separator: ",").map(String.init)
      case "certificate":
        app.certificate = try environment.text(ofFile: value)
      default: return false
      }
    }
    return true
  }
}
