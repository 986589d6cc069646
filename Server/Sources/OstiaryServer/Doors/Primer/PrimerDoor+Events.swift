import Foundation
import HTTPTypes
public import OstiaryCore
import OstiaryExperiences

extension PrimerDoor {
  /// The most events of one delivery.
  static let mostEventsPerBatch = 500
  private static let mostPropertyBytes = 8 << 10

  /// The events that apps have delivered, oldest first, as they were sent.
  public func events() async throws(ServerError) -> [JSONValue] { try await records.events() }

  /// What the events and apps have reported of an anonymous id, or of a user on any device, to the first app.
  package func standing(of user: String) async throws(ServerError) -> PrimerRecords.Standing {
    guard let client = clients.first else { return PrimerRecords.Standing() }
    return try await records.standing(of: user, in: client.key)
  }

  /// Takes `{"batch": […]}`: all of it or, if one event is invalid, nothing. A client finds the invalid event by
  /// sending fewer.
  @Sendable
  func takeEvents(_ request: DoorRequest) async throws -> DoorResponse {
    let client = try client(of: request)
    guard let batch = try members(of: request)["batch"]?.array else {
      throw PrimerRefusal(.badRequest, "Send {\"batch\": […]}.")
    }
    guard batch.count <= Self.mostEventsPerBatch else {
      throw PrimerRefusal(.contentTooLarge, "Send at most \(Self.mostEventsPerBatch) events at a time.")
    }
    let events = batch.compactMap(PrimerEvent.init)
    guard events.count == batch.count else {
      throw PrimerRefusal(
        .unprocessableContent,
        """
        An event needs id, name and user.anon, each of 1 to \(EventRules.mostNameBytes) bytes without control characters, and has \
        \(EventRules.mostBytes) bytes at most.
        """
      )
    }
    let accepted = try await records.take(events, from: client.key, now: now)
    return try .json(
      .object(["accepted": .integer(Int64(accepted)), "duplicates": .integer(Int64(events.count - accepted))]),
      status: .accepted)
  }

  /// Records the user of an anonymous id: `{"userId": "…", "properties": {…}}`.
  @Sendable
  func identify(_ request: DoorRequest) async throws -> DoorResponse {
    let client = try client(of: request)
    let members = try members(of: request)
    guard let anonymous = request.parameters["anonymous"], EventRules.isName(anonymous),
      let user = members["userId"]?.string, EventRules.isName(user),
      let properties = (members["properties"] ?? .object([:])).object
    else { throw PrimerRefusal(.unprocessableContent, "Send {\"userId\": \"…\", \"properties\": {…}}.") }
    let text = String(decoding: try DoorResponse.json(.object(properties)).body, as: UTF8.self)
    guard text.utf8.count <= Self.mostPropertyBytes else {
      throw PrimerRefusal(.contentTooLarge, "The properties have more than \(Self.mostPropertyBytes) bytes.")
    }
    try await records.identify(anonymous, as: user, properties: text, in: client.key, now: now)
    return DoorResponse(status: .noContent)
  }
}
