/// What a value of an answer or a call of an API is: parts of the sentences of ``DialectNewMessage``.
enum DialectRole: CommandMessage {
  case token
  case renewalToken
  case end
  case userID
  case userName
  case tellsUser
  case renews
  case endsSession
  case likeToken
  case webToken
  case likeRenewalToken
  case time(unit: String)
  case date
  case identifier
  case name
  case claims

  var line: Line {
    switch self {
    case .token: "the token"
    case .renewalToken: "the token that renews"
    case .end: "the end of its time"
    case .userID: "the user's identifier"
    case .userName: "the user's name"
    case .tellsUser: "tells who the user is (GET)"
    case .renews: "renews (POST)"
    case .endsSession: "ends the session (POST)"
    case .likeToken: "looks like a token"
    case .webToken: "is a JSON Web Token"
    case .likeRenewalToken: "looks like a token that renews"
    case .time(let unit): "a time in \(unit)"
    case .date: "a time"
    case .identifier: "an identifier"
    case .name: "a name"
    case .claims: "the claims of the token"
    }
  }

  /// The words.
  var words: String { line.plain }

  static let isSentences = false
  static let examples: [DialectRole] = [
    .token, .renewalToken, .end, .userID, .userName, .tellsUser, .renews, .endsSession, .likeToken, .webToken,
    .likeRenewalToken, .time(unit: "seconds"), .date, .identifier, .name, .claims,
  ]
}
