internal import HTTPTypes

/// What the user or the app presents to be signed in.
public enum Credential: Sendable {
  /// A user name and a password.
  case password(username: String, password: Secret)
  /// A request that the app has made itself; signing in is sending it.
  case request(TransportRequest)
  /// Proof obtained elsewhere: cookies from the app's own exchange, tokens handed over. It is checked before it is
  /// believed.
  case proof(Proof)
  /// Nothing from the app: a challenge handler gets what it needs itself, by asking a person for example.
  case byHandler
}

extension Credential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  public var description: String {
    switch self {
    case .password(let username, _): "password of \(username)"
    case .request(let request): "request \(request.head.method.rawValue) \(request.head.authority ?? "")"
    case .proof(let proof): "proof with \(proof)"
    case .byHandler: "what the handler asks for"
    }
  }
  public var debugDescription: String { description }
  public var customMirror: Mirror { Mirror(self, children: ["credential": description], displayStyle: .enum) }
}
