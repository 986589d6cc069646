import Foundation
import HTTPTypes
import Ostiary
import OstiaryCore
import Primer

/// The way to the app's backend.
struct Backend: Sendable {
  let address: URL

  /// What it has said.
  struct Answer: Sendable {
    var result: PMRValidationResult?
    var userID: String?
    var flow: String?
  }

  func ask(_ call: String, _ fields: [String: String]) async -> Answer {
    do {
      let request = try TransportRequest.post(
        address.appending(path: call), body: JSONEncoder().encode(fields), contentType: "application/json")
      let response = try await PlatformTransport().send(request)
      let json = JSONValue(json: response.body) ?? .null
      guard response.status.code != 200 else {
        return Answer(userID: json["userId"]?.string, flow: json["flow"]?.string)
      }
      let result = PMRValidationResult()
      let texts = json["fields"]?.object ?? [:]
      if let error = json["error"]?.string { result.invalidateWithErrorMessage(error) }
      for (field, text) in texts { result.invalidateField(field, withErrorMessage: text.string) }
      if result.isValid { result.invalidateWithErrorMessage("That did not work (\(response.status.code)).") }
      return Answer(result: result)
    } catch {
      let result = PMRValidationResult()
      result.invalidateWithErrorMessage("The backend can't be reached.")
      return Answer(result: result)
    }
  }
}
