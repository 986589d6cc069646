import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

extension NewzuluStub {
  static func respond(
    to request: TransportRequest, _ base: URL, _ state: Locked<State>, _ keepsContent: Bool
  ) async throws -> TransportResponse {
    if let override = state.withLock({ $0.override }), let answer = try await override(request) { return answer }
    let path = request.head.path ?? "/"
    if request.head.method == .put, path.hasPrefix("/services/parts/") {
      return state.withLock { put(request, path, &$0, keepsContent) }
    }
    guard request.head.method == .post, path == "/services/json" else { return .status(.notFound) }
    let type = String((request.head.headerFields[.contentType] ?? "").prefix { $0 != ";" })
    let body = request.body ?? Data()
    let arguments: [String: JSONValue]
    switch type {
    case "application/json": arguments = (try? JSONDecoder().decode([String: JSONValue].self, from: body)) ?? [:]
    case "application/x-www-form-urlencoded": arguments = StubForm.parse(String(decoding: body, as: UTF8.self))
    default: return .status(.unsupportedMediaType)
    }
    let call = Call(
      method: (arguments["method"]?.text ?? "").lowercased(), arguments: arguments, contentType: type,
      fields: request.head.headerFields)
    return state.withLock { state in
      state.calls.append(call)
      do {
        return .json(["status": true, "result": try answer(call, base, &state)])
      } catch let failure as StubFailure {
        var members: [String: JSONValue] = ["status": false]
        members[state.spelling.hasTextInResult ? "result" : "message"] = .string(failure.text)
        if state.spelling.hasFailureNumbers { members["code"] = .integer(Int64(failure.number)) }
        return .json(members)
      } catch {
        return .status(.internalServerError)
      }
    }
  }

  private static func answer(_ call: Call, _ base: URL, _ state: inout State) throws -> JSONValue {
    let arguments = call.arguments
    let key = arguments["APIKEY"]?.text
    if let key, key != Self.key.reveal(), key != developerKey.reveal() { throw StubFailure.badKey }
    let isDeveloper = key == developerKey.reveal()
    let vhost = arguments["vhost"]?.text
    if let vhost, !vhosts.contains(vhost) { throw StubFailure.badVHost }
    var user: Account?
    if let token = arguments["sessiontoken"]?.text {
      guard let account = state.sessions[token] else { throw StubFailure.badSession }
      user = account
    }
    func signedIn() throws -> Account {
      guard let user else { throw StubFailure.noSession }
      return user
    }
    switch call.method {
    case "users.confirmcredentials":
      guard key != nil else { throw StubFailure.badKey }
      return try logIn(arguments, vhost, &state)
    case "users.getloggedinuser", "users.getuserbysessiontoken":
      return .object(state.user(try signedIn()))
    case "users.getuserinfo", "users.getuserinfobyemail", "users.getuserinfobyusername":
      let found = state.accounts.first { account in
        if let id = arguments["id"]?.text { return account.id == id }
        return account.vhost == vhost
          && (account.username == arguments["username"]?.text || account.email == arguments["email"]?.text)
      }
      guard isDeveloper || (user != nil && user?.id == found?.id) else { throw StubFailure.noPermission }
      return found.map { .object(state.user($0)) } ?? false
    case "users.register":
      guard isDeveloper else { throw StubFailure.noPermission }
      return try register(arguments, vhost, &state)
    case "users.verifyuseremail":
      guard key != nil else { throw StubFailure.badKey }
      return exists(arguments["user"]?.text, arguments["email"]?.text, vhost, state) ? 0 : 1
    case "media.getfiles":
      return list(arguments, user, isDeveloper, state)
    case "media.getfileinfo":
      guard let file = state.files[arguments["id"]?.text ?? ""], sees(file, user, isDeveloper) else {
        throw StubFailure.notFound
      }
      return file.json(state)
    case "media.createmultipartupload":
      return try create(arguments, try signedIn(), base, &state)
    case "media.getmultipartupload" where state.spelling.canResume:
      return try resume(arguments, try signedIn(), base, state)
    case "media.completemultipartupload":
      return try complete(arguments, try signedIn(), &state)
    case "media.abortmultipartupload":
      _ = try signedIn()
      state.uploads[arguments["id"]?.text ?? ""] = nil
      return true
    default:
      throw StubFailure.unknownMethod
    }
  }

  private static func logIn(
    _ arguments: [String: JSONValue], _ vhost: String?, _ state: inout State
  ) throws -> JSONValue {
    let name = arguments["username"]?.text
    let account = state.accounts.first { $0.vhost == vhost && ($0.email == name || $0.username == name) }
    guard let account, account.password == arguments["password"]?.text else { return false }
    guard arguments["returnUserInfo"].map(\.truth) ?? true else { return state.id(account.id) }
    var members = state.user(account)
    if arguments["login"]?.truth == true {
      state.logins += 1
      state.lastSession += 1
      let token = ("Session\(state.lastSession)x" + String(repeating: "0123456789", count: 6)).prefix(60)
      state.sessions[String(token)] = account
      members["sessiontoken"] = .string(String(token))
    }
    return .object(members)
  }

  private static func register(
    _ arguments: [String: JSONValue], _ vhost: String?, _ state: inout State
  ) throws -> JSONValue {
    let data = arguments["userData"]
    guard let name = data?["user"]?.text, let password = data?["password"]?.text, let vhost else {
      throw StubFailure.argument("userData")
    }
    if exists(name, data?["email"]?.text, vhost, state) { throw StubFailure.exists }
    let id = state.newID()
    state.accounts.append(
      Account(
        id: id, vhost: vhost, username: name, email: data?["email"]?.text ?? "", password: password,
        firstName: data?["firstname"]?.text, lastName: data?["lastname"]?.text))
    return state.id(id)
  }

  private static func exists(_ name: String?, _ email: String?, _ vhost: String?, _ state: State) -> Bool {
    state.accounts.contains { $0.vhost == vhost && ($0.username == name || (email != nil && $0.email == email)) }
  }

  private static func sees(_ file: StubFile, _ user: Account?, _ isDeveloper: Bool) -> Bool {
    isDeveloper || file.isModerated || file.owner == user?.id
  }

  private static func list(
    _ arguments: [String: JSONValue], _ user: Account?, _ isDeveloper: Bool, _ state: State
  ) -> JSONValue {
    var files = state.files.values.filter { sees($0, user, isDeveloper) }.sorted { $0.id < $1.id }
    if let title = arguments["filters"]?["title"]?.text { files = files.filter { $0.title == title } }
    let start = Int(arguments["start"]?.text ?? "") ?? 0
    let limit = min(Int(arguments["limit"]?.text ?? "") ?? 25, 500)
    let fields = Set((arguments["fields"]?.list ?? []).compactMap(\.text) + ["id"])
    let page = files.dropFirst(start).prefix(limit).map { file -> JSONValue in
      guard fields.count > 1 else { return file.json(state) }
      return .object((file.json(state).object ?? [:]).filter { fields.contains($0.key) })
    }
    return .object(["totalCount": .integer(Int64(files.count)), "data": .array(Array(page))])
  }
}
