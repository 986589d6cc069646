extension AuditCause {
  /// Why a device gets no tokens; nil where it is to ask again.
  init?(_ decision: DeviceDecision) {
    switch decision {
    case .denied: self = .denied
    case .expired: self = .expired
    case .issued, .pending, .slowDown, .refused: return nil
    }
  }
}
