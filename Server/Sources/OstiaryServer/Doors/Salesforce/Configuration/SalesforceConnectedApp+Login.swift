import Foundation
import OstiaryCore

extension SalesforceConnectedApp {
  /// What `ostiary login salesforce` has to be told of the app, as a shell takes it.
  var loginOptions: String {
    var options = option("client-id", consumerKey)
    if consumerSecret != nil, requiresSecret { options += option("client-secret-file", "FILE") }
    if !callbackURLs.contains(Self.usualCallback) {
      if let callback = callbackURLs.first(where: isOfACommand) {
        options += option("redirect-uri", callback)
      } else if allowsDevices {
        options += " --method device"
      }
    }
    let usual = ["id", "api", "refresh_token"]
    if !Set(usual).isSubset(of: scopes), !scopes.contains("full") {
      options += option("scope", scopes.joined(separator: " "))
    }
    return options
  }

  /// Where Salesforce's own command is called back, and ours where it is told nothing else.
  private static let usualCallback = "http://localhost:1717/OauthRedirect"

  /// Whether a command on this machine can listen there: on a port that is named, or on any.
  private func isOfACommand(_ callback: String) -> Bool {
    guard let url = URL(string: callback), url.scheme == "http", Origin(url)?.isLoopback == true else { return false }
    return url.port != nil || acceptsAnyLoopbackPort
  }

  private func option(_ name: String, _ value: String) -> String {
    let isPlain = value.utf8.allSatisfy { byte in
      (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
        || "-._/:".utf8.contains(byte)
    }
    return " --option " + (isPlain ? "\(name)=\(value)" : "\(name)=\(value)".shellWord)
  }
}
