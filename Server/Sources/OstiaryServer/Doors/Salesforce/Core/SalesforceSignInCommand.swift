import Foundation

/// The options of `ostiary login salesforce` for an app: the command works without changes.
struct SalesforceSignInCommand: Sendable {
  /// The options, each with a space before it.
  let options: String
  /// Whether the app's secret has to be saved in a file first.
  let takesSecretFile: Bool

  /// Chooses among the apps: first one that needs no secret, then one whose answer the command can receive, then one that signs
  /// in devices.
  init?(_ apps: [SalesforceConnectedApp]) {
    let ways: [(SalesforceConnectedApp, String)] = apps.compactMap { app in
      if let callback = Self.callback(of: app) { return (app, " --option \("redirect-uri=\(callback)".shellWord)") }
      return app.allowsDevices ? (app, " --method device") : nil
    }
    func isOpen(_ app: SalesforceConnectedApp) -> Bool { app.consumerSecret == nil || !app.requiresSecret }
    func isCaught(_ way: String) -> Bool { way.hasPrefix(" --option") }
    let way =
      ways.first { isOpen($0) && isCaught($1) } ?? ways.first { app, _ in isOpen(app) }
      ?? ways.first { _, way in isCaught(way) } ?? ways.first ?? apps.first.map { ($0, "") }
    guard let (app, how) = way else { return nil }
    takesSecretFile = !isOpen(app)
    let secret = takesSecretFile ? " --option client-secret-file=FILE" : ""
    let isPlain = app.consumerKey.wholeMatch(of: /[A-Za-z0-9._-]+/) != nil
    options =
      " --option client-id=\(isPlain ? app.consumerKey : app.consumerKey.shellWord)\(secret)\(how)\(Self.scope(of: app))"
  }

  /// The scopes to ask for, if the app may not have those that the command asks for by default.
  private static func scope(of app: SalesforceConnectedApp) -> String {
    let usual: Set<String> = ["id", "api", "refresh_token"]
    guard !usual.isSubset(of: app.scopes), !app.scopes.contains("full") else { return "" }
    return " --option " + "scope=\(app.scopes.joined(separator: " "))".shellWord
  }

  /// The address at which the command can receive the answer: one of the user's own machine, with a port that it can listen on.
  private static func callback(of app: SalesforceConnectedApp) -> String? {
    app.callbackURLs.first { text in
      guard let url = URL(string: text), url.scheme == "http", let host = url.host(percentEncoded: false),
        ["127.0.0.1", "::1", "[::1]", "localhost"].contains(host)
      else { return false }
      return url.port != nil || app.acceptsAnyLoopbackPort
    }
  }
}
