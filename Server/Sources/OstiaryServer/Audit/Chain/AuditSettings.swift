/// How long the server remembers what happened.
package struct AuditSettings: Hashable, Sendable {
  /// How long an event is kept. 400 days by default, so that a year can be looked back on. What is older is removed at the front, and the
  /// place where the rest begins is sealed.
  package var retention: Duration = .seconds(400 * 24 * 3600)

  /// The defaults.
  package init() {}
}
