public import Foundation

/// https://developer.apple.com/documentation/foundation/urlrequest
public struct URLRequest: Sendable, Hashable {
  public init(url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60.0) {
    self.url = url
    self.timeoutInterval = timeoutInterval
  }

  public typealias CachePolicy = NSURLRequest.CachePolicy
  public var url: URL?
  public var timeoutInterval: TimeInterval
  public var httpShouldHandleCookies = true
  public var httpMethod: String?
  public var httpBody: Data?
  public var httpBodyStream: InputStream? { nil }
  public var allHTTPHeaderFields: [String: String]?
  public func value(forHTTPHeaderField field: String) -> String? { nil }
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) {}
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) {}
}

/// https://developer.apple.com/documentation/foundation/nsurlrequest
open class NSURLRequest: NSObject {
  public enum CachePolicy: UInt, Sendable {
    case useProtocolCachePolicy = 0
    case reloadIgnoringLocalCacheData = 1
  }
}

/// https://developer.apple.com/documentation/foundation/nsmutableurlrequest
open class NSMutableURLRequest: NSURLRequest {}
