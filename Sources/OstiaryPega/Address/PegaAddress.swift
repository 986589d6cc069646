public import Foundation
public import OstiaryCore

/// Where a Pega server is: one spelling for all the ways in which people write its address.
///
/// `https://host/prweb`, the same with a slash at the end, with `/PRServlet`, or with the session part of an address
/// copied from a browser (`/AbC*/!STANDARD`, `;jsessionid=…`) all name the same server.
public struct PegaAddress: Sendable, Hashable {
  /// The servlet that answers activities: `https://host/prweb/PRServlet`.
  public let servlet: URL
  /// The application's path on the host: `/prweb`; empty at the host's root.
  public let contextPath: String
  /// The origin of the server.
  public let origin: Origin

  /// Reads an address.
  /// - Parameter url: an absolute `http` or `https` URL; its query and fragment are left out.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for anything else.
  public init(_ url: URL, configuration: PegaConfiguration = PegaConfiguration()) throws {
    guard let origin = Origin(url), url.user() == nil, url.password() == nil else {
      throw Self.unusable
    }
    // Parameters of a segment (RFC 3986 §3.3), such as a container's `;jsessionid=…`, are one session's own, too.
    var segments = url.path(percentEncoded: true).split(separator: "/")
      .map { String($0.prefix { $0 != ";" }) }.filter { !$0.isEmpty }
    // What begins at a segment that ends in "*" is one session's own.
    if let session = segments.firstIndex(where: { $0.hasSuffix("*") }) { segments.removeSubrange(session...) }
    if segments.isEmpty {
      segments = Self.steps(configuration.contextPath)
    }
    let servlet = Self.servlet(in: segments, configuration)
    let context = segments[..<(servlet ?? segments.endIndex)]
    if servlet == nil { segments.append(configuration.servletName) }
    guard let address = URL(string: origin.description + "/" + segments.joined(separator: "/")) else {
      throw Self.unusable
    }
    self.servlet = address
    self.contextPath = context.map { "/" + $0 }.joined()
    self.origin = origin
  }

  /// Where the servlet's name begins: one that all servers have, or the configuration's own, whose address is read again as it is written.
  private static func servlet(in segments: [String], _ configuration: PegaConfiguration) -> Int? {
    let common = segments.indices.first { index in
      let name = segments[index]
      return name.hasPrefix("PRServlet") || name == "PRAuth" || (name == "app" && index > 0)
    }
    let own = steps(configuration.servletName)
    // A context may have the servlet's name: its path alone is the context's.
    guard common == nil, segments != steps(configuration.contextPath) else { return common }
    return segments.indices.last { !own.isEmpty && segments[$0...].starts(with: own) }
  }

  private static func steps(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }

  /// The address of an activity.
  /// - Parameter parameters: what follows the activity's name, in order; names and values are percent-encoded here.
  func activity(
    _ name: String, _ parameters: [(String, String)] = [], configuration: PegaConfiguration
  ) throws -> URL {
    let query = ([(configuration.activityParameter, name)] + parameters)
      .map { PercentEncoding.encode($0.0) + "=" + PercentEncoding.encode($0.1) }
      .joined(separator: "&")
    guard let url = URL(string: servlet.absoluteString + "?" + query) else { throw Self.unusable }
    return url
  }

  private static var unusable: OstiaryError {
    OstiaryError(
      .invalidInput, "The server's address is not an http or https URL with a host and without a user name.",
      advice: "Give an address such as https://host/prweb.", requestMayHaveExecuted: false)
  }
}
