public import Foundation
public import HTTPTypes

extension HTTPRequest {
  /// A request for an absolute `http` or `https` URL. The fragment is left out, as it never travels.
  /// - Throws: ``OstiaryError`` `invalidRequest` when the URL has no host, carries user information, or is of another
  ///   scheme.
  public init(_ method: Method = .get, to url: URL, headerFields: HTTPFields = [:]) throws {
    guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: true), !host.isEmpty,
      url.user() == nil, Origin(scheme: scheme, host: host, port: url.port) != nil
    else {
      throw OstiaryError(
        .invalidRequest, "The address is not an http or https URL with a host and without a user name.",
        requestMayHaveExecuted: false)
    }
    let authority = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    var path = url.path(percentEncoded: true)
    if path.isEmpty { path = "/" }
    if let query = url.query(percentEncoded: true) { path += "?" + query }
    self.init(
      method: method, scheme: scheme, authority: url.port.map { "\(authority):\($0)" } ?? authority, path: path,
      headerFields: headerFields)
  }

  /// The absolute URL that this request goes to, or `nil` when its parts make none.
  public var targetURL: URL? {
    guard let scheme, let authority else { return nil }
    return URL(string: "\(scheme)://\(authority)\(path ?? "/")")
  }
}
