internal import Foundation
internal import HTTPTypes
internal import OstiaryCore

/// The exchanges of an upload with the server: four calls in the user's name, and the parts themselves.
struct UploadCalls: Sendable {
  let client: NewzuluClient
  let account: NewzuluAccount

  /// Whose uploads they are: the user and the project.
  var owner: String { account.uploadName(forProject: client.vhost) }

  private var options: NewzuluConfiguration.UploadOptions { client.configuration.uploads }
  private var names: NewzuluConfiguration.CallNames { client.configuration.calls }
  private var fileKeys: NewzuluConfiguration.FileKeys { client.configuration.fileKeys }
  private var keys: NewzuluConfiguration.UploadKeys { options.keys }

  /// Begins an upload.
  func create(_ upload: NewzuluUpload, _ source: UploadSource) async throws -> NewzuluUploadState {
    let most = Int64(max(1, options.maximumParts))
    let wanted = max(options.partSize, (source.size - 1) / most + 1, 1)
    guard wanted <= options.maximumPartSize else {
      throw OstiaryError.unusableUpload("The file is too large: \(source.size) bytes.")
    }
    let fileData: [String: JSONValue] = [
      fileKeys.contentType: .string(upload.contentType), fileKeys.filename: .string(upload.filename),
      fileKeys.title: .string(upload.title), fileKeys.message: .string(upload.message),
      fileKeys.size: .integer(source.size), keys.partSize: .integer(wanted),
    ]
    let result = try await call(names.createMultiPartUpload, [keys.fileData: .object(fileData)])
    guard let id = result[fileKeys.id]?.looseText else {
      throw Self.unusable(missing(fileKeys.id, setting: "file.id", in: result))
    }
    let partSize = result[keys.partSize]?.looseInteger ?? wanted
    guard partSize > 0, partSize <= options.maximumPartSize else {
      throw NewzuluClient.unexpected("The server wants parts of a size that this client can't send.")
    }
    let count = NewzuluUploadState.count(source.size, partSize)
    guard count <= options.maximumParts else {
      throw NewzuluClient.unexpected("The server wants the file in more parts than it may have.")
    }
    var state = NewzuluUploadState(
      id: id, fileSize: source.size, partSize: partSize, account: owner, about: upload.about,
      modified: source.modified, parts: Array(repeating: NewzuluUploadState.Part(), count: count))
    apply(urlsOf: result, to: &state)
    guard state.isSound, state.parts.allSatisfy({ $0.url != nil }) else {
      let first = result[keys.addresses]?.array?.first
      throw Self.unusable(
        first == nil
          ? missing(keys.addresses, setting: "uploads.keys.addresses", in: result)
          : missing(keys.address, setting: "uploads.keys.address", in: first ?? .null))
    }
    return state
  }

  /// What the server knows of an upload.
  enum Found: Sendable {
    /// It goes on, as this table says.
    case unfinished(NewzuluUploadState)
    /// It is complete.
    case finished
    /// It is another one: of other sizes than are known here.
    case different
    /// The server has no such upload.
    case unknown
    /// The server can't be asked such a thing.
    case unsupported
  }

  /// Asks which parts the server has.
  func find(_ state: NewzuluUploadState) async throws -> Found {
    guard let method = options.resumeMethod else { return .unsupported }
    let result: JSONValue
    do {
      result = try await call(method, [fileKeys.id: .string(state.id)])
    } catch let error as OstiaryError where error.code == .newzuluRefused {
      let refusal = error.underlying as? NewzuluRefusal
      if refusal?.isUnknownMethod(client.configuration) == true { return .unsupported }
      // Any other refusal may be about a server that is busy: it says nothing of the upload.
      guard isUnknownUpload(error) else { throw error }
      return .unknown
    }
    if let status = result[fileKeys.status]?.looseInteger, status != Int64(options.incompleteStatus) {
      return .finished
    }
    guard result[keys.partSize]?.looseInteger ?? state.partSize == state.partSize,
      result[fileKeys.size]?.looseInteger ?? state.fileSize == state.fileSize
    else { return .different }
    var state = state
    state.parts = state.parts.map { NewzuluUploadState.Part(url: $0.url, digest: $0.digest) }
    for part in result[keys.parts]?.array ?? [] {
      guard let index = index(part, state),
        part[keys.size]?.looseInteger ?? state.length(ofPart: index) == state.length(ofPart: index)
      else { continue }
      state.parts[index].isStored = true
      state.parts[index].tag = part[keys.tag]?.looseText
    }
    apply(urlsOf: result, to: &state)
    return .unfinished(state)
  }

