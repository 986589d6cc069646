import Foundation
import HTTPTypes
import OstiaryCore

/// The org's data: `/services/data/…`.
extension SalesforceDoor {
  /// One call to the data.
  struct DataCall: Sendable {
    let request: DoorRequest
    let caller: SalesforceTokenHolder
    let version: SalesforceVersion
    let format: SalesforceDataFormat

    /// The object that the path names.
    var object: SalesforceObject { get throws { try .named(request.parameters["object"] ?? "") } }

    /// The id that the path names.
    var id: SalesforceRecordID {
      get throws {
        guard let id = SalesforceRecordID(request.parameters["id"] ?? "") else { throw SalesforceDataFailure.notFound }
        return id
      }
    }

    /// The members of the body.
    func fields() throws -> [String: JSONValue] {
      let type = request.mediaType
      guard type == "application/json" else { throw SalesforceDataFailure.unsupportedMediaType }
      guard let members = JSONValue(json: Data(request.body))?.object else { throw SalesforceDataFailure.malformedJSON }
      return members
    }

    func answer(_ value: JSONValue, root: String, status: HTTPResponse.Status = .ok) throws -> DoorResponse {
      try format.response(value, root: root, status: status)
    }
  }

  /// The routes below an entry.
  func dataRoutes(_ entry: SalesforceEntry) -> [Route] {
    /// For calls that the database may take long to answer: they end with their client.
    func receive(_ body: @escaping @Sendable (DataCall) async throws -> DoorResponse) -> [HTTPRequest.Method: Route
      .Receiver]
    {
      [.get: .abandonable({ request in try await data(request, entry, body) })]
    }
    func handle(_ body: @escaping @Sendable (DataCall) async throws -> DoorResponse) -> Route.Handler {
      { request in try await data(request, entry, body) }
    }
    let base = entry.path + "/services/data"
    let record = base + "/:version/sobjects/:object/:id"
    return [
      Route(base, [.get: { try SalesforceDataFormat($0).response(Self.versions, root: "Versions") }]),
      Route(base + "/:version", [.get: handle { try resources($0, entry) }]),
      Route(base + "/:version/limits", [.get: handle { try limits($0) }]),
      Route(base + "/:version/query", receivers: receive { try await query($0) }),
      Route(base + "/:version/query/:locator", receivers: receive { try await queryMore($0) }),
      Route(base + "/:version/queryAll", receivers: receive { try await query($0) }),
      Route(base + "/:version/sobjects", [.get: handle { try objects($0) }]),
      Route(
        base + "/:version/sobjects/:object",
        [.get: handle { try await recent($0) }, .post: handle { try await create($0) }]),
      Route(
        base + "/:version/sobjects/:object/describe",
        [.get: handle { try $0.answer($0.object.description(version: $0.version.path), root: "DescribeSObjectResult") }]
      ),
      Route(
        record,
        [
          .get: handle { try await retrieve($0) }, .patch: handle { try await update($0) },
          .delete: handle { try await delete($0) },
        ]),
    ]
  }

  private static let versions = JSONValue.array(SalesforceVersion.all.map(\.entry))

  // MARK: Who calls

  /// Authenticates the caller, counts the call, and turns thrown errors into the vendor's answers.
  private func data(
    _ request: DoorRequest, _ entry: SalesforceEntry, _ body: (DataCall) async throws -> DoorResponse
  ) async throws -> DoorResponse {
    let format = SalesforceDataFormat(request)
    var usage: String?
    var response: DoorResponse
    do {
      guard let text = request.token(schemes: SalesforceTokenText.schemes),
        let caller = try await caller(of: text, entry)
      else {
        throw SalesforceDataFailure.invalidSession
      }
      guard caller.mayUseData else { throw SalesforceDataFailure.sessionOfOtherScope }
      guard caller.org.allowsAPI else { throw SalesforceDataFailure.apiDisabled }
      guard let used = try await quota.take(caller.org.id, at: now) else {
        throw SalesforceDataFailure.requestLimitExceeded
      }
      usage = "api-usage=\(used)/\(quota.most)"
      let version = try SalesforceVersion(path: request.parameters["version"])
      response = try await body(DataCall(request: request, caller: caller, version: version, format: format))
    } catch let failure as SalesforceDataFailure {
      response = try failure.response(format)
    } catch let error as ServerError where error.isStorageFault || error.retryAfter != nil {
      log(error)
      response = try SalesforceDataFailure(
        .serviceUnavailable, "SERVER_UNAVAILABLE", "The server is not available right now. Please try again shortly."
      ).response(format).retrying(after: error.retryAfter ?? .seconds(5))
    }
    if let usage { response.headers["Sforce-Limit-Info"] = usage }
    return response
  }

  /// The caller with that token; nil if the token is unknown, or not admitted here.
  func caller(of text: Secret, _ entry: SalesforceEntry) async throws(ServerError) -> SalesforceTokenHolder? {
    guard let dressed = SalesforceTokenText(access: text.reveal()),
      let token = try await tokens.find(dressed.token),
      let user = token.grant.user, let org = entry.org(of: user), org.id == dressed.org,
      apps[token.grant.clientID] != nil
    else { return nil }
    let community = token.grant.attributes["community"]?.string
    // A customer's token gives no access to another community.
    guard entry.community == nil || community == nil || community == entry.community?.path else { return nil }
    return SalesforceTokenHolder(user: user, org: org, scopes: Set(token.scopes), community: community)
  }

