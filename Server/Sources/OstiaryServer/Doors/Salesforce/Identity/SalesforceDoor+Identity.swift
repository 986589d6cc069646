import Foundation
import HTTPTypes
import OstiaryCore

/// The user of a token: the identity document and `userinfo`.
extension SalesforceDoor {
  /// A refusal of the identity service: one word of plain text.
  private struct Refusal: Error {
    let status: HTTPResponse.Status
    let word: String

    static let missingToken = Refusal(status: .forbidden, word: "Missing_OAuth_Token")
    static let badToken = Refusal(status: .forbidden, word: "Bad_OAuth_Token")
    static let wrongOrg = Refusal(status: .forbidden, word: "Wrong_Org")
    static let badID = Refusal(status: .notFound, word: "Bad_Id")
    static let noAccess = Refusal(status: .notFound, word: "No_Access")

    var response: DoorResponse {
      DoorResponse(
        status: status, headers: [.contentType: "text/plain;charset=UTF-8"], body: Array(word.utf8))
    }
  }

  private func identifying(
    _ request: DoorRequest, _ entry: SalesforceEntry,
    _ body: (SalesforceTokenHolder, SalesforceOAuthFormat) throws -> DoorResponse
  ) async throws -> DoorResponse {
    let query = SalesforceForm(query: request.query)
    let format = SalesforceOAuthFormat(request, query)
    do {
      guard let text = request.token(schemes: SalesforceTokenText.schemes) else { throw Refusal.missingToken }
      guard let caller = try await caller(of: text, entry), caller.mayIdentify else { throw Refusal.badToken }
      return try body(caller, format)
    } catch let refusal as Refusal {
      return refusal.response
    } catch let error as ServerError where error.isStorageFault || error.retryAfter != nil {
      log(error)
      return try SalesforceOAuthFailure.unavailable(error.retryAfter ?? .seconds(5)).response(format)
    }
  }

  /// `/id/{org}/{user}`
  func identityDocument(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    try await identifying(request, entry) { caller, format in
      guard let org = SalesforceRecordID(request.parameters["org"] ?? ""),
        let user = SalesforceRecordID(request.parameters["user"] ?? "")
      else { throw Refusal.badID }
      guard org == caller.org.id else { throw Refusal.wrongOrg }
      guard user == SalesforceRecordID(caller.user) else { throw Refusal.noAccess }
      let document = JSONValue.object(identity(caller))
      // The document has nested members, which a form can't have.
      return format == .xml
        ? .xml(SalesforceXML.elements("user", document).first ?? .element("user", []))
        : try .json(document).withCharset
    }
  }

  /// `/services/oauth2/userinfo`
  func userInfo(_ request: DoorRequest, _ entry: SalesforceEntry) async throws -> DoorResponse {
    try await identifying(request, entry) { caller, _ in
      let document = identity(caller)
      let names = Names(caller.user)
      var members: [String: JSONValue] = [
        "sub": .string(identityURL(caller.user, caller.org)), "preferred_username": .string(caller.user.name),
        "nickname": .string(names.nick), "name": .string(caller.user.displayName),
        "given_name": names.first, "family_name": .string(names.last), "zoneinfo": "GMT",
        "picture": document["photos"]?["picture"] ?? .null, "profile": document["urls"]?["profile"] ?? .null,
        "updated_at": .string(SalesforceTime.record(caller.user.updatedAt).replacing("+0000", with: "Z")),
        "is_app_installed": true, "email_verified": .bool(caller.user.isEmailVerified),
      ]
      for name in [
        "user_id", "organization_id", "email", "photos", "urls", "active", "user_type", "language", "locale",
        "utcOffset",
      ] { members[name] = document[name] }
      return try .json(.object(members)).withCharset
    }
  }

  /// The parts of a user's name, of which the server knows only the whole.
  private struct Names {
    let first: JSONValue
    let last: String
    let nick: String

    init(_ user: User) {
      let words = user.displayName.split(separator: " ").map(String.init)
      first = words.count > 1 ? .string(words.dropLast().joined(separator: " ")) : .null
      last = words.last ?? user.name
      nick = String(user.name.prefix { $0 != "@" })
    }
  }

  /// The members of the document. There are no photographs and no profile pages.
  private func identity(_ caller: SalesforceTokenHolder) -> [String: JSONValue] {
    let (user, org, names) = (caller.user, caller.org, Names(caller.user))
    let id = identityURL(user, org)
    let data = instanceURL + "/services/data/v{version}/"
    var members: [String: JSONValue] = [
      "id": .string(id), "asserted_user": true, "user_id": .string(SalesforceRecordID(user).long),
      "organization_id": .string(org.id.long), "username": .string(user.name), "nick_name": .string(names.nick),
      "display_name": .string(user.displayName), "email": user.email.map(JSONValue.string) ?? .null,
      "email_verified": .bool(user.isEmailVerified), "first_name": names.first, "last_name": .string(names.last),
      "timezone": "GMT", "photos": .object(["picture": .null, "thumbnail": .null]),
      "urls": .object([
        "rest": .string(data), "sobjects": .string(data + "sobjects/"), "query": .string(data + "query/"),
        "profile": .string(instanceURL + "/" + SalesforceRecordID(user).long),
      ]),
      "active": .bool(!user.isDisabled), "user_type": .string(caller.community == nil ? "STANDARD" : "CSP_LITE_PORTAL"),
      "language": "en_US", "locale": "en_US", "utcOffset": 0, "is_app_installed": true,
      "last_modified_date": .string(SalesforceTime.identity(user.updatedAt)),
    ]
    if let path = caller.community, let community = org.communities.first(where: { $0.path == path }) {
      for (name, value) in communityMembers(community) { members[name] = value }
    }
    return members
  }
}
