/// What `ostiary request` says of the request and of its answer.
enum RequestTextMessage: CommandMessage {
  case inputTwice
  case withoutSession(place: String)
  case badURL(String, place: String)
  case badMethod(String)
  case fieldWithoutName
  case badFieldValue(name: String)
  case ownField(name: String)
  case bodyTooLarge
  case receiving(file: String)
  case received(status: Int, bytes: Int, file: String)
  case answeredWithError(status: String)
  case commandsTerminal
  case badPath(String)

  var line: Line {
    switch self {
    case .inputTwice: "Standard input can be the password or the body, not both."
    case .withoutSession(let place): "This is not \(place); the request goes without the session."
    case .badURL(let url, _): "“\(url)” is not a URL that HTTP can fetch."
    case .badMethod(let name): "“\(name)” is not a method."
    case .fieldWithoutName: "A field is missing its name."
    case .badFieldValue(let name): "The value of the field \(name) has characters that no field may have."
    case .ownField(let name): "The field \(name) follows from the URL and the body, and can't be set."
    case .bodyTooLarge: "The body is larger than 1 GiB."
    case .receiving(let file): "Receiving \(file)…"
    case .received(let status, let bytes, let file): "\("✓", .green) \(status): \(bytes) bytes in \(file)."
    case .answeredWithError(let status): "The server answered \(status)."
    case .commandsTerminal: "The response has characters that control a terminal or turn the direction of its text."
    case .badPath(let path): "“\(path)” is not a path that HTTP can fetch."
    }
  }

  var advice: String {
    switch self {
    case .inputTwice: "Write --password-file for the password, or -d @FILE for the body."
    case .withoutSession, .receiving, .received, .answeredWithError: ""
    case .badURL(_, let place): "Write https://host/path, or /path on \(place)."
    case .badMethod: "Write -X GET, or another method of letters."
    case .fieldWithoutName: "Write -H 'Name: value'."
    case .badFieldValue: "Leave line ends and control characters out of -H."
    case .ownField(let name): "Leave -H '\(name): …' out."
    case .bodyTooLarge: "Send it from a file: -d @FILE."
    case .commandsTerminal: "Use --output FILE, or pipe it into another program."
    case .badPath: "Write the path in the characters of a URL: %20 for a space."
    }
  }

  static let examples: [RequestTextMessage] = [
    .inputTwice, .withoutSession(place: "https://example.org"), .badURL("ftp://x", place: "https://example.org"),
    .badMethod("G T"), .fieldWithoutName, .badFieldValue(name: "X-Name"), .ownField(name: "Content-Length"),
    .bodyTooLarge, .receiving(file: "report.pdf"), .received(status: 200, bytes: 4711, file: "report.pdf"),
    .answeredWithError(status: "404 Not Found"), .commandsTerminal, .badPath("/a b"),
  ]
}
