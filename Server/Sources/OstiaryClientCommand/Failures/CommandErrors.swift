internal import OstiaryCore

extension OstiaryError.Code {
  /// There is no profile of that name, or none at all.
  static let unknownProfile = Self("unknown_profile")
  /// There is no kind of server of that name.
  static let unknownKind = Self("unknown_kind")
  /// The server answered with an error and `--fail` was given.
  static let requestFailed = Self("request_failed")
}

extension OstiaryError {
  /// Whether a server refuses to renew the session, or answers what can't be read, and does not say why. The session is kept.
  var isOfRefusedRenewal: Bool {
    switch code {
    case .unclearRefusal: true
    // One that the network lost is no word of the server's.
    case .unreadableAnswer: !(underlying is OstiaryError)
    case .interactionRequired: (underlying as? OstiaryError)?.isOfRefusedRenewal ?? false
    default: false
    }
  }
}

extension String {
  /// A URL without the user name and password that may precede its host, whether or not the text is a valid URL.
  var withoutUserInformation: String {
    replacing(/^([^\/]*\/\/)?[^\/?#]*@/) { "\($0.1 ?? "")\(Secret(""))@" }
  }
}
