import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryExperiences

extension PrimerDoor {
  /// The experience of a type: 204 if the app has none of it, 304 if the app's copy is the same.
  ///
  /// `automatic` is the experience for new users. Whether one is to be shown is the app's to decide, which knows its user: every
  /// copy of an app has the token, so that an answer that depended on a user would tell all of them who is logged in.
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
    var response = DoorResponse(
      status: .ok, headers: [.eTag: found.tag, .cacheControl: "public, no-cache", .vary: configuration.tokenField])
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
