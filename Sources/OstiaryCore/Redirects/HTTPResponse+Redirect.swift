package import HTTPTypes

extension HTTPResponse {
  /// Where a redirect leads, as a GET; `nil` for a response that redirects nowhere that HTTP can go.
  package func redirectTarget(from request: HTTPRequest) -> HTTPRequest? {
    guard status.kind == .redirection, let location = headerFields[values: .location].first,
      let scheme = request.scheme, let authority = request.authority
    else { return nil }
    let base = RedirectTarget(scheme: scheme, authority: authority, path: request.path ?? "/")
    guard case .success(let target) = base.resolving(location) else { return nil }
    return HTTPRequest(method: .get, scheme: target.scheme, authority: target.authority, path: target.path)
  }
}
