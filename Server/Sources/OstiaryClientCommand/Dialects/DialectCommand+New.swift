internal import ArgumentParser
internal import Foundation
internal import OstiaryCore
internal import OstiaryDialect
internal import OstiaryPrivateFiles

extension DialectCommand {
  /// `ostiary dialect new`.
  struct New: OstiarySubcommand {
    static let configuration = CommandConfiguration(
      abstract: "Write the first draft of a dialect from one call that signs in.",
      discussion: """
        Asks for the call that signs in, or for a curl line, sends it once, and looks at the answer: what looks like a token, \
        like the end of its time, and like the user. It asks which is which, and writes the document. No value of the call \
        or the answer goes into it: what the call sends besides user name and password becomes a setting.

        Without a person, --curl and --har read the whole of standard input, and the likeliest is taken unless an option says \
        otherwise. A browser's tools copy a call as cURL, and save all calls as HAR; of a HAR file the calls after the \
        sign-in tell how requests carry the token and which call renews it, and nothing is sent.

          ostiary dialect new -o ours.json
          wl-paste | ostiary dialect new --curl -o ours.json
          ostiary dialect new --har --name ours < login.har > ours.json
        """)

    @Flag(help: "Read a curl line from standard input, and ask nothing.")
    var curl = false

    @Flag(help: "Read a HAR file from standard input, ask nothing, and send nothing.")
    var har = false

    @Option(
      name: [.customShort("o"), .customLong("output")],
      help: ArgumentHelp("Write the document to a new file instead of standard output.", valueName: "file"),
      completion: .file(extensions: ["json"]))
    var file: String?

    @Option(help: "The dialect's name: small letters, digits and hyphens.")
    var name = "my-api"

    @Option(help: "The API's name for people. (default: the dialect's name)")
    var title: String?

    @Option(help: ArgumentHelp("What the call calls the user name.", valueName: "name"))
    var userField: String?

    @Option(help: ArgumentHelp("What the call calls the password.", valueName: "name"))
    var passwordField: String?

    @Option(
      help: ArgumentHelp(
        "Where the answer has the token: a JSON Pointer, header:NAME, body, or none.", valueName: "place"))
    var token: String?

    @Option(
      help: ArgumentHelp("Where it has the token that renews, in the same words.", valueName: "place"))
    var renewalToken: String?

    @Option(help: ArgumentHelp("Where it says how long the token lasts.", valueName: "place"))
    var expiry: String?

    @Option(help: ArgumentHelp("Where it has the user's identifier.", valueName: "place"))
    var userID: String?

    @Option(help: ArgumentHelp("Where it has the user's name.", valueName: "place"))
    var userName: String?

    @Option(
      help: ArgumentHelp(
        "How requests carry the token: a field and its beginning, 'Authorization: Bearer'; or cookies.",
        valueName: "field"))
    var proof: String?

    @Option(
      parsing: .singleValue,
      help: ArgumentHelp(
        "A value that the call sends, the same for every user and no secret: it is written into the document.",
        valueName: "name"))
    var keep: [String] = []

    @Option(help: ArgumentHelp("The path of the call that renews (POST).", valueName: "path"))
    var renew: String?

    @Option(help: ArgumentHelp("The path of the call that tells who the user is (GET).", valueName: "path"))
    var who: String?

    @Option(
      help: ArgumentHelp(
        "The path of the call that ends the session (POST). It ends the one that was begun here.", valueName: "path"))
    var end: String?

    @Option(
      help: "A PEM file with certificates to trust besides the system's.", completion: .file(extensions: ["pem"]))
    var caFile: String?

    @Flag(help: "Allow plain http to another machine, where others can read the password.")
    var insecureHTTP = false

    @OptionGroup var timeout: TimeoutOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
      if curl, har { throw ValidationError(DialectNewMessage.curlAndHAR) }
    }

    static let hasSession = false

    func run(in environment: CommandEnvironment) async throws {
      guard name.wholeMatch(of: #/[a-z][a-z0-9-]{0,63}/#) != nil else {
        throw OstiaryError.usage(DialectNewMessage.badName(name))
      }
      for path in [renew, who, end].compactMap({ $0 }) where !path.hasPrefix("/") {
        throw OstiaryError.usage(DialectNewMessage.badPath(path))
      }
      // Nothing is sent for a document that could not be written.
      if let file, FileManager.default.fileExists(atPath: environment.url(path: file).path(percentEncoded: false)) {
        throw OstiaryError.file(FileMessage.exists(file))
      }
      let interview = DialectInterview(environment, isOpen: !curl && !har)
      let (call, later) = try await calls(interview, environment)
      let certificates = caFile.map { environment.url(path: $0).path(percentEncoded: false) }
      let transport = try CommandTransport(trusting: certificates, timeout: timeout.given)
      do {
        let exchange = LoginExchange(transport, allowsInsecureHTTP: insecureHTTP)
        let proposal = try await proposal(for: call, later, exchange, interview, environment)
        await transport.close()
        try write(proposal, environment)
      } catch {
        await transport.close()
        throw error
      }
    }

    /// The call that signs in, and those after it that were captured.
    private func calls(
      _ interview: DialectInterview, _ environment: CommandEnvironment
    ) async throws -> (CapturedCall, [CapturedCall]) {
      do throws(CaptureProblem) {
        if har {
          let data = try Self.input(HARFile.maximumBytes, environment)
          let calls = try HARFile.calls(data)
          let index = try HARFile.login(in: calls, passwordName: passwordField)
          return (calls[index], Array(calls[(index + 1)...]))
        }
        if curl {
          let data = try Self.input(1 << 20, environment)
          return (try CurlLine.call(String(decoding: data, as: UTF8.self)), [])
        }
      } catch {
        throw OstiaryError.usage(CaptureMessage(problem: error))
      }
      return (try await interview.call(), [])
    }

