import Foundation

extension FlowRow {
  /// An event about whoever the flow is about.
  func event(_ kind: AuditKind, _ cause: AuditCause? = nil) -> AuditEvent {
    AuditEvent(
      kind, cause, user: userID, name: userID == nil ? subject.map { NameKey(stored: $0) } : nil)
  }
}