  // MARK: What there is

  private func resources(_ call: DataCall, _ entry: SalesforceEntry) throws -> DoorResponse {
    let base = "/services/data/\(call.version.path)"
    return try call.answer(
      .object([
        "sobjects": .string(base + "/sobjects"), "query": .string(base + "/query"),
        "queryAll": .string(base + "/queryAll"), "limits": .string(base + "/limits"),
        "identity": .string(identityURL(call.caller.user, call.caller.org)),
      ]), root: "Resources")
  }

  private func limits(_ call: DataCall) throws -> DoorResponse {
    let used = quota.used(call.caller.org.id)
    return try call.answer(
      .object([
        "DailyApiRequests": .object([
          "Max": .integer(Int64(quota.most)), "Remaining": .integer(Int64(max(0, quota.most - used))),
        ])
      ]), root: "LimitsSnapshot")
  }

  private func objects(_ call: DataCall) throws -> DoorResponse {
    try call.answer(
      .object([
        "encoding": "UTF-8", "maxBatchSize": 200,
        "sobjects": .array(SalesforceObject.all.map { .object($0.summary(version: call.version.path)) }),
      ]), root: "DescribeGlobal")
  }

  // MARK: Records

  private func create(_ call: DataCall) async throws -> DoorResponse {
    let object = try call.object
    guard object.isCreatable else { throw SalesforceDataFailure.methodNotAllowed(.post) }
    let fields = try object.newFields(try call.fields())
    let id = try await records.insert(fields, of: call.caller.user, in: call.caller.place(object))
    var response = try call.answer(
      .object(["id": .string(id.long), "success": true, "errors": .array([])]), root: "Result", status: .created)
    response.headers[.location] = "/services/data/\(call.version.path)/sobjects/\(object.name)/\(id.long)"
    return response
  }

  private func retrieve(_ call: DataCall) async throws -> DoorResponse {
    let object = try call.object
    let names = call.request.query.first("fields").map { $0.split(separator: ",").map(String.init) }
    for name in names ?? [] where object.field(named: name) == nil {
      throw SalesforceDataFailure(
        .badRequest, "INVALID_FIELD", "No such column '\(name)' on sobject of type \(object.name)")
    }
    let id = try call.id
    guard let record = try await record(id, of: object, call.caller) else {
      throw SalesforceDataFailure.notFound
    }
    return try call.answer(record.json(names, version: call.version.path), root: object.name)
  }

  private func update(_ call: DataCall) async throws -> DoorResponse {
    let object = try call.object
    guard object.isUpdatable else { throw SalesforceDataFailure.methodNotAllowed(.patch) }
    let fields = try object.changedFields(try call.fields())
    guard try await records.update(try call.id, fields, in: call.caller.place(object)) else {
      throw SalesforceDataFailure.notFound
    }
    return DoorResponse(status: .noContent)
  }

  private func delete(_ call: DataCall) async throws -> DoorResponse {
    let object = try call.object
    guard object.isCreatable else { throw SalesforceDataFailure.methodNotAllowed(.delete) }
    guard try await records.delete(try call.id, in: call.caller.place(object)) else {
      throw SalesforceDataFailure.notFound
    }
    return DoorResponse(status: .noContent)
  }

  /// An object, and the most recently made records.
  private func recent(_ call: DataCall) async throws -> DoorResponse {
    let object = try call.object
    let names = object.fields.map(\.name).filter { ["Id", "CaseNumber", "Subject", "Name"].contains($0) }
    let records = try await latest(object, call.caller)
    return try call.answer(
      .object([
        "objectDescribe": .object(object.summary(version: call.version.path)),
        "recentItems": .array(records.map { $0.json(names, version: call.version.path) }),
      ]), root: object.name)
  }

  /// The record of that id, if the caller sees it.
  private func record(
    _ id: SalesforceRecordID, of object: SalesforceObject, _ caller: SalesforceTokenHolder
  ) async throws -> SalesforceRecord? {
    switch object.prefix {
    case .user, .organization:
      let isThat = SOQLCondition.comparison(field: "Id", .equal, .text(id.long))
      let query = SOQLQuery(fields: ["Id"], object: object.name, condition: isThat, order: [], limit: 1, offset: 0)
      return try await queries.batch(try SOQLPlan(query, object, caller), from: 0, size: 1).records.first
    default: return try await records.record(id, in: caller.place(object))
    }
  }

  /// The most recently made records; for users, the last names.
  private func latest(_ object: SalesforceObject, _ caller: SalesforceTokenHolder) async throws -> [SalesforceRecord] {
    let field = object.prefix == .user ? "Username" : "Id"
    let order = [SOQLQuery.Order(field: field, isDescending: true, putsNullsLast: true)]
    let query = SOQLQuery(fields: ["Id"], object: object.name, condition: nil, order: order, limit: 20, offset: 0)
    return try await queries.batch(try SOQLPlan(query, object, caller), from: 0, size: 20).records
  }
}
