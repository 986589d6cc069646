public import Foundation
public import Logging
public import OstiaryCore

extension SessionManager {
  /// Makes a manager for an API that a dialect describes.
  ///
  /// ```swift
  /// let manager = try SessionManager(
  ///   dialect: dialect, server: api, transport: PlatformTransport(),
  ///   credentials: .onRequest { _ in await askForPassword() }, store: store)
  /// ```
  /// - Parameters:
  ///   - dialect: the description.
  ///   - server: the API's address.
  ///   - settings: what the document asks the app for.
  ///   - deviceName: what the server may call this device.
  ///   - transport: the way to the server.
  ///   - credentials: where a credential comes from when a request needs one.
  ///   - questions: answers the server's questions in the middle of a sign-in, such as a second factor.
  ///   - replacements: parts that closures take over.
  ///   - store: where the session rests; by default in memory only.
  ///   - key: its name there; by default the kind and address of the server. An app that signs in to several tenants of one server gives
  ///     one for each, of the values of ``Dialect/accountSettings``.
  ///   - configuration: choices.
  ///   - clock: tells the time.
  ///   - logger: gets one line an event.
  /// - Throws: as ``DialectAuthenticator/init(dialect:server:settings:deviceName:answering:replacing:)``.
  public convenience init(
    dialect: Dialect, server: URL, settings: [String: Secret] = [:], deviceName: String? = nil,
    transport: any Transport, credentials: CredentialSource = .manual, answering questions: DialectQuestions = .none,
    replacing replacements: DialectReplacements = DialectReplacements(), store: any SessionStore = EphemeralStore(),
    key: SessionKey? = nil, configuration: SessionConfiguration = SessionConfiguration(),
    clock: any SessionClock = .system, logger: Logger = Logger(label: "ostiary.session")
  ) throws {
    let authenticator = try DialectAuthenticator(
      dialect: dialect, server: server, settings: settings, deviceName: deviceName, answering: questions,
      replacing: replacements)
    self.init(
      authenticator: authenticator, transport: transport, credentials: credentials, store: store, key: key,
      configuration: configuration, clock: clock, logger: logger)
  }
}
