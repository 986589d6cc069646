internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryHTML

extension PegaConversation {
  /// Signs in as a browser would: opens the server's page, follows it to the session's own address, submits the form.
  /// - Throws: ``/OstiaryCore/OstiaryError``; the login form coming back is `invalidCredentials`.
  mutating func submitLoginForm(_ username: String, _ password: Secret) async throws {
    let configuration = authenticator.configuration
    let opening = try TransportRequest.get(authenticator.address.servlet)
    let response = try await exchange(opening)
    let page = PegaPage(response, configuration: configuration)
    guard (200..<300).contains(response.status.code), let form = page.loginForm else {
      let answer = PegaAnswer(response, configuration: configuration, now: context.clock.now)
      switch answer {
      case .tooManyAttempts, .unavailable: throw error(answer, opening)
      case _ where response.status == .notFound:
        // There is no page whose names could be others.
        throw error(PegaMisfit("The server answered 404 in place of its login form.", asked: servletPath), opening)
      default:
        // No password has been shown yet, so this is no word about it.
        throw error(PegaMisfit(noLoginFormIn: response, configuration), opening)
      }
    }
    // No password goes to the server under a name that the server does not know.
    if let misfit = form.misfit(configuration) { throw error(misfit, opening) }
    guard let target = form.action(relativeTo: response.url ?? authenticator.server),
      Origin(target) == authenticator.address.origin
    else {
      throw OstiaryError(
        .redirectRefused, "The login form leads to another server; the password was not sent.", request: opening.head)
    }
    let fields = form.fields(username: username, password: password, configuration: configuration)
    let submission = try TransportRequest.post(
      target, body: Data(FormEncoding.serialize(fields).utf8), contentType: FormEncoding.mediaType)
    // A password that has not left yet stays here.
    try Task.checkCancellation()
    let outcome = try await exchange(submission)
    let answer = answer(outcome, to: submission)
    switch answer {
    case .page, .dictionary: break
    case .unexpected where (200..<300).contains(outcome.status.code): break
    default: throw error(answer, submission)
    }
    sessionURL = Secret((outcome.url ?? target).absoluteString)
    (hasSentForm, hasUnwantedSession) = (true, true)
  }
}
