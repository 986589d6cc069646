import Foundation

/// Writes events in the transactions that they report. It is made before the transaction, whose body has no task.
struct AuditTrail: Sendable {
  private let keys: AuditKeys
  private let origin: AuditOrigin
  private let requestID: String?
  private let knownAddress: ClientAddress?
  private let pathway: Pathway?
  private let now: Date

  // Put together when an event is written: most trails are made for none.

  private var address: ClientAddress? { knownAddress ?? origin.address }
  /// Where it happens.
  var place: String? { origin.place ?? pathway.map { AuditLog.encoded($0.rawValue) } }

  /// - Parameters:
  ///   - address: the address of the request, from a caller that knows it better than the task.
  ///   - place: the way of the request, if no route is known.
  init(
    of storage: ServerStorage, at now: Date, address: ClientAddress? = nil, place: Pathway? = nil,
    requestID: String? = nil
  ) {
    keys = AuditKeys.of(storage)
    origin = AuditOrigin.current
    pathway = place
    knownAddress = address
    self.requestID = requestID ?? origin.requestID
    self.now = now
  }

  /// The client's network, by which limits count.
  var network: [UInt8]? { address?.bucket }

  /// Writes an event. It has no other effect: the body may run again.
  func note(_ event: AuditEvent, times: Int = 1, in db: StorageConnection) throws {
    try db.run(
      AuditStatements.sql.insert, now, event.kind.rawValue, event.cause?.rawValue, event.userID,
      event.name.map(keys.mark), event.clientID.map(AuditLog.encoded), event.session, event.grantID, event.calls, times,
      origin.actor.rawValue, place, address?.description, requestID.map(AuditLog.encoded))
  }
}

extension ServerStorage {
  /// Writes an event for an outcome without a transaction of its own; durable when it returns.
  /// - Throws: a storage code: the client must not be given the outcome then.
  func note(_ event: AuditEvent, at now: Date) async throws(ServerError) {
    let trail = AuditTrail(of: self, at: now)
    try await writeTogether { db in try trail.note(event, in: db) }
  }
}
