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

  @Option(
    help:
      "The user name for the mail server. The variable OSTIARY_MAIL_PASSWORD, or --mail-password-file, has the password."
  )
  var mailUser: String?

  @Option(
    help: ArgumentHelp("A file with that password, which only its owner can read.", valueName: "file"),
    completion: .file())
  var mailPasswordFile: String?

  @Option(
    help: "A PEM file with the authorities that are trusted for the mail server, instead of the system's.",
    completion: .file())
  var mailCA: String?

  static let settings = [
    FileSetting("mail.server", "mail-server", .text),
    FileSetting("mail.security", "mail-security", .word(MailConfiguration.Security.words.map(\.word))),
    FileSetting("mail.from", "mail-from", .text), FileSetting("mail.user", "mail-user", .text),
    FileSetting("mail.passwordFile", "mail-password-file", .file, variable: passwordVariable),
    FileSetting("mail.ca", "mail-ca", .file),
  ]

  /// Options that do not go together; all of them.
  func contradictions(_ environment: CommandEnvironment) -> [ServeMessage] {
    guard let mailServer else {
      return mailFrom == nil && mailUser == nil && mailPasswordFile == nil ? [] : [.mailNeedsServer]
    }
    var found: [ServeMessage] = []
    if mailFrom.flatMap({ MailAddress($0) }) == nil { found.append(.mailNeedsSender) }
    if Origin(scheme: "https", authority: mailServer) == nil { found.append(.badMailServer(mailServer)) }
    if mailUser != nil {
      do throws(PasswordProblem) {
        _ = try password(environment)
      } catch {
        found.append(error.message)
      }
    }
    return found
  }

  private struct PasswordProblem: Error {
    let message: ServeMessage
  }

  /// The password for the mail server: of the option, then of the environment.
  private func password(_ environment: CommandEnvironment) throws(PasswordProblem) -> Secret {
    if let mailPasswordFile {
      let file = OperatorSecret(url: environment.url(path: mailPasswordFile), environment: environment)
      guard let password = try? file.text() else {
        throw PasswordProblem(message: .badMailPasswordFile(mailPasswordFile))
      }
      return Secret(password)
    }
    guard let password = environment.variables[Self.passwordVariable], !password.isEmpty else {
      throw PasswordProblem(message: .mailNeedsPassword)
    }
    return Secret(password)
  }

  /// The mail server that the options describe, if they do.
  /// - Parameter serviceName: Who mail is from.
  /// - Throws: `ValidationError` for options that don't go together.
  func configuration(serviceName: String?, _ environment: CommandEnvironment) throws -> MailConfiguration? {
    if let message = contradictions(environment).first { throw ValidationError(message) }
    guard let mailServer, let from = mailFrom.flatMap({ MailAddress($0) }),
      let place = Origin(scheme: "https", authority: mailServer)
    else { return nil }
    var configuration = MailConfiguration(host: place.host, from: from)
    configuration.port = mailServer.hasSuffix(":\(place.port)") ? place.port : nil
    configuration.security = mailSecurity
    if let serviceName { configuration.fromName = serviceName }
    if let mailUser {
      configuration.username = mailUser
      configuration.password = try password(environment)
    }
    if let mailCA {
      configuration.authorities = try environment.text(ofFile: mailCA)
    }
    return configuration
  }
}

extension MailConfiguration.Security {
  /// What options and files call each.
  fileprivate static let words: [(word: String, security: MailConfiguration.Security)] = [
    ("tls", .implicitTLS), ("starttls", .startTLS), ("insecure-plain-text", .insecurePlainText),
  ]

  /// - Throws: `ValidationError` for any other word.
  init(option: String) throws {
    guard let known = Self.words.first(where: { $0.word == option }) else {
      throw ValidationError(ServeMessage.badMailSecurity(option))
    }
    self = known.security
  }
}
