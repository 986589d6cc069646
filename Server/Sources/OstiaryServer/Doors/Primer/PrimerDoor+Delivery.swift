import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryExperiences

extension PrimerDoor {
  /// The experience of a type for the app's user: 204 if there is none to show, 304 if the app has it.
  ///
  /// `automatic` is the experience for new users: it is shown at each launch until a user is logged in or, if it
  /// doesn't require that, once. A user without a record is new. The other types don't depend on the user.
  @Sendable
  func deliver(_ request: DoorRequest) async throws -> DoorResponse {
    let client = try client(of: request)
    guard let type = PrimerExperienceType(rawValue: request.query.first("type") ?? "automatic") else {
      let types = PrimerExperienceType.allCases.map(\.rawValue).sorted().joined(separator: ", ")
      throw PrimerRefusal(.badRequest, "There is no such type of experience: use one of \(types).")
    }
    guard let found = PrimerExperience.find(type, in: client.experiences) else {
      return DoorResponse(status: .noContent)
    }
    if type == .automatic, let user = request.query.first("user"), PrimerEvent.isName(user) {
      let standing = try await records.standing(of: user, in: client.key)
      let isWanted = !standing.isLoggedIn && (found.experience.requiresLogin || !standing.hasSeen)
      guard isWanted else { return DoorResponse(status: .noContent) }
    }
    var response = DoorResponse(
      status: .ok, headers: [.eTag: found.tag, .cacheControl: "private, no-cache", .vary: configuration.tokenField])
    // Compared weakly (RFC 9110 §13.1.2).
    let known = request.headers[values: .ifNoneMatch].flatMap(\.listElements)
    guard !known.contains(where: { $0 == "*" || $0 == found.tag || $0 == "W/" + found.tag }) else {
      response.status = .notModified
      return response
    }
    response.headers[.contentType] = "application/json"
    response.body = found.body
    return response
  }
}
