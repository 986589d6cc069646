internal import Foundation
internal import OstiaryCore

/// Takes out of texts what does not belong in an issue that others read.
///
/// Passwords, tokens and keys never reach a finding: no check reads them. User names, which are often part of a profile's name or of
/// a path, and user information in addresses are always taken out. Host names stay, since a diagnosis needs them, unless
/// `--hide-hosts` is given.
struct DoctorMask: Sendable, Equatable {
  /// What stands in a name's place.
  static let user = "‹user›"
  static let host = "‹host›"

  let hidesHosts: Bool
  /// The names of users, the longest first.
  private let users: [String]
  /// The names of hosts that are known.
  private let hosts: [String]
  private let home: String?

  init(hidesHosts: Bool = false, profiles: [Profile] = [], home: String? = nil, account: String? = nil) {
    self.hidesHosts = hidesHosts
    users = Set(profiles.flatMap { [$0.user, $0.username ?? ""] } + [account ?? ""])
      .filter { !$0.isEmpty }.sorted { ($0.count, $0) > ($1.count, $1) }
    hosts = Set(profiles.compactMap { Origin($0.server)?.host }).sorted { ($0.count, $0) > ($1.count, $1) }
    self.home = home.flatMap { $0.count > 1 ? $0.hasSuffix("/") ? String($0.dropLast()) : $0 : nil }
  }

  /// A host's name.
  func host(_ name: String) -> String { hidesHosts ? Self.host : name }

  /// A server's origin.
  func place(_ url: URL) -> String {
    guard let origin = Origin(url) else { return DoctorMessage.someServer }
    guard hidesHosts else { return origin.description }
    return "\(origin.scheme)://\(Self.host):\(origin.port)"
  }

  /// A path, beginning with `~` within the user's home folder.
  func path(_ path: String) -> String { text(path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path) }

  /// A text of another source: an error's message, a server's reason, a profile's name.
  func text(_ text: String) -> String {
    var text = text.withoutUserInformationAnywhere
    if let home { text = text.replacing(home, with: "~") }
    for user in users { text = text.replacingWord(user, with: Self.user) }
    if hidesHosts { for host in hosts { text = text.replacingWord(host, with: Self.host) } }
    return text
  }
}

extension String {
  /// The text without the user names and passwords of the URLs in it.
  fileprivate var withoutUserInformationAnywhere: String {
    replacing(/([A-Za-z][A-Za-z0-9+.\-]*:\/\/)[^\/?#\s]*@/) { "\($0.1)\(DoctorMask.user)@" }
  }

  /// The text with another word wherever `word` stands by itself: a user named `a` is no part of other words.
  fileprivate func replacingWord(_ word: String, with other: String) -> String {
    func isPart(_ character: Character?) -> Bool { character.map { $0.isLetter || $0.isNumber } ?? false }
    var (result, rest) = ("", self[...])
    while let range = rest.firstRange(of: word) {
      let before = range.lowerBound > rest.startIndex ? rest[rest.index(before: range.lowerBound)] : result.last
      let after = range.upperBound < rest.endIndex ? rest[range.upperBound] : nil
      result += rest[..<range.lowerBound]
      result += isPart(before) || isPart(after) ? word : other
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
