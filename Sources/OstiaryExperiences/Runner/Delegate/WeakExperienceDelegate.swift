public import Foundation
internal import OstiaryCore

/// Passes everything on to a delegate that it does not keep alive. When that is gone, nothing is accepted any more: each
/// question throws ``DelegateMissing``.
public final class WeakExperienceDelegate: ExperienceDelegate {
  private struct Reference: Sendable {
    weak var target: (any ExperienceDelegate)?
  }

  private let reference: Locked<Reference>

  /// Makes one for a delegate.
  public init(_ target: any ExperienceDelegate) {
    reference = Locked(Reference(target: target))
  }

  /// The delegate, as long as the app holds it.
  public var target: (any ExperienceDelegate)? { reference.withLock { $0.target } }

  private var present: any ExperienceDelegate {
    get throws(DelegateMissing) {
      guard let target else { throw DelegateMissing() }
      return target
    }
  }

  public func validate(_ fields: [String: FieldValue], on screen: String) async throws -> ValidationResult {
    try await present.validate(fields, on: screen)
  }

  public func logIn(with fields: [String: FieldValue]) async throws -> UserValidation {
    try await present.logIn(with: fields)
  }

  public func signUp(with fields: [String: FieldValue]) async throws -> UserValidation {
    try await present.signUp(with: fields)
  }

  public func recoverPassword(with fields: [String: FieldValue]) async throws -> ValidationResult {
    try await present.recoverPassword(with: fields)
  }

  public func handle(_ fields: [String: FieldValue]) async throws -> Bool {
    try await present.handle(fields)
  }

  public func handleTrigger(_ name: String) async throws -> Bool {
    try await present.handleTrigger(name)
  }

  public func signIn(with provider: String) async throws -> ProviderValidation {
    try await present.signIn(with: provider)
  }

  public func requestPermission(_ name: String) async throws -> Bool {
    try await target?.requestPermission(name) ?? false
  }

  public func didSignIn(_ user: SignedInUser) async { await target?.didSignIn(user) }

  public func screenDidAppear(_ screen: String, triggers: [String]) async {
    await target?.screenDidAppear(screen, triggers: triggers)
  }

  public func willClose(with fields: [String: FieldValue]) async { await target?.willClose(with: fields) }
  public func record(_ event: ExperienceEvent) async { await target?.record(event) }
  public func open(_ url: URL) async { await target?.open(url) }
}
