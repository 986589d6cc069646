/// What `ostiary why` says besides the events.
package enum WhyMessage: CommandMessage {
  case nothingYet
  case noServerHere
  case badCount(most: Int)
  case badCountOfServer(most: Int)
  case optionsOfServer
  case optionsOfServerElsewhere
  /// Options of the server's data folder.
  case dataOfThisMachine
  case noEvent

  package var line: Line {
    switch self {
    case .nothingYet: "Nothing has happened yet."
    case .noServerHere: "There is no server in this program."
    case .badCount(let most): "-n takes a number from 1 to \(most)."
    case .badCountOfServer(let most): "-n takes a number from 1 to \(most) with --server https://host."
    case .optionsOfServer: "--user and --tenant go with --server."
    case .optionsOfServerElsewhere: "--admin-token-file and --ca-file go with --server https://host."
    case .dataOfThisMachine: "--data and --key-file go with --server for this machine, which takes no URL."
    case .noEvent: "The server told something that is no event."
    }
  }

  package var advice: String {
    switch self {
    case .noServerHere: "Name one: --server https://host."
    case .noEvent: "Update this command."
    default: ""
    }
  }

  package static let examples: [WhyMessage] = [
    .nothingYet, .noServerHere, .badCount(most: 10_000), .badCountOfServer(most: 1000), .optionsOfServer,
    .optionsOfServerElsewhere, .dataOfThisMachine, .noEvent,
  ]
}

/// What stands beside an event of a server.
enum EventDetail: CommandMessage {
  /// - hash: A keyed hash of the name that was given.
  case unknownUser(_ hash: String)
  case times(Int)
  case from(String)

  var line: Line {
    switch self {
    case .unknownUser(let hash): "unknown user \(hash)"
    case .times(let count): "\(count) times"
    case .from(let address): "from \(address)"
    }
  }

  static let isSentences = false
  static let examples: [EventDetail] = [.unknownUser("4f2a90"), .times(3), .from("192.0.2.7")]
}
