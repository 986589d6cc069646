internal import ArgumentParser
internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
internal import OstiaryPrivateFiles

/// `ostiary request`.
struct RequestCommand: OstiarySubcommand {
  static let configuration = CommandConfiguration(
    commandName: "request",
    abstract: "Send a request with the session.",
    discussion: """
      Restores the session, renews it and answers challenges as needed, and prints the response's body as it arrives. \
      When a password is needed it is asked for on the terminal; without one the exit status is 3.

      Cookies and other proof go to the profile's server only, and are never printed.

      A body of more than 1 MiB is read while it is sent, and a response's while it is printed: memory holds no file. A file \
      is read again where a sign-in makes the request go out twice; standard input of more than 1 MiB can't be, and the \
      command says so. A reader that leaves (`ostiary request … | head -1`) ends it without a message, with exit status 141.

      Examples: ostiary request /api/cases -i
                ostiary request /api/cases --data @case.json --fail
                ostiary request /api/files --form title=Dog \\
                  --form 'photo=@dog.jpg;type=image/jpeg'
                ostiary request /api/files/7 --output film.mp4
      """)

  @Argument(
    help: "The URL; or a path on the profile's server, or the one that its sessions are for, beginning with /.")
  var url: String

  @Option(name: [.customShort("X"), .long], help: "The method. (default: GET, with --data or --form POST)")
  var method: String?

