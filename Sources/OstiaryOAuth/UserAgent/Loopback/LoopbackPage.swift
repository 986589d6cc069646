public import Foundation
public import OstiaryCore

#if os(macOS) || os(Linux)
  /// A page of a server that a user is to see, and an address on this machine that leads there.
  public struct LoopbackPage: Sendable, Hashable {
    /// An address on this machine that leads a browser to the page, once. It says nothing of the page: an argument of a process, which other
    /// users of the machine can read, may have it.
    public let address: URL
    /// The server's own page. Its address has what ties the answer to the request (the state), and at a sign-out the ID token: it is no argument
    /// of a process, and belongs into no log.
    public let serverPage: URL

    /// Makes a page.
    public init(address: URL, serverPage: URL) {
      self.address = address
      self.serverPage = serverPage
    }
  }

  extension LoopbackPage: Redacted {
    /// The server's host.
    public var description: String { "LoopbackPage(at \(serverPage.host() ?? "?"))" }
  }
#endif
