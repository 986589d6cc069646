/// What `ostiary request` says of the request and of its answer.
enum RequestMessage: CommandMessage {
  case withoutSession(place: String)
  case badURL(String, place: String)
  case badMethod(String)
  case fieldWithoutName
  case badFieldValue(name: String)
  case ownField(name: String)
  case receiving(file: String)
  case received(status: Int, bytes: Int, file: String)
  case answeredWithError(status: String)
  case commandsTerminal
  case badPath(String)

  // The body:

  /// Both options make the body.
  case dataAndForm
  /// Standard input is asked for by two options.
  case inputAskedTwice
  /// The text after `--form` is no field.
  case notAField(String)
  /// What follows the file's name in a field is not `;type=…` or `;filename=…`.
  case unknownAttribute(String)
  /// The value of `;type=` is no media type.
  case notAType(String)
  /// A field that is sent names the type of a form's body.
  case typeOfForm
  /// A file of the body is a folder.
  case folder(String)
  /// A file of the body, or standard input, can't be read.
  case unreadable(String, reason: String)
  /// A file of the body has fewer bytes than it had.
  case shorter(String)
  /// The body was read already and can't be read again.
  case spent(String)
  /// The proof of the session would have to cover a body that is not in memory.
  case proofCoversBody
  /// The session goes into the body, which is too large for that.
  case sessionInBody(kind: String, megabytes: Int)

  var line: Line {
    switch self {
    case .withoutSession(let place): "This is not \(place); the request goes without the session."
    case .badURL(let url, _): "“\(url)” is not a URL that HTTP can fetch."
    case .badMethod(let name): "“\(name)” is not a method."
    case .fieldWithoutName: "A field is missing its name."
    case .badFieldValue(let name): "The value of the field \(name) has characters that no field may have."
    case .ownField(let name): "The field \(name) follows from the URL and the body, and can't be set."
    case .receiving(let file): "Receiving \(file)…"
    case .received(let status, let bytes, let file): "\("✓", .green) \(status): \(bytes) bytes in \(file)."
    case .answeredWithError(let status): "The server answered \(status)."
    case .commandsTerminal: "The response has characters that control a terminal or turn the direction of its text."
    case .badPath(let path): "“\(path)” is not a path that HTTP can fetch."
    case .dataAndForm: "The body is made by --data or by --form, not by both."
    case .inputAskedTwice: "Standard input can be read once, and two options ask for it."
    case .notAField(let text): "“\(text)” is not a field of a form."
    case .unknownAttribute(let text): "“\(text)” can't follow the name of a file in a form."
    case .notAType(let text): "“\(text)” is not a media type."
    case .typeOfForm: "The Content-Type of a form can't be set: it names the boundary between the fields."
    case .folder(let path): "\(path) is a folder and can't be sent."
    case .unreadable(let name, let reason): "\(name) can't be read: \(reason)."
    case .shorter(let path): "\(path) has become shorter while it was being sent."
    case .spent(let name):
      "The request had to be sent again, after a sign-in or to another address, but its body came from "
        + "\(name), which can be read once only."
    case .proofCoversBody:
      "The server wants a proof that covers the body (Digest with auth-int), and the body is too large for that."
    case .sessionInBody(let kind, let megabytes):
      "The session of \(kind) travels in the body of a request, which can have \(megabytes) megabytes at most."
    }
  }

  var advice: String {
    switch self {
    case .withoutSession, .receiving, .received, .answeredWithError: ""
    case .badURL(_, let place): "Write https://host/path, or /path on \(place)."
    case .badMethod: "Write -X GET, or another method of letters."
    case .fieldWithoutName: "Write -H 'Name: value'."
    case .badFieldValue: "Leave line ends and control characters out of -H."
    case .ownField(let name): "Leave -H '\(name): …' out."
    case .commandsTerminal: "Use --output FILE, or pipe it into another program."
    case .badPath: "Write the path in the characters of a URL: %20 for a space."
    case .dataAndForm: "Leave one of them out."
    case .inputAskedTwice: "Give one of them a file: --data @FILE, --form NAME=@FILE or --password-file FILE."
    case .notAField: "Write --form NAME=VALUE, or --form NAME=@FILE."
    case .unknownAttribute:
      "Write --form 'NAME=@FILE;type=image/png;filename=photo.png'; quote a file name with a semicolon: @\"a;b\"."
    case .notAType: "Write it like --form 'NAME=@FILE;type=image/png'."
    case .typeOfForm: "Leave -H 'Content-Type: …' out."
    case .folder: "Name a file after --data @ or --form NAME=@."
    case .unreadable: "Check the path and its permissions."
    case .shorter: "Run the command again when the file is complete."
    case .spent: "Run the command again, or put the body into a file and write --data @FILE."
    case .proofCoversBody: "Send a body of one megabyte at most with --data."
    case .sessionInBody: "Use `ostiary upload FILE` for media."
    }
  }

  /// The name of a body that no file has.
  static let standardInput = "standard input"

  static let examples: [RequestMessage] = [
    .withoutSession(place: "https://example.org"), .badURL("ftp://x", place: "https://example.org"),
    .badMethod("G T"), .fieldWithoutName, .badFieldValue(name: "X-Name"), .ownField(name: "Content-Length"),
    .receiving(file: "report.pdf"), .received(status: 200, bytes: 4711, file: "report.pdf"),
    .answeredWithError(status: "404 Not Found"), .commandsTerminal, .badPath("/a b"),
    .dataAndForm, .inputAskedTwice, .notAField("picture"), .unknownAttribute("colour=red"), .notAType("png"),
    .typeOfForm,
    .folder("/home/ann/Films"), .unreadable("film.mp4", reason: "Permission denied"), .shorter("film.mp4"),
    .spent(standardInput), .proofCoversBody, .sessionInBody(kind: "newzulu", megabytes: 64),
  ]
}
