package import Foundation

/// Which addresses a document may name: the one place that judges them.
package enum SettingAddress {
  /// What an address has to be, for a person.
  static let wanted = "an http or https address with a host and without a user name, password, query or fragment"
  /// What the address of a page has to be, for a person.
  static let wantedPage = "an http or https address with a host and without a user name or password"
  /// What the address of an app has to be, for a person.
  static let wantedCallback = "an address such as app://signed-in, without a user name or password"

  /// The address of a server: a scheme that HTTP knows, a host, perhaps a port and a path, and nothing else.
  package static func server(_ text: String) -> URL? {
    guard let url = page(text), url.query() == nil, url.fragment() == nil else { return nil }
    return url
  }

  /// The address of a page of a server, which may have a query.
  package static func page(_ text: String) -> URL? {
    guard let url = url(text), Origin(url) != nil else { return nil }
    return url
  }

  /// The address that an app is opened with, whose scheme may be the app's own.
  package static func callback(_ text: String) -> URL? {
    guard let url = url(text), let scheme = url.scheme, !scheme.isEmpty else { return nil }
    return url
  }

  /// Whether a text names a scheme or a host, and so leads elsewhere than below another address.
  static func isAbsolute(_ text: String) -> Bool {
    let beginning = text.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    return beginning.contains(":") || text.hasPrefix("//") || text.contains("\\")
  }

  /// An address without a user. One with a user makes a host look like another.
  private static func url(_ text: String) -> URL? {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }),
      let url = URL(string: text), url.user() == nil, url.password() == nil
    else { return nil }
    return url
  }
}
