/// What `ostiary login oidc` says of servers that it finds.
enum OpenIDMessage: CommandMessage {
  case onlyForOpenID(kind: String)
  case withoutMetadata
  case badParameter(String)
  case noIssuer
  case noClient(issuer: String)
  case apiTwice
  case clientTwice
  case notForItself
  case question(api: String, issuer: String)
  case noPersonToAsk(api: String, issuer: String)
  case declined(issuer: String)
  case registered(client: String, issuer: String)

  var line: Line {
    switch self {
    case .onlyForOpenID(let kind): "\(kind) takes no issuer, and none of the options of oidc."
    case .withoutMetadata: "oauth is for servers without metadata: they have no issuer, and register no client."
    case .badParameter(let text): "“\(text)” is not a name and a value."
    case .noIssuer: "oidc needs the server to sign in at, or an API that names it."
    case .noClient(let issuer): "\(issuer) has to know the client."
    case .apiTwice: "--server and --api are the same."
    case .notForItself: "The command registers clients for people, not one that signs in as itself."
    case .clientTwice: "A client that the server knows already is not registered."
    case .question(let api, let issuer):
      "\(api) takes tokens of \(issuer). Go there to sign in? Enter y: "
    case .noPersonToAsk(_, let issuer):
      "The API takes tokens of \(issuer), and there is no terminal to ask whether to go there."
    case .declined(let issuer): "Nothing was sent to \(issuer)."
    case .registered(let client, let issuer): "\(issuer) has registered the client \(client)."
    }
  }

  var advice: String {
    switch self {
    case .question, .registered: ""
    case .onlyForOpenID: "Write --server and --option, or ostiary login oidc."
    case .withoutMetadata: "Write --option token-url=URL --client-id ID, or ostiary login oidc."
    case .badParameter: "Write --param NAME=VALUE."
    case .noIssuer: "Write ostiary login oidc https://login.host --api https://api.host, or leave the first out."
    case .noClient: "Write --client-id ID, or --register."
    case .apiTwice: "Leave --server or --api out."
    case .notForItself: "Write --client-id ID --option client-secret-file=FILE, or another --method."
    case .clientTwice: "Leave --client-id or --register out."
    case .noPersonToAsk(let api, let issuer):
      "Write ostiary login oidc \(issuer.quotedForShell) --api \(api.quotedForShell)."
    case .declined: "Sign in at a server that you trust: ostiary login oidc https://login.host."
    }
  }

  static let examples: [OpenIDMessage] = [
    .onlyForOpenID(kind: "pega"), .withoutMetadata,
    .badParameter("prompt"), .noIssuer, .noClient(issuer: "https://login.example.org"),
    .apiTwice, .clientTwice, .notForItself,
    .question(api: "https://api.example.org/orders", issuer: "https://login.example.org"),
    .noPersonToAsk(api: "https://api.example.org/orders", issuer: "https://login.example.org"),
    .declined(issuer: "https://login.example.org"),
    .registered(client: "c-1", issuer: "https://login.example.org"),
  ]
}
