internal import HTTPTypes
public import OstiaryCore

#if canImport(FoundationNetworking)
  internal import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

extension SessionManager {
  /// Adds the session's proof to a request, if there is a session that is good now. Never asks a server or waits.
  ///
  /// On Linux this is many times quicker than setting the field with `setValue(_:forHTTPHeaderField:)`, which examines
  /// every character of the token each time.
  @discardableResult
  public func attach(to request: inout URLRequest) -> Attachment {
    guard let ready else { return .noSession }
    guard let url = request.url else { return .notCovered }
    var attachment = ready.attachment
    if !attachment.parts.isEmpty, let head = try? HTTPRequest(.get, to: url), let part = attachment.part(for: head) {
      guard isUsable(part) else { return .noSession }
      attachment = part.attachment
    }
    let isCovered = attachment.inBody == nil && attachment.covers(absoluteURL: url.absoluteString)
    if isCovered {
      request.merge(attachment.fields)
      noteUse(of: ready.version)
    }
    if isCovered, let proof = attachment.perRequest, let method = HTTPRequest.Method(request.httpMethod ?? "GET"),
      var head = try? HTTPRequest(method, to: url)
    {
      proof.attach(to: &head, body: request.httpBody, at: { moment.wall })
      request.merge(Array(head.headerFields))
    }
    if !ready.attachment.cookies.isEmpty, let head = try? HTTPRequest(.get, to: url),
      let value = ready.attachment.cookieHeader(for: head, at: moment, isProof: isProof)
    {
      let own = request.value(forHTTPHeaderField: "Cookie")
      request.merge([HTTPField(name: .cookie, value: own.map { "\($0); \(value)" } ?? value)])
    }
    return isCovered ? .attached(ready.version) : .notCovered
  }
}

extension URLRequest {
  /// Sets fields, replacing those of the same name in any spelling.
  ///
  /// All at once through `allHTTPHeaderFields`: on Linux, setting one field validates its value grapheme by grapheme.
  mutating func merge(_ fields: [HTTPField]) {
    guard !fields.isEmpty else { return }
    var all = allHTTPHeaderFields ?? [:]
    for field in fields {
      let name = field.name.rawName
      guard all.updateValue(field.value, forKey: name) == nil else { continue }
      // The name is new as it is spelled; another spelling of it would be sent as well.
      let length = name.utf8.count
      for other in all.keys where other.utf8.count == length && other != name {
        if other.lowercased() == field.name.canonicalName { all[other] = nil }
      }
    }
    allHTTPHeaderFields = all
  }
}
