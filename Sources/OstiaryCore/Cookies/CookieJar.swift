public import Foundation
public import HTTPTypes
public enum JarChange: Sendable { case none, attributes, values }
public struct Cookie: Sendable, Codable, Equatable {
  public var name = ""; public var domain = ""; public var path = ""; public var value = Secret("")
}
/// One session's cookies (RFC 6265bis).
public struct CookieJar: Sendable, Codable, Equatable {
  public init() {}
  public var count: Int { 0 }
  public var isEmpty: Bool { true }
  public var cookies: [Cookie] { [] }
  public func header(for request: HTTPRequest, now: Date) -> String? { nil }
  public mutating func storeAll(from response: HTTPResponse, to request: HTTPRequest, now: Date) -> JarChange { .none }
}
