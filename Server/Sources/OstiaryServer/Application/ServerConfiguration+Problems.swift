import OstiaryCore

extension ServerConfiguration {
  /// All problems of the configuration, one sentence each; empty if a server may start.
  public var problems: [String] {
    problems(of: houseDoors)
  }

  /// As ``problems``, on a server with these kinds of doors.
  func problems(of kinds: [any DoorModule.Type]) -> [String] {
    addressProblems + limitProblems + developmentProblems + kinds.flatMap { doors.problems(of: $0) }
      + (mail?.problems ?? []) + (tracing?.problems ?? []) + storageProblems
      + operations.problems(
        isAllowedAnywhere: dangerouslyOffersOperationsBeyondLoopback, clients: (host, port))
  }

  private var storageProblems: [String] {
    if case .postgreSQL(let database) = storage { database.problems } else { [] }
  }

  private var addressProblems: [String] {
    var problems: [String] = []
    if host.isEmpty { problems.append("There is no address to listen on: set the host.") }
    if !(0...65535).contains(port) { problems.append("\(port) is not a port: use 0 to 65535.") }
    if let publicOrigin, Origin(plain: publicOrigin) == nil {
      problems.append("The public origin must look like https://id.example.org, without a path.")
    }
    let isPublicSecure = publicOrigin.flatMap(Origin.init(plain:))?.isSecure ?? (tls != nil)
    if tls != nil, !isPublicSecure { problems.append("The public origin must be https where TLS is on.") }
    if publicOrigin == nil, ["0.0.0.0", "::", "*"].contains(bareHost) {
      problems.append("Listening on every address needs a public origin: clients can't be sent to \(host).")
    }
    if !host.isEmpty, !isLoopback, !isPublicSecure {
      problems.append(
        "Plain HTTP is refused beyond loopback: set a TLS certificate, or an https public origin where a proxy ends TLS."
      )
    }
    for proxy in trustedProxies where ClientAddress(proxy) == nil {
      problems.append("A trusted proxy is named by its numeric address, not “\(proxy)”.")
    }
    return problems
  }

  private var limitProblems: [String] {
    var problems: [String] = []
    if http.bodySize < 1024 { problems.append("The limit for request bodies must be 1024 bytes or more.") }
    if http.headerSize < 1024 { problems.append("The limit for header sections must be 1024 bytes or more.") }
    if http.headerCount < 10 { problems.append("The limit for header fields must be 10 or more.") }
    if [http.connections, http.connectionsPerAddress, http.requestsPerClient].contains(where: { $0 ?? 1 < 1 }) {
      problems.append("The limits for connections and requests must be 1 or more.")
    }
    if [http.idleTime, http.bodyTime, http.writeTime].contains(where: { $0 <= .zero }) {
      problems.append("Time limits must be more than nothing.")
    }
    if stopTime <= .zero { problems.append("The time for stopping must be more than nothing.") }
    return problems
  }

  private var developmentProblems: [String] {
    guard let development, !development.dangerouslyListensBeyondLoopback else { return [] }
    if !isLoopback { return ["Development switches are refused beyond loopback: remove them, or listen on 127.0.0.1."] }
    // A proxy on this machine would make all clients look local.
    guard let publicOrigin = publicOrigin.flatMap(Origin.init(plain:)), !publicOrigin.isLoopback else { return [] }
    return ["Development switches are refused behind a public origin: remove them, or leave the origin out."]
  }
}
