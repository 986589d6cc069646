import HTTPTypes

/// Why a request's body was not read to its end.
enum BodyProblem: Error {
  case tooLarge, tooSlow, malformed

  /// The status to answer with.
  var status: HTTPResponse.Status {
    switch self {
    case .tooLarge: .contentTooLarge
    case .tooSlow: .requestTimeout
    case .malformed: .badRequest
    }
  }

  /// What to tell a person.
  var message: String {
    switch self {
    case .tooLarge: "The request is larger than this server accepts."
    case .tooSlow: "The request took too long to arrive."
    case .malformed: "The request is malformed, or ended too early."
    }
  }
}