  @Option(name: [.customShort("H"), .long], parsing: .singleValue, help: "A field to send: 'Name: value'.")
  var header: [String] = []

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "The body; @FILE reads it from a file, @- from standard input. It is sent as JSON if it is a JSON object or list, "
        + "otherwise as a form, unless -H names a Content-Type."))
  var data: String?

  @Option(
    name: [.customShort("F"), .long], parsing: .singleValue,
    help: ArgumentHelp(
      "A field of a form (multipart/form-data): name=value, name=@FILE, name=@- for standard input. After a file "
        + ";type=MEDIA/TYPE and ;filename=NAME can follow. Repeat it for more.",
      valueName: "name=value"))
  var form: [String] = []

  @Flag(name: .shortAndLong, help: "Print the response's status and fields, too.")
  var include = false

  @Option(
    name: [.customShort("o"), .customLong("output")], help: "Write the body to a file instead of standard output.",
    completion: .file())
  var outputFile: String?

  @Flag(name: .shortAndLong, help: "Make a status of 400 or above a failure (exit status 6), without the body.")
  var fail = false

  @OptionGroup(title: "Password options") var password: PasswordOptions
  @OptionGroup var profile: ProfileOptions
  @OptionGroup var timeout: TimeoutOptions
  @OptionGroup var trace: TraceOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if data != nil, !form.isEmpty { throw ValidationError(RequestMessage.dataAndForm) }
    // A field that can't be read is told of later, in the same way as with the other mistakes.
    let inputs = (try? MultipartForm(form).standardInputs) ?? 0
    guard inputs + (password.passwordStdin ? 1 : 0) + (data == "@-" ? 1 : 0) <= 1 else {
      throw ValidationError(RequestMessage.inputAskedTwice)
    }
  }

  func run(in environment: CommandEnvironment) async throws {
    let console = environment.console
    let folders = try Folders(environment)
    let profile = try ProfileStore(folders).load().profile(named: profile.profile)
    // Mistakes of the command line are reported before the user is asked a question.
    var (request, streamed) = try makeRequest(for: profile, environment)
    let file = try outputFile.map { try DownloadFile(environment.url(path: $0)) }
    let session = try ProfileSession(
      profile, folders: folders, environment: environment, logger: logger(environment), timeout: timeout.given,
      trace: trace.file(in: environment),
      credentials: CredentialPrompt.sources(
        for: profile, environment: environment, options: password))
    if let streamed { request.body = session.bodies.standIn(for: streamed) }
    try await session.use {
      let server = try await session.server(signingIn: url.hasPrefix("/"))
      if url.hasPrefix("/"), server != profile.server {
        request.head = try HTTPRequest(
          request.head.method, to: server.appendingReference(url), headerFields: request.head.headerFields)
      }
      // No progress is shown over a question: the terminal belongs to the question.
      let response = try await way(session, for: request, console).stream(request)
      try await show(response, in: file, environment)
    }
  }

  // MARK: The request

  /// The transport: with the session for the servers that take it, and without it for others.
  private func way(_ session: ProfileSession, for request: TransportRequest, _ console: Console) -> any Transport {
    let manager = session.manager
    let origins = manager.current.map { manager.authenticator.attachment(for: $0).origins } ?? []
    guard let origin = Origin(request.head), !(origins + manager.authenticator.origins).contains(origin) else {
      return session.kind.requests(through: manager)
    }
    console.warn(RequestMessage.withoutSession(place: session.profile.place))
    return AuthenticatedTransport(manager)
  }

  private func makeRequest(
    for profile: Profile, _ environment: CommandEnvironment
  ) throws -> (TransportRequest, StreamedBody?) {
    let target = url.hasPrefix("/") ? URL(string: url, relativeTo: profile.server)?.absoluteURL : URL(string: url)
    guard let target, Origin(target) != nil else {
      throw OstiaryError.usage(RequestMessage.badURL(url.withoutUserInformation, place: profile.place))
    }
    let name = method?.uppercased() ?? (data == nil && form.isEmpty ? "GET" : "POST")
    guard let method = HTTPRequest.Method(name) else { throw OstiaryError.usage(RequestMessage.badMethod(name)) }
    var fields = HTTPFields()
    for text in header { fields.append(try Self.field(text)) }
    var request = TransportRequest(try HTTPRequest(method, to: target, headerFields: fields))
    let body = try body(for: profile, &request.head.headerFields, environment)
    if case .memory(let bytes) = body { request.body = bytes }
    if case .streamed(let streamed) = body { return (request, streamed) }
    return (request, nil)
  }

  /// The body, and the field that says what it is.
  private func body(
    for profile: Profile, _ fields: inout HTTPFields, _ environment: CommandEnvironment
  ) throws -> OutgoingBody? {
    let isSessionInBody = try ServerKinds.kind(of: profile, in: environment).isSessionInBody
    let limit = isSessionInBody ? 64_000_000 : OutgoingBody.memoryLimit
    guard form.isEmpty else {
      guard fields[.contentType] == nil else { throw OstiaryError.usage(RequestMessage.typeOfForm) }
      let form = try MultipartForm(form)
      fields[.contentType] = form.contentType
      return try form.body(environment, upTo: limit)
    }
    guard let body = try data.map({ try OutgoingBody(data: $0, environment, upTo: limit) }) else { return nil }
    switch body {
    case .memory(let bytes): fields[.contentType] = fields[.contentType] ?? Self.contentType(of: bytes)
    case .streamed:
      if isSessionInBody {
        throw OstiaryError.usage(
          RequestMessage.sessionInBody(kind: profile.kind.rawValue, megabytes: limit / 1_000_000))
      }
      fields[.contentType] = fields[.contentType] ?? FormEncoding.mediaType
    }
    return body
  }

  /// The probable type of a body; a large one is a form, as for curl.
  private static func contentType(of body: Data) -> String {
    if body.count <= 1 << 20, let value = JSONValue(json: body), value.object != nil || value.array != nil {
      return "application/json"
    }
    return "application/x-www-form-urlencoded"
  }

  /// The fields that follow from the URL, the body and the connection.
  private static let ownFields: Set<String> = [
    "host", "content-length", "transfer-encoding", "connection", "keep-alive", "proxy-connection", "te", "trailer",
    "upgrade",
  ]

  private static func field(_ text: String) throws -> HTTPField {
    guard let colon = text.firstIndex(of: ":"), let name = HTTPField.Name(String(text[..<colon])) else {
      throw OstiaryError.usage(RequestMessage.fieldWithoutName)
    }
    let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
    guard HTTPField.isValidValue(value) else {
      throw OstiaryError.usage(RequestMessage.badFieldValue(name: name.rawName))
    }
    // The transport would drop it, or contradict what is sent.
    guard !ownFields.contains(name.canonicalName) else {
      throw OstiaryError.usage(RequestMessage.ownField(name: name.rawName))
    }
    return HTTPField(name: name, value: value)
  }

  // MARK: The response

  private func show(
    _ response: StreamingResponse, in file: DownloadFile?, _ environment: CommandEnvironment
  ) async throws {
    let console = environment.console
    let isFailure = fail && response.head.status.code >= 400
    if isFailure {
      // The body says why, and is no result: a script must not take it for one.
      if output.json {
        try console.print(json: ResponseReport(response, body: nil, file: nil))
      } else if include {
        try console.print(ResponseReport.head(response.head))
      }
    } else if output.json, file == nil {
      let body = try await Self.collect(response.body)
      try console.print(json: ResponseReport(response, body: body, file: nil))
    } else {
      if include, !output.json {
        try console.print(ResponseReport.head(response.head))
      }
      if let file, let outputFile {
        let size = try await console.progress(RequestMessage.receiving(file: outputFile)) {
          try await file.fill(from: response.body)
        }
        if output.json {
          try console.print(json: ResponseReport(response, body: nil, file: outputFile))
        } else {
          console.note(
            RequestMessage.received(status: response.head.status.code, bytes: size, file: outputFile))
        }
      } else {
        try await Self.copy(response.body, to: console.output)
      }
    }
    if isFailure {
      throw OstiaryError(
        .requestFailed, RequestMessage.answeredWithError(status: "\(response.head.status)"),
        disposition: .terminal, requestMayHaveExecuted: true)
    }
  }

  private static func collect(_ body: ResponseBody) async throws -> Data {
    do {
      return try await body.collect(upTo: TransportRequest.defaultResponseBodyLimit)
    } catch var error as OstiaryError where error.code == .responseTooLarge {
      error.advice = AdviceMessage.useOutput.line.plain
      throw error
    }
  }

  private static func copy(_ body: ResponseBody, to output: any OutputSink) async throws {
    var last: UInt8?
    var watch = TerminalText()
    for try await piece in body {
      if output.isTerminal, watch.commandsTerminal(piece) {
        throw OstiaryError.usage(RequestMessage.commandsTerminal)
      }
      try output.write(piece)
      last = piece.last ?? last
    }
    // The shell's prompt then begins on a new line.
    if output.isTerminal, let last, last != UInt8(ascii: "\n") { try output.write(Data("\n".utf8)) }
  }
}

extension URL {
  /// An address below this one, which may have a path of its own.
  /// - Parameter reference: a path that begins with a slash, with or without a query.
  fileprivate func appendingReference(_ reference: String) throws -> URL {
    let base = absoluteString
    guard let url = URL(string: (base.hasSuffix("/") ? String(base.dropLast()) : base) + reference) else {
      throw OstiaryError.usage(RequestMessage.badPath(reference))
    }
    return url
  }
}
