import Foundation
import OstiaryCore

/// The mail of the flows, in the flow's language. An address in it begins with the configured origin, never with the host that a request
/// claims.
struct FlowMails: Sendable {
  let service: String
  let origin: Origin
  let minutes: Int

  /// - Parameter link: The page that accepts the code, in the browser that asked for it.
  func confirmation(_ code: FlowCode, to address: MailAddress, link: String?, in texts: AccountTexts) -> MailMessage {
    mail(
      to: address, .codeSubject, texts,
      [texts(.confirmationReason, service: service)] + shown(code, link, texts) + [texts(.confirmationOtherwise)])
  }

  func alreadyRegistered(to address: MailAddress, in texts: AccountTexts) -> MailMessage {
    let (signIn, recover) = (texts(.existsSignIn, link(to: .login)), texts(.existsRecover, link(to: .recover)))
    return mail(
      to: address, .existsSubject, texts,
      [texts(.existsReason, service: service), signIn + "\n" + recover, texts(.existsOtherwise)])
  }

  func recovery(_ code: FlowCode, to address: MailAddress, link: String?, in texts: AccountTexts) -> MailMessage {
    mail(
      to: address, .codeSubject, texts,
      [texts(.recoveryReason, service: service)] + shown(code, link, texts)
        + [texts(.recoveryNever, service: service), texts(.recoveryOtherwise)])
  }

  func passwordChanged(to address: MailAddress, in texts: AccountTexts) -> MailMessage {
    mail(
      to: address, .changedSubject, texts,
      [texts(.changedReason, service: service), texts(.changedOtherwise, link(to: .recover))])
  }

  private func mail(
    to address: MailAddress, _ subject: AccountText, _ texts: AccountTexts, _ paragraphs: [String]
  ) -> MailMessage {
    MailMessage(
      to: address, subject: texts(subject, service: service), text: paragraphs.joined(separator: "\n\n") + "\n",
      language: texts.language)
  }

  /// The paragraphs with a code, and with the page that accepts it.
  private func shown(_ code: FlowCode, _ link: String?, _ texts: AccountTexts) -> [String] {
    let letters = code.secret.reveal()
    let spaced = "\(letters.prefix(4)) \(letters.dropFirst(4))"
    return [texts(.code, ["code": spaced]), texts(.validity, number: minutes)]
      + (link.map { [texts(.link), $0] } ?? [])
  }

  private func link(to kind: FlowKind) -> [String: String] { ["link": "\(origin)\(FlowPaths.page(kind))"] }
}