  /// Sends a part. Nothing but its address says whose it is: no session, no key.
  /// - Returns: what the server calls its content, and the digest of the bytes that were sent.
  /// - Throws: ``/OstiaryCore/OstiaryError`` `partRefused` when the address is not good any more.
  func put(
    _ source: UploadSource, at offset: Int64, count: Int64, to address: Secret
  ) async throws -> (tag: String?, digest: Data) {
    // A table of the version before may have addresses that were not looked at.
    guard let url = usable(address.reveal()) else { throw Self.unusable }
    var request = TransportRequest(
      try HTTPRequest(.put, to: url, headerFields: [.contentType: MediaType.unknown]),
      timeout: .seconds(60) + .seconds(count / max(1, options.slowestRate)), responseBodyLimit: 64 * 1024)
    request.replay = .never
    let response: TransportResponse
    var digest: Data?
    let taken = PartDigest()
    if let network = client.network as? any BodyReadingTransport,
      let body = try source.body(at: offset, count: count, digest: taken)
    {
      response = try await network.send(request, reading: body)
      digest = taken.value(ofBytes: count)
    } else {
      let bytes = try await source.read(at: offset, count: count)
      digest = PartDigest.value(of: bytes)
      request.body = bytes
      response = try await client.network.send(request)
    }
    switch response.status.code {
    case 200..<300:
      guard let digest else {
        throw OstiaryError(
          .connectionLost, "The part was not read as it was sent; it is sent again.", request: request.head)
      }
      return (response.head.headerFields[.eTag].map { $0.trimmingCharacters(in: ["\"", " "]) }, digest)
    case 403, 404, 410:
      throw OstiaryError(
        .partRefused, "The server does not take this part here any more.",
        disposition: .transient(retryAfter: nil), request: request.head)
    case 408, 429, 500...599:
      let now = client.clock.now
      let wait = response.head.headerFields[.retryAfter]
        .flatMap { RetryAfter.parse($0, now: response.head.date(now: now) ?? now) }
      throw OstiaryError(
        .serverUnavailable, "The server can't take the part now (\(response.status.code)).",
        disposition: .transient(retryAfter: wait), request: request.head)
    case let code:
      throw OstiaryError(
        .newzuluRefused, "The server refused a part of the file (\(code)).", advice: "Start the upload anew.",
        disposition: .misuse, request: request.head, underlying: NewzuluRefusal(number: nil, text: "HTTP \(code)"))
    }
  }

  /// Ends an upload whose parts are all there.
  func complete(_ state: NewzuluUploadState) async throws -> NewzuluFile {
    let parts = state.parts.enumerated().map { index, part in
      var members: [String: JSONValue] = [keys.number: .integer(Int64(index) + 1)]
      members[keys.tag] = part.tag.map(JSONValue.string)
      return JSONValue.object(members)
    }
    let result = try await call(
      names.completeMultiPartUpload, [fileKeys.id: .string(state.id), keys.parts: .array(parts)])
    // The item is there, whether or not the answer says what it is.
    return result.object.flatMap { NewzuluFile($0, keys: fileKeys) } ?? NewzuluFile(id: state.id, keys: fileKeys)
  }

  /// Gives an upload up. One that the server does not have is given up.
  func abort(_ state: NewzuluUploadState) async throws { try await abort(owed(state.id)) }

  func abort(_ upload: OwedUpload) async throws {
    do {
      _ = try await call(
        names.abortMultiPartUpload,
        [fileKeys.id: .string(upload.id), client.configuration.vhostArgument: .string(upload.project)])
    } catch let error as OstiaryError where isUnknownUpload(error) {}
  }

  /// An upload for the client's project, as one that is given up.
  func owed(_ id: String) -> OwedUpload { OwedUpload(id: id, project: client.vhost) }

  /// Whether the server has said that it has no call that gives an upload up. No other refusal is for good.
  func saysThatNoneCanBeDeleted(_ error: OstiaryError) -> Bool {
    error.code == .newzuluRefused
      && (error.underlying as? NewzuluRefusal)?.isUnknownMethod(client.configuration) == true
  }

  private func isUnknownUpload(_ error: OstiaryError) -> Bool {
    error.code == .newzuluRefused
      && (error.underlying as? NewzuluRefusal)?.isUnknownUpload(client.configuration) == true
  }

  private func call(_ method: String, _ arguments: [String: JSONValue]) async throws -> JSONValue {
    try await client.call(method, arguments, as: .user, of: account)
  }

  /// Takes over where parts go.
  private func apply(urlsOf result: JSONValue, to state: inout NewzuluUploadState) {
    for part in result[keys.addresses]?.array ?? [] {
      guard let index = index(part, state), let text = part[keys.address]?.string, usable(text) != nil else { continue }
      state.parts[index].url = Secret(text)
    }
  }

  /// Where a part goes. What is secret on the way to the platform does not travel in the clear from it.
  private func usable(_ address: String) -> URL? {
    guard let url = URL(string: address), let origin = Origin(url) else { return nil }
    return origin.isSecure || Origin(client.server)?.isSecure != true ? url : nil
  }

  private func index(_ part: JSONValue, _ state: NewzuluUploadState) -> Int? {
    guard let number = part[keys.number]?.looseInteger, number >= 1, number <= Int64(state.parts.count) else {
      return nil
    }
    return Int(number - 1)
  }

  static var unusable: OstiaryError {
    NewzuluClient.unexpected("The server's answer does not say where the parts of the file go.")
  }

  private func missing(_ name: String, setting: String, in answer: JSONValue) -> MissingName {
    MissingName(name, setting: setting, in: answer, hiding: [account.password].compactMap { $0 } + client.secrets)
  }

  private static func unusable(_ missing: MissingName) -> OstiaryError {
    NewzuluClient.unexpected(
      "The server's answer does not say where the parts of the file go: \(missing).", advice: MissingName.advice)
  }
}

extension OstiaryError.Code {
  /// The address for a part is not good any more; there may be another.
  static let partRefused = Self("newzulu_part_refused")
}
