/// What is said of a text that should be a server's address.
enum ServerAddressMessage: CommandMessage {
  case userInformation
  /// Where an option takes the user's name.
  case userInformationBesideUser
  case noServer(String)
  /// Where the address has no path.
  case noServerWithoutPath(String)
  case serverTwice

  var line: Line {
    switch self {
    case .userInformation, .userInformationBesideUser: "The server's URL has a user name or password in it."
    case .serverTwice: "--server is given twice for one server."
    case .noServer(let text), .noServerWithoutPath(let text): "“\(text)” is not the URL of a server."
    }
  }

  var advice: String {
    switch self {
    case .userInformation: "Leave it out."
    case .userInformationBesideUser: "Leave it out: --user takes the name, and the password is asked for."
    case .noServer: "Write it with its scheme: https://host/path."
    case .serverTwice: "Write it once; further servers of a dialect are ROLE=URL."
    case .noServerWithoutPath: "Write it without a path: --server https://host."
    }
  }

  static let examples: [ServerAddressMessage] = [
    .userInformation, .userInformationBesideUser, .noServer("example.org"),
    .noServerWithoutPath("https://example.org/path"), .serverTwice,
  ]
}
