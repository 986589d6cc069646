/// What `ostiary upload` and `ostiary media` say.
enum UploadMessage: CommandMessage {
  /// A file is uploaded.
  case uploaded(String, id: String)
  /// An upload goes on from what the server has of the file.
  case resumed(String, have: String, of: String)
  /// An upload failed; the others go on.
  case failed(String, reason: String)
  /// A signal stopped the command.
  /// - have: how much the server has; - rest: the command that sends the rest.
  case interrupted(have: String, of: String, rest: String)
  /// An upload failed after the server had got a part of it.
  case rest(String)
  /// A file can't be uploaded.
  case notAFile(String)
  case empty(String)
  case unreadable(String)
  /// A file is named twice.
  case twice(String)
  /// A title is given for several files.
  case titleForSeveral
  /// A number is out of its range.
  case badNumber(option: String, least: Int, most: Int?)
  /// An upload was stopped by a signal.
  case stopped
  /// There are no media.
  case noMedia
  /// More media than are shown.
  case more(shown: Int, total: Int)
  /// The server could not be told that uploads are given up.
  case notAbandoned(reason: String)

  var line: Line {
    switch self {
    case .uploaded(let file, let id): "\("✓", .green) \(file) is uploaded as \(id, .bold)."
    case .resumed(let file, let have, let size): "\(file): the server has \(have) of \(size) already."
    case .failed(let file, let reason): "\("✗", .red) \(file): \(reason)"
    case .interrupted(let have, let size, _): "Interrupted. The server has \(have) of \(size), and keeps it."
    case .rest: "The server keeps what it has."
    case .notAFile(let path): "\(path) is not a file that can be uploaded."
    case .empty(let path): "\(path) is empty."
    case .unreadable(let path): "\(path) can't be read."
    case .twice(let path): "\(path) is named twice."
    case .titleForSeveral: "--title is for one file, and several are named."
    case .badNumber(let option, let least, let most):
      "\(option) takes a number of \(least)\(most.map { " to \($0)" } ?? " or more")."
    case .stopped: "It was interrupted."
    case .noMedia: "There are no media to list."
    case .more(let shown, let total): "These are \(shown) of \(total)."
    case .notAbandoned(let reason): "The server was not told to delete what it has of interrupted uploads: \(reason)"
    }
  }

  var advice: String {
    switch self {
    case .interrupted(_, _, let rest), .rest(let rest): "To send the rest: \(rest)"
    case .notAFile: "Name files that are there, not folders or devices."
    case .empty, .unreadable: "Check the file."
    case .twice: "Leave it out once."
    case .titleForSeveral: "Leave it out, and each file's name is its title; or upload them one by one."
    case .more(let shown, let total): "Write --limit \(total), or --start \(shown) for the next."
    case .notAbandoned: "It is told at the next sign-out or sign-in of `ostiary upload`."
    default: ""
    }
  }

  static let examples: [UploadMessage] = [
    .uploaded("film.mp4", id: "17"), .resumed("film.mp4", have: "34 MB", of: "60 MB"),
    .failed("film.mp4", reason: "The server can't be reached."),
    .interrupted(have: "34 MB", of: "60 MB", rest: "ostiary upload film.mp4 --profile press"),
    .rest("ostiary upload film.mp4 --profile press"), .notAFile("/home/ann/Films"), .empty("film.mp4"),
    .unreadable("film.mp4"), .twice("film.mp4"), .titleForSeveral,
    .badNumber(option: "--limit", least: 1, most: 100_000), .badNumber(option: "--start", least: 0, most: nil),
    .stopped, .noMedia, .more(shown: 100, total: 230),
    .notAbandoned(reason: "The server can't be reached."),
  ]
}
