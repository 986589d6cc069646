public import Foundation
internal import OstiaryCore

/// Passes everything on to a delegate that it does not keep alive. When that is gone, its functions count as left out.
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

  public func validate(_ fields: [String: FieldValue], on screen: String) async throws -> ValidationResult {
    try await target?.validate(fields, on: screen) ?? .valid
  }

  public func logIn(with fields: [String: FieldValue]) async throws -> UserValidation {
    try await target?.logIn(with: fields) ?? .accepted()
  }

  public func signUp(with fields: [String: FieldValue]) async throws -> UserValidation {
    try await target?.signUp(with: fields) ?? .accepted()
  }

  public func recoverPassword(with fields: [String: FieldValue]) async throws -> ValidationResult {
    try await target?.recoverPassword(with: fields) ?? .valid
  }

  public func handle(_ fields: [String: FieldValue]) async throws -> Bool {
    try await target?.handle(fields) ?? true
  }

  public func handleTrigger(_ name: String) async throws -> Bool {
    try await target?.handleTrigger(name) ?? true
  }

  public func signIn(with provider: String) async throws -> ProviderValidation {
    guard let target else { throw CompletionAbandoned() }
    return try await target.signIn(with: provider)
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
