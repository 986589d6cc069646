import HTTPTypes
import OstiaryCore

extension DoorResponse {
  /// A generic error: a message for people in the reader's language, the request's id, and no internal details. Programs get the
  /// message in English.
  static func failure(_ status: HTTPResponse.Status, _ text: ServerText, for request: DoorRequest) -> DoorResponse {
    failure(status, for: request) { $0(text) }
  }

  /// As ``failure(_:_:for:)``, with a message that another table has.
  /// - Parameter message: The message in a language.
  static func failure(
    _ status: HTTPResponse.Status, for request: DoorRequest, _ message: (PageTexts) -> String
  ) -> DoorResponse {
    guard !request.prefersJSON else {
      let error: JSONValue = .object([
        "status": .integer(Int64(status.code)), "message": .string(message(.english)),
        "requestId": .string(request.id),
      ])
      return (try? .json(.object(["error": error]), status: status)) ?? DoorResponse(status: status)
    }
    let texts = PageTexts(request)
    return .page(
      .error(title: texts(ServerText(titleOf: status)), message: message(texts), requestID: request.id, in: texts),
      status: status)
  }

  /// The answer if the store can't be used: nothing can be decided. A client must not take it for a sign-out.
  static func unavailable(for request: DoorRequest) -> DoorResponse {
    failure(.serviceUnavailable, for: request) { $0(code: .unavailable) }.retrying(after: .seconds(5))
  }
}

extension Page {
  /// An error page. It shows the message and the id by which the log has the request.
  static func error(title: String, message: String, requestID: String, in texts: PageTexts = .english) -> Page {
    Page(
      title: title, in: texts,
      content: """
        <p>\(message)</p>
        <p class="quiet">\(texts(.requestNumber, ["id": "\(requestID)"]))</p>
        """)
  }
}

extension ServerText {
  /// The title of an error page.
  init(titleOf status: HTTPResponse.Status) {
    self =
      switch status {
      case .forbidden: .noAccessTitle
      case .notFound: .notFoundTitle
      case .tooManyRequests: .waitTitle
      case .internalServerError: .failedTitle
      case .badGateway, .serviceUnavailable, .gatewayTimeout: .unavailableTitle
      default: .refusedTitle
      }
  }
}

extension BodyProblem {
  /// The message for a person.
  var text: ServerText {
    switch self {
    case .tooLarge: .requestTooLarge
    case .tooSlow: .requestTooSlow
    case .malformed: .requestCut
    }
  }
}

extension ServedHosts.Problem {
  /// The message for a person.
  var text: ServerText {
    switch self {
    case .malformed: .requestMalformed
    case .unknownHost: .hostUnknown
    }
  }
}
