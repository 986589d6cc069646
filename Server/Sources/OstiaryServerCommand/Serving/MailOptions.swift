internal import ArgumentParser
internal import Foundation
internal import OstiaryClientCommand
internal import OstiaryCore
internal import OstiaryServer

/// What `ostiary serve` is told of the service as a whole.
struct ServiceOptions: ParsableArguments {
  @Option(name: .customLong("service-name"), help: "The name of the service in pages and mail.")
  var serviceName: String?
}

/// What `ostiary serve` is told about the mail that it sends.
struct MailOptions: ParsableArguments {
  /// The source of the mail server's password. It is no option: every user of the machine can see those.
  static let passwordVariable = "OSTIARY_MAIL_PASSWORD"

  @Option(help: "The server that takes mail, with its port if it is not the usual one: mail.example.org:465.")
  var mailServer: String?

  @Option(
    help: "How mail is protected on its way there: tls, starttls or insecure-plain-text (on this machine only).",
    transform: MailConfiguration.Security.init(option:))
  var mailSecurity = MailConfiguration.Security.implicitTLS

  @Option(help: "The address that mail is from.")
  var mailFrom: String?

  @Option(help: "The user name for the mail server. The variable OSTIARY_MAIL_PASSWORD has the password.")
  var mailUser: String?

  @Option(
    help: "A PEM file with the authorities that are trusted for the mail server, instead of the system's.",
    completion: .file())
  var mailCA: String?

  /// The mail server that the options describe, if they do.
  /// - Parameter serviceName: Who mail is from.
  /// - Throws: `ValidationError` for options that don't go together.
  func configuration(serviceName: String?, _ environment: CommandEnvironment) throws -> MailConfiguration? {
    guard let mailServer else {
      guard mailFrom == nil, mailUser == nil else { throw ValidationError(ServeMessage.mailNeedsServer) }
      return nil
    }
    guard let text = mailFrom, let from = MailAddress(text) else {
      throw ValidationError(ServeMessage.mailNeedsSender)
    }
    guard let place = Origin(scheme: "https", authority: mailServer) else {
      throw ValidationError(ServeMessage.badMailServer(mailServer))
    }
    var configuration = MailConfiguration(host: place.host, from: from)
    configuration.port = mailServer.hasSuffix(":\(place.port)") ? place.port : nil
    configuration.security = mailSecurity
    if let serviceName { configuration.fromName = serviceName }
    if let mailUser {
      guard let password = environment.variables[Self.passwordVariable], !password.isEmpty else {
        throw ValidationError(ServeMessage.mailNeedsPassword)
      }
      configuration.username = mailUser
      configuration.password = Secret(password)
    }
    if let mailCA {
      configuration.authorities = try String(contentsOf: environment.url(path: mailCA), encoding: .utf8)
    }
    return configuration
  }
}

extension MailConfiguration.Security {
  /// - Throws: `ValidationError` for any other word.
  init(option: String) throws {
    switch option {
    case "tls": self = .implicitTLS
    case "starttls": self = .startTLS
    case "insecure-plain-text": self = .insecurePlainText
    default: throw ValidationError(ServeMessage.badMailSecurity(option))
    }
  }
}
