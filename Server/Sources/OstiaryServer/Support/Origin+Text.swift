import Foundation
import OstiaryCore

extension Origin {
  /// Reads an origin and nothing more: no user, path, query or fragment.
  init?(plain text: String) {
    guard let url = URL(string: text), url.user == nil, url.password == nil, url.query == nil, url.fragment == nil,
      url.path.isEmpty || url.path == "/"
    else { return nil }
    self.init(url)
  }
}
