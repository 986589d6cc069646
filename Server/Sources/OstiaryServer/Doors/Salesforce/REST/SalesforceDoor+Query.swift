import Foundation
import HTTPTypes
import OstiaryCore

/// `/query?q=SELECT …`
extension SalesforceDoor {
  func query(_ call: DataCall) async throws -> DoorResponse {
    guard let text = call.request.query.first("q"), !text.isEmpty else {
      throw SalesforceDataFailure.malformedQuery("the parameter q is missing")
    }
    return try await run(text, from: 0, size: batchSize(call.request), call)
  }

  /// The batch after another one.
  func queryMore(_ call: DataCall) async throws -> DoorResponse {
    guard let place = SalesforceQueryPlace(call.request.parameters["locator"] ?? "") else {
      throw SalesforceDataFailure(.badRequest, "INVALID_QUERY_LOCATOR", "invalid query locator")
    }
    return try await run(place.query, from: place.start, size: place.size, call)
  }

  private func run(_ text: String, from start: Int, size: Int, _ call: DataCall) async throws -> DoorResponse {
    let query = try SOQLParser.parse(text)
    guard let object = SalesforceObject.all.first(where: { $0.name.lowercased() == query.object.lowercased() }) else {
      throw SalesforceDataFailure(
        .badRequest, "INVALID_TYPE", "sObject type '\(query.object)' is not supported.")
    }
    let batch = try await queries.batch(try SOQLPlan(query, object, call.caller), from: start, size: size)
    var members: [String: JSONValue] = ["totalSize": .integer(Int64(batch.total)), "done": true]
    members["records"] = .array(batch.records.map { $0.json(query.fields, version: call.version.path) })
    let next = start + batch.records.count
    if query.fields != nil, !batch.records.isEmpty, next < batch.total {
      members["done"] = false
      let locator = SalesforceQueryPlace(query: text, start: next, size: size).locator
      members["nextRecordsUrl"] = .string("/services/data/\(call.version.path)/query/\(locator)")
    }
    return try call.answer(.object(members), root: "QueryResult")
  }

  /// The number of records in a batch: 200 to 2000, as `Sforce-Query-Options: batchSize=200` says.
  private func batchSize(_ request: DoorRequest) -> Int {
    let options = request.headers["Sforce-Query-Options"]?.split(separator: "=").map(\.trimmingBlanks) ?? []
    guard options.count == 2, options[0].lowercased() == "batchsize", let size = Int(options[1]) else { return 2000 }
    return min(max(size, 200), 2000)
  }
}

/// The beginning of a batch. The server stores no cursor: the query is executed again, with the rights of the caller.
struct SalesforceQueryPlace: Sendable {
  let query: String
  let start: Int
  let size: Int

  init(query: String, start: Int, size: Int) {
    self.query = query
    self.start = start
    self.size = size
  }

  /// Reads ``locator``.
  init?(_ locator: String) {
    let parts = locator.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let query = parts[0].decodedBase64URL.flatMap({ String(validating: $0, as: UTF8.self) }),
      let start = Int(parts[1]), start >= 0, let size = Int(parts[2]), (200...2000).contains(size)
    else { return nil }
    self.init(query: query, start: start, size: size)
  }

  /// The segment of a path that names it.
  var locator: String { "\(Array(query.utf8).base64URL).\(start).\(size)" }
}
