internal import HTTPTypes
public import OstiaryCore
internal import OstiaryHTML

extension ChallengeRecogniser {
  /// Recognises a page with a login form in place of an answer: a success, a 401 or a 403. The server that shows it has
  /// not executed the request.
  ///
  /// Errors of the server (5xx) are none, nor is a page without the form, such as a maintenance page. A request that asks
  /// for pages in so many words (`Accept: text/html`) may well be given one with a form on it: then only a form with an
  /// exact sign counts, or one that comes with a 401 or 403.
  /// - Parameters:
  ///   - sign: what tells the form from others.
  ///   - bodySize: how much of a page is looked at, in bytes.
  public static func loginForm(
    _ sign: LoginFormSign = .anyPassword, bodySize: Int = usualBodySize
  ) -> ChallengeRecogniser {
    ChallengeRecogniser(
      head: { response, request in
        guard response.isPage else { return .nothing }
        switch response.status.code {
        case 200..<300: return !sign.isExact && MediaRange.asksForPage(request.head) ? .nothing : .needsBody(bodySize)
        case 401, 403: return .needsBody(bodySize)
        default: return .nothing
        }
      },
      body: { response, _ in
        guard sign.form(on: HTMLPage(response)) != nil else { return nil }
        return Recognition("the server answered with its login form", mayHaveExecuted: false)
      })
  }

  /// Recognises the challenge of Ostiary's own server and of proxies that ask it: see ``GatewayDemand``.
  /// - Parameter gateway: the gateway's name; by default any.
  public static func ostiaryGateway(_ gateway: String? = nil) -> ChallengeRecogniser {
    .scheme(GatewayDemand.scheme, realm: gateway)
  }
}
