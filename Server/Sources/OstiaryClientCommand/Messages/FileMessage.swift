/// What is said of a file, or of standard input, that can't be used.
package enum FileMessage: CommandMessage {
  /// What messages call standard input.
  static let standardInput = "standard input"

  case unreadable(String)
  /// A file with a secret of an option.
  case unreadableSecret(String, option: String)
  /// A file with a secret of an option, which others can read.
  case secretOpenToOthers(String)
  case missing(String)
  case missingDocument(String)
  case folder(String)
  case folderWithDocument(String)
  case unreadableDocument(String)
  case unwritable(String, reason: String)
  case exists(String)
  case inputUnreadable
  case lineTooLong
  case lineNotUTF8
  case lineUnreadable
  case noHomeFolder

  package var line: Line {
    switch self {
    case .unreadable(let path), .unreadableSecret(let path, _), .unreadableDocument(let path):
      "\(path) can't be read."
    case .secretOpenToOthers(let path): "Other users can read the secret in \(path)."
    case .missing(let path), .missingDocument(let path): "There is no file \(path)."
    case .folder(let path), .folderWithDocument(let path): "\(path) is a folder."
    case .unwritable(let path, let reason): "\(path) can't be written: \(reason)."
    case .exists(let path): "There is a file \(path) already."
    case .inputUnreadable: "Standard input can't be read."
    case .lineTooLong: "A line of the input is too long."
    case .lineNotUTF8: "What was entered is not UTF-8."
    case .lineUnreadable: "The input can't be read."
    case .noHomeFolder: "There is no home folder."
    }
  }

  package var advice: String {
    switch self {
    case .unreadable, .unwritable: "Check the path and its permissions."
    case .missing: "Check the path."
    case .unreadableSecret(_, let option): "Check the path in --option \(option)."
    case .secretOpenToOthers(let path): "Run chmod 600 \(path), and replace the secret if they may have read it."
    case .missingDocument: "Name a document, or - for standard input."
    case .folder: "Name a file."
    case .folderWithDocument: "Name the document in it."
    case .unreadableDocument: "Check the file's permissions and the disk."
    case .exists: "Name another one."
    case .inputUnreadable: "Connect it to a file or a pipe."
    case .lineTooLong: "Write at most 65536 bytes on a line."
    case .lineNotUTF8: "Set the terminal to UTF-8, or write the file in UTF-8."
    case .lineUnreadable: "Connect it to a terminal, a file or a pipe."
    case .noHomeFolder: "Set HOME to an absolute path, or OSTIARY_HOME."
    }
  }

  package static let examples: [FileMessage] = [
    .unreadable("ca.pem"), .unreadableSecret("secret.txt", option: "client-secret-file"),
    .secretOpenToOthers("secret.txt"), .missing("admin.token"),
    .missingDocument("signup.json"), .folder("/tmp"), .folderWithDocument("documents"),
    .unreadableDocument("signup.json"), .unwritable("report.pdf", reason: "Permission denied"),
    .exists("laptop.token"), .inputUnreadable, .lineTooLong, .lineNotUTF8, .lineUnreadable, .noHomeFolder,
  ]
}
