public import Foundation

/// https://developer.apple.com/documentation/foundation/httpcookie
open class HTTPCookie: NSObject, @unchecked Sendable {
  public init?(properties: [HTTPCookiePropertyKey: Any]) {}
  open var name: String { "" }
  open var value: String { "" }
  open var domain: String { "" }
  open var path: String { "" }
  open var expiresDate: Date? { nil }
  open var isSecure: Bool { false }
  open var isHTTPOnly: Bool { false }
}

/// https://developer.apple.com/documentation/foundation/httpcookiepropertykey
public struct HTTPCookiePropertyKey: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }
  public init(_ rawValue: String) { self.rawValue = rawValue }
  public static let name = Self("Name")
  public static let value = Self("Value")
  public static let domain = Self("Domain")
  public static let path = Self("Path")
  public static let secure = Self("Secure")
  public static let expires = Self("Expires")
  public static let discard = Self("Discard")
}

/// https://developer.apple.com/documentation/foundation/httpcookiestorage
open class HTTPCookieStorage: NSObject, @unchecked Sendable {
  open class var shared: HTTPCookieStorage { HTTPCookieStorage() }
  open class func sharedCookieStorage(forGroupContainerIdentifier identifier: String) -> HTTPCookieStorage {
    HTTPCookieStorage()
  }
  open var cookies: [HTTPCookie]? { nil }
  open func cookies(for URL: URL) -> [HTTPCookie]? { nil }
  open func setCookie(_ cookie: HTTPCookie) {}
  open func deleteCookie(_ cookie: HTTPCookie) {}
}

extension HTTPCookie {
  /// https://developer.apple.com/documentation/foundation/httpcookie
  public enum AcceptPolicy: UInt, Sendable {
    case always = 0
    case never = 1
  }
}
