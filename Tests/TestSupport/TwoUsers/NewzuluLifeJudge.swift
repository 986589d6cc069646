import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting

/// Judges what reaches the platform in a Newzulu life, and what is left when all is quiet.
///
/// Used by the thread of the life alone.
final class NewzuluLifeJudge: @unchecked Sendable {
  typealias User = NewzuluLife.User

  private struct Draft {
    let owner: User
    let call: Int
    /// Whether its user has been told of it.
    var isKnown = true
  }

  private unowned let life: NewzuluLife
  /// Every session that was ever given.
  private var owners: [String: User] = [:]
  private var drafts: [String: Draft] = [:]

  private var log: CallLog<User?> { life.log }

  init(_ life: NewzuluLife) { self.life = life }

  private static func name(_ user: User?) -> String { user.map { "\($0)" } ?? "nobody" }

  // MARK: Requests

  func judge(_ request: TransportRequest) {
    let path = request.head.path ?? ""
    if request.head.method == .put { return judgePart(request, path) }
    guard let arguments = request.body.flatMap({ JSONValue(json: $0)?.object }), let method = arguments["method"]?.text
    else { return log.violate("\(path) is no call") }
    let token = arguments["sessiontoken"]?.text
    let proof = token.flatMap { owners[$0] }
    if token != nil, proof == nil { log.violate("\(method) with an unknown session") }
    let who = Self.name(proof)
    life.simulation.note("  \(method) as \(who)")
    switch method.lowercased() {
    case "users.confirmcredentials":
      let user = User.allCases.first {
        $0.email == arguments["username"]?.text && $0.vhost ?? "206" == arguments["vhost"]?.text
      }
      if user?.password != arguments["password"]?.text { log.violate("\(Self.name(user)) with another password") }
      if let user, life.signedOut.contains(user) { log.violate("\(user) signs in after a sign-out") }
    case "media.getfiles":
      judge("list", of: arguments["filters"]?["title"]?.text, proof)
    case "media.createmultipartupload":
      judge("upload", of: arguments["fileData"]?["title"]?.text, proof)
    case "media.getmultipartupload", "media.completemultipartupload", "media.abortmultipartupload", "media.getfileinfo":
      judgeDraft(method, arguments["id"]?.text ?? "", proof)
    default: break
    }
  }

  private func judge(_ what: String, of title: String?, _ proof: User?) {
    let number = title.flatMap { Int($0.dropFirst("call".count)) }
    guard let moment = log.judge(number, what) else { return }
    if moment != proof {
      log.violate("\(what) \(title ?? "") of \(Self.name(moment)) was sent as \(Self.name(proof))")
    }
  }

  private func judgeDraft(_ method: String, _ id: String, _ proof: User?) {
    guard let draft = drafts[id] else { return log.violate("\(method) of nothing") }
    _ = log.judge(draft.call, method)
    if draft.owner != proof { log.violate("\(method) of \(draft.owner)'s upload as \(Self.name(proof))") }
    guard let upload = life.uploads[draft.call] else { return }
    let isOver = life.hasSignedOut(draft.owner, since: upload.epoch)
    switch method.lowercased() {
    case "media.abortmultipartupload":
      if !isOver, !life.isCancelled(upload) { log.violate("\(draft.owner)'s upload \(id) is given up") }
    case "media.completemultipartupload":
      if life.signedOut.contains(draft.owner) {
        log.violate("\(draft.owner)'s upload \(id) is completed after a sign-out")
      }
    default: break
    }
  }

  private func judgePart(_ request: TransportRequest, _ path: String) {
    let steps = path.split(separator: "/")
    guard steps.count == 4, let number = Int(steps[3]),
      let found = life.stub.state.withLock({ $0.uploads.values.first { $0.secret == steps[2] } })
    else { return life.simulation.note("  a part of an upload that is gone") }
    guard let draft = drafts[found.id], let upload = life.uploads[draft.call] else {
      return log.violate("a part of nothing")
    }
    _ = log.judge(draft.call, "part")
    let start = Int(found.partSize) * (number - 1)
    if request.body != upload.content.dropFirst(start).prefix(Int(found.partSize)) {
      log.violate("part \(number) of \(upload.title) has other bytes")
    }
    if !request.head.headerFields.filter({ "\($0.value)".contains("Session") }).isEmpty {
      log.violate("a part with a session")
    }
    if life.signedOut.contains(draft.owner) { log.violate("\(draft.owner)'s part is sent after a sign-out") }
  }

  /// Takes over what the platform has given.
  func note(_ response: TransportResponse, to request: TransportRequest) {
    for (token, account) in life.stub.state.withLock({ $0.sessions }) where owners[token] == nil {
      owners[token] = User(rawValue: account.id)
    }
    for (id, upload) in life.stub.state.withLock({ $0.uploads }) where drafts[id] == nil {
      guard let owner = User(rawValue: upload.owner), let call = Int(upload.title.dropFirst("call".count)) else {
        continue
      }
      drafts[id] = Draft(owner: owner, call: call)
    }
  }

  /// An upload whose beginning no answer has told can't be ended from here.
  func noteLost(_ request: TransportRequest, _ response: TransportResponse) {
    guard let result = JSONValue(json: response.body)?["result"], result["partUrls"] != nil,
      let id = result["id"]?.text
    else { return }
    drafts[id]?.isKnown = false
  }

  // MARK: Rest

  /// A user who has signed out is not stored any more.
  func judgeStore(of user: User) {
    let sessions = life.stores[user]?.keys.filter { $0.name.hasPrefix("newzulu ") } ?? []
    if !sessions.isEmpty { log.violate("\(user)'s session is stored after the sign-out") }
  }

  func judgeRest() {
    for (user, store) in life.stores where !store.keys.isEmpty {
      log.violate("of \(user) is left: \(store.keys.map { $0.name.prefix(20) })")
    }
    for id in life.stub.state.withLock({ $0.uploads.keys.sorted() }) {
      guard let draft = drafts[id], let upload = life.uploads[draft.call], draft.isKnown else { continue }
      // Of bytes in memory the app alone knows how far an upload that has failed had come.
      if upload.source.isFileURL { log.violate("\(draft.owner)'s upload \(id) is left at the platform") }
    }
  }
}