    private static func input(_ limit: Int, _ environment: CommandEnvironment) throws(CaptureProblem) -> Data {
      guard let data = try? environment.input.read(limit), data.count <= limit else { throw .tooLarge(limit: limit) }
      return data
    }

    // MARK: The proposal

    private func proposal(
      for call: CapturedCall, _ later: [CapturedCall], _ exchange: LoginExchange, _ interview: DialectInterview,
      _ environment: CommandEnvironment
    ) async throws -> DialectProposal {
      let inputs = call.inputs
      let user = try userField.map { try Self.input($0, inputs).place }
      let password = try passwordField.map { try Self.input($0, inputs).place }
      guard password != nil || inputs.contains(where: { $0.likeness == .password }) else {
        throw OstiaryError.usage(DialectNewMessage.noPassword(known: inputs.map(\.name)))
      }
      for name in keep { _ = try Self.input(name, inputs) }
      let answer: CapturedAnswer
      if har {
        guard let captured = call.answer else { throw OstiaryError.usage(DialectNewMessage.noAnswer) }
        answer = captured
      } else {
        let message = DialectNewMessage.sending(method: call.method, place: exchange.place(of: call))
        environment.console.note(message)
        answer = try await exchange.answer(to: call)
      }
      var begun = DialectProposal(call, answer: answer, name: name, title: title ?? name)
      if let user { begun.username = user }
      if let password { begun.password = password }
      begun.kept = Set(keep)
      begun.follow(later, answer: answer)
      do {
        let (proposal, finder) = try await finished(begun, answer, exchange, interview, environment)
        if !har { environment.console.note(await exchange.end(proposal, finder)) }
        return proposal
      } catch {
        // Without a draft there is no call that ends what this one has begun.
        if !har { environment.console.note(DialectNewMessage.sessionMayStay(place: exchange.place(of: call))) }
        throw error
      }
    }

    /// The proposal with what the options, the person and the user's own call say.
    private func finished(
      _ begun: DialectProposal, _ answer: CapturedAnswer, _ exchange: LoginExchange, _ interview: DialectInterview,
      _ environment: CommandEnvironment
    ) async throws -> (DialectProposal, AnswerFinder) {
      var proposal = begun
      let finder = AnswerFinder(answer, to: begun.call)
      try choose(&proposal, finder)
      try await interview.choose(&proposal, finder)
      guard proposal.token != nil || proposal.hasCookies else {
        throw OstiaryError.usage(DialectNewMessage.noToken)
      }
      if let path = proposal.whoPath, !har {
        if let status = try await exchange.readWho(&proposal, path, finder) {
          let proof = proposal.proofWords
          environment.console.note(DialectNewMessage.whoRefused(path: path, proof: proof, status: status))
        }
      }
      return (proposal, finder)
    }

    private static func input(_ name: String, _ inputs: [CapturedInput]) throws -> CapturedInput {
      guard let input = inputs.first(where: { $0.name == name }) else {
        throw OstiaryError.usage(DialectNewMessage.noInput(name, known: inputs.map(\.name)))
      }
      return input
    }

    /// What the options say.
    private func choose(_ proposal: inout DialectProposal, _ finder: AnswerFinder) throws {
      func named(_ name: String?, _ likeness: FoundValue.Likeness, _ value: FoundValue?) throws -> FoundValue? {
        guard let name else { return value }
        guard name != "none" else { return nil }
        guard let found = finder.finding(named: name, as: likeness) else {
          throw OstiaryError.usage(DialectNewMessage.noValue(name))
        }
        return found
      }
      proposal.token = try named(token, .token, proposal.token)
      proposal.renewalToken = try named(renewalToken, .renewalToken, proposal.renewalToken)
      proposal.expiry = try named(expiry, .lifetime(.seconds), proposal.expiry)
      proposal.userID = try named(userID, .userID, proposal.userID)
      proposal.userName = try named(userName, .userName, proposal.userName)
      if let proof { proposal.proof = try DialectInterview.proof(proof, finder) }
      if token != nil, proof == nil, proposal.hasCookies, proposal.token != nil {
        proposal.proof = .header(name: "Authorization", prefix: "Bearer ")
      }
      proposal.renewPath = renew ?? proposal.renewPath
      proposal.whoPath = who ?? proposal.whoPath
      proposal.endPath = end ?? proposal.endPath
    }

    // MARK: The document

    private func write(_ proposal: DialectProposal, _ environment: CommandEnvironment) throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      let dialect: Dialect
      do {
        dialect = try Self.dialect(try encoder.encode(proposal.document()))
      } catch let error as DialectError {
        let first = error.problems.first
        throw OstiaryError.usage(
          DialectNewMessage.unusable(place: first?.place ?? "", problem: first?.message ?? ""))
      }
      let text = dialect.printed
      if let file {
        guard try PrivateFile(url: environment.url(path: file)).make(with: Data(text.utf8)) else {
          throw OstiaryError.file(FileMessage.exists(file))
        }
      } else {
        try environment.console.print(text: text)
      }
      for message in proposal.messages { environment.console.note(message) }
      if let file { environment.console.note(DialectNewMessage.written(file: file)) }
      if curl, proof == nil, proposal.whoPath == nil, !proposal.hasCookies {
        environment.console.note(DialectNewMessage.assumedProof(proposal.proofWords))
      }
      let settings = dialect.settings.filter { $0.isRequired && $0.defaultValue == nil }.map(\.name)
      environment.console.note([DialectNewMessage.tryIt(file: file ?? "FILE", settings: settings).whole.unbroken])
    }

    private static func dialect(_ json: Data) throws -> Dialect { try Dialect(json: json) }
  }
}
