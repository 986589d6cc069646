public import Foundation
public import HTTPTypes
internal import OstiaryCore

/// Finds the authorization server of an API from the API alone (RFC 9728).
///
/// ```swift
/// let resources = try ResourceDirectory(api: api, issuers: .named(["https://login.example.com"]), in: directory)
/// let found = try await resources.find()
/// let client = try OAuthClient(id: "orders-app", issuer: found.issuer, in: directory)
/// ```
public final class ResourceDirectory: Sendable {
  /// The API's address, in the program's own words.
  public let api: URL
  private let rule: ResourceRule
  private let directory: ServerDirectory
  private let issuers: IssuerChoice
  private let documents: DocumentShelf<URL, ResourceMetadata>
  /// The question that is asked, or was, and the servers that it was about.
  private let question = Locked<(issuers: [String], work: SharedWork<String>)?>(nil)

  /// Makes a directory of one API.
  /// - Parameters:
  ///   - api: the API's address: requests go there or below.
  ///   - issuers: the authorization servers that the program goes to.
  ///   - directory: the way to the servers.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `invalidInput` for an address that is no `https` URL.
  public init(api: URL, issuers: IssuerChoice, in directory: ServerDirectory) throws {
    guard let origin = Origin(api),
      EndpointRule(allowsPlainHTTP: directory.allowsPlainHTTP).problem(of: api) == nil
    else {
      throw OstiaryError.invalidOAuthInput(
        "The API's address is not an absolute https URL without a user name and fragment.", "Check the address.")
    }
    self.api = api
    rule = ResourceRule(api: api, origin: origin)
    self.directory = directory
    self.issuers = issuers
    documents = DocumentShelf(clock: directory.clock, capacity: 16)
  }

  /// Finds the API's authorization server.
  /// - Parameters:
  ///   - response: the API's 401, whose challenge says where its document is (`resource_metadata`); without one the
  ///     document is looked for where RFC 9728 §3.1 has it.
  ///   - address: the address that the 401 came from; by default the API's.
  /// - Throws: ``/OstiaryCore/OstiaryError``: `metadataMissing` and `metadataUnusable`, also for a document that is about
  ///   another API; `issuerNotAllowed` when it names only servers that the program does not go to; `interactionCancelled` when the
  ///   program was asked and declined; the network's errors.
  public func find(for response: HTTPResponse? = nil, from address: URL? = nil) async throws -> ProtectedResource {
    let metadata = try await metadata(at: document(response))
    guard rule.accepts(metadata.resource, for: address ?? api) else {
      throw OstiaryError.unusableMetadata(
        "The document that the API names is about another API.", "RFC 9728 §3.3",
        advice: "Give the API's address as its own document has it.", disposition: .misuse)
    }
    // An API elsewhere has no business on this machine.
    let addresses = EndpointRule(allowsPlainHTTP: directory.allowsPlainHTTP, allowsLoopback: rule.origin.isLoopback)
    let named = metadata.issuers.filter { issuer in
      let address = try? IssuerAddress(issuer, allowsPlainHTTP: directory.allowsPlainHTTP)
      return address.map { addresses.problem(of: $0.url) == nil } ?? false
    }
    guard !named.isEmpty else {
      throw OstiaryError.unusableMetadata("The API names no authorization server.", "RFC 9728 §2")
    }
    return ProtectedResource(metadata: metadata, issuer: try await issuer(among: named, metadata))
  }

  /// Sends a request without a token, and finds the API's authorization server by its answer.
  /// - Throws: as ``find(for:from:)``, and the network's errors.
  public func findByAsking() async throws -> ProtectedResource {
    var request = try TransportRequest.get(api)
    request.timeout = directory.timeout
    // The body is of no use: it goes with the connection.
    let head = try await directory.transport.stream(request).head
    if let error = OstiaryError(unavailable: head, to: request.head, now: directory.clock.now, "The API") {
      throw error
    }
    return try await find(for: head.status == .unauthorized ? head : nil)
  }

  /// Forgets what was answered: the program is asked again.
  public func forgetAnswer() { question.withLock { $0 = nil } }

  // MARK: The document

  private func document(_ response: HTTPResponse?) throws -> URL {
    let named = try response.flatMap(ResourceRule.document(namedBy:))
    let addresses = EndpointRule(allowsPlainHTTP: directory.allowsPlainHTTP, allowsLoopback: rule.origin.isLoopback)
    guard let address = named.map(EndpointRule.address) ?? rule.document, addresses.problem(of: address) == nil else {
      throw OstiaryError.unusableMetadata(
        "The address that the API names for its document is not an absolute https URL.", "RFC 9728 §5.1")
    }
    return address
  }

  private func metadata(at address: URL) async throws -> ResourceMetadata {
    try await documents.document(at: address, .fresh) { [directory] copy in
      let request = DocumentRequest(
        address: address, tag: copy?.tag, maximumBytes: ServerMetadata.maximumBytes, timeout: directory.timeout)
      do {
        switch try await request.send(over: directory.transport, clock: directory.clock) {
        case .found(let response):
          let metadata = try ResourceMetadata(json: response.body)
          return .document(
            metadata, tag: response.head.headerFields[.eTag],
            lifetime: DocumentLifetime.of(response.head, at: directory.clock.now))
        case .unchanged(let head):
          return .unchanged(lifetime: DocumentLifetime.of(head, at: directory.clock.now))
        case .absent(let absence):
          return .failure(
            OstiaryError.missingMetadata(
              "The API has no document about itself.", "RFC 9728 §3",
              disposition: absence == .missing ? .misuse : .transient(retryAfter: nil)))
        }
      } catch {
        return .failure(error)
      }
    }.document
  }

  // MARK: The choice

  private func issuer(among named: [String], _ metadata: ResourceMetadata) async throws -> String {
    switch issuers {
    case .named(let allowed):
      guard let issuer = allowed.first(where: { own in named.contains { $0.hasSameBytes(as: own) } }) else {
        throw Self.notAllowed("The API names only authorization servers that this program does not go to.")
      }
      return issuer
    case .asking(let ask):
      let (work, isNew) = question.withLock { question -> (SharedWork<String>, Bool) in
        if let question, question.issuers == named { return (question.work, false) }
        let work = SharedWork<String>()
        question = (named, work)
        return (work, true)
      }
      if isNew {
        let inquiry = IssuerQuestion(api: api, resource: metadata, issuers: named)
        work.launch { [self] in
          guard let answer = try await answer(to: inquiry, by: ask, work) else {
            throw OstiaryError(.interactionCancelled, "The program goes to none of the API's authorization servers.")
          }
          guard let issuer = named.first(where: { $0.hasSameBytes(as: answer) }) else {
            throw Self.notAllowed("The program chose an authorization server that the API does not name.")
          }
          return issuer
        }
      }
      return try await work.value()
    }
  }

  /// The program's answer. A question that came to no answer is asked again.
  private func answer(
    to inquiry: IssuerQuestion, by ask: @Sendable (IssuerQuestion) async throws -> String?, _ work: SharedWork<String>
  ) async throws -> String? {
    do {
      return try await ask(inquiry)
    } catch {
      question.withLock { if $0?.work === work { $0 = nil } }
      throw error
    }
  }

  private static func notAllowed(_ message: String) -> OstiaryError {
    OstiaryError(
      .issuerNotAllowed, message, advice: "Add the server to those that the program goes to, if it can be trusted.",
      disposition: .misuse, requestMayHaveExecuted: false)
  }
}
