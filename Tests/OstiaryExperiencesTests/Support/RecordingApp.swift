import Foundation
import OstiaryCore
import OstiaryTesting

@testable import OstiaryExperiences

/// An app that writes down what it is asked and told, and answers as the test says.
final class RecordingApp: ExperienceDelegate {
  struct Answers: Sendable {
    var validate: @Sendable ([String: FieldValue], String) async throws -> ValidationResult = { _, _ in .valid }
    var logIn: @Sendable ([String: FieldValue]) async throws -> UserValidation = { _ in .accepted("u1") }
    var signUp: @Sendable ([String: FieldValue]) async throws -> UserValidation = { _ in .accepted("u2") }
    var recover: @Sendable ([String: FieldValue]) async throws -> ValidationResult = { _ in .valid }
    var handle: @Sendable ([String: FieldValue]) async throws -> Bool = { _ in true }
    var trigger: @Sendable (String) async throws -> Bool = { _ in true }
    var provider: @Sendable (String) async throws -> ProviderValidation = { _ in ProviderValidation() }
    var permission: @Sendable (String) async throws -> Bool = { _ in true }
  }

  private let lines = Locked<[String]>([])
  private let users = Locked<[SignedInUser]>([])
  private let events = Locked<[ExperienceEvent]>([])
  private let answers: Locked<Answers>

  init(_ change: (inout Answers) -> Void = { _ in }) {
    var answers = Answers()
    change(&answers)
    self.answers = Locked(answers)
  }

  /// An app that refuses every sign-up with these messages beside fields.
  static func refusingSignUp(_ messages: [String: String]) -> RecordingApp {
    RecordingApp {
      $0.signUp = { _ in
        var result = ValidationResult()
        for (field, message) in messages { result.invalidate(field: field, message: message) }
        return .refused(result)
      }
    }
  }

  func change(_ change: @Sendable (inout Answers) -> Void) { answers.withLock { change(&$0) } }

  /// What it was asked and told, in order, without events.
  var calls: [String] { lines.withLock { $0 } }
  var signedIn: [SignedInUser] { users.withLock { $0 } }
  var recorded: [ExperienceEvent] { events.withLock { $0 } }

  func count(_ prefix: String) -> Int { calls.count { $0.hasPrefix(prefix) } }

  /// Fields in a form that shows what kind of value each is, and that a secret is one.
  static func written(_ fields: [String: FieldValue]) -> String {
    "{" + fields.sorted { $0.key < $1.key }.map { "\($0.key): \(written($0.value))" }.joined(separator: ", ") + "}"
  }

  private static func written(_ value: FieldValue) -> String {
    switch value {
    case .text(let text): "\"\(text)\""
    case .secret(let secret): "secret(\(secret.reveal().unicodeScalars.count))"
    case .number(let number): "\(number)"
    case .integer(let number): "\(number)"
    case .toggle(let isOn): "\(isOn)"
    }
  }

  private func write(_ line: String) { lines.withLock { $0.append(line) } }

  func validate(_ fields: [String: FieldValue], on screen: String) async throws -> ValidationResult {
    write("validate \(screen) \(Self.written(fields))")
    return try await answers.withLock { $0.validate }(fields, screen)
  }

  func logIn(with fields: [String: FieldValue]) async throws -> UserValidation {
    write("logIn \(Self.written(fields))")
    return try await answers.withLock { $0.logIn }(fields)
  }

  func signUp(with fields: [String: FieldValue]) async throws -> UserValidation {
    write("signUp \(Self.written(fields))")
    return try await answers.withLock { $0.signUp }(fields)
  }

  func recoverPassword(with fields: [String: FieldValue]) async throws -> ValidationResult {
    write("recoverPassword \(Self.written(fields))")
    return try await answers.withLock { $0.recover }(fields)
  }

  func handle(_ fields: [String: FieldValue]) async throws -> Bool {
    write("handle \(Self.written(fields))")
    return try await answers.withLock { $0.handle }(fields)
  }

  func handleTrigger(_ name: String) async throws -> Bool {
    write("handleTrigger \(name)")
    return try await answers.withLock { $0.trigger }(name)
  }

  func signIn(with provider: String) async throws -> ProviderValidation {
    write("signIn \(provider)")
    return try await answers.withLock { $0.provider }(provider)
  }

  func requestPermission(_ name: String) async throws -> Bool {
    write("requestPermission \(name)")
    return try await answers.withLock { $0.permission }(name)
  }

  func didSignIn(_ user: SignedInUser) async {
    users.withLock { $0.append(user) }
    write("didSignIn \(user.id ?? "-") \(user.isNew ? "new" : "known") \(user.properties.keys.sorted())")
  }

  func screenDidAppear(_ screen: String, triggers: [String]) async { write("appeared \(screen) \(triggers)") }
  func willClose(with fields: [String: FieldValue]) async { write("willClose \(Self.written(fields))") }

  func record(_ event: ExperienceEvent) async { events.withLock { $0.append(event) } }
  func open(_ url: URL) async { write("open \(url.absoluteString)") }
}
