/// What `ostiary request` says of the request that it is to send.
enum RequestMessage: CommandMessage {
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

  static let examples: [RequestMessage] = [
    .dataAndForm, .inputAskedTwice, .notAField("picture"), .unknownAttribute("colour=red"), .notAType("png"),
    .typeOfForm,
    .folder("/home/ann/Films"), .unreadable("film.mp4", reason: "Permission denied"), .shorter("film.mp4"),
    .spent("standard input"), .proofCoversBody, .sessionInBody(kind: "newzulu", megabytes: 64),
  ]
}
