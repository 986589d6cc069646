extension AuditCause {
  /// Why no tokens were issued.
  init(_ refusal: TokenRefusal) {
    switch refusal {
    case .unknown: self = .unknown
    case .otherClient: self = .otherClient
    case .expired: self = .expired
    case .reused: self = .reused
    case .userDisabled: self = .userDisabled
    case .userChanged: self = .userChanged
    case .clientDisabled: self = .clientDisabled
    case .scopeTooWide: self = .scopeTooWide
    case .otherRedirectURI: self = .otherAddress
    case .codeChallengeMissing, .codeVerifierMissing, .codeVerifierWrong, .codeVerifierUnexpected:
      self = .wrongVerifier
    }
  }
}
