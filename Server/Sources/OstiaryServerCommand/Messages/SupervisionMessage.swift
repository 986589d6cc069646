internal import OstiaryClientCommand

/// What `ostiary serve` tells the service manager, and says of it.
enum SupervisionMessage: CommandMessage {
  case listening(origin: String)
  case stopping
  case alive
  case notAlive
  case badSocket(String)
  case notTold(reason: String)

  var line: Line {
    switch self {
    case .listening(let origin): "Listening on \(origin)."
    case .stopping: "Finishing the requests in flight."
    case .alive: "Working again."
    case .notAlive: "Not working: a restart is due."
    case .badSocket(let name): "NOTIFY_SOCKET is “\(name)”, which is no Unix socket."
    case .notTold(let reason): "The service manager can't be told that the server is ready: \(reason)."
    }
  }

  var advice: String {
    switch self {
    case .badSocket, .notTold: "Start the server with Type=exec, or correct the socket."
    default: ""
    }
  }

  static let examples: [SupervisionMessage] = [
    .listening(origin: "https://id.example.org"), .stopping, .alive, .notAlive, .badSocket("vsock:2:1234"),
    .notTold(reason: "Connection refused"),
  ]
}
