#if canImport(ObjectiveC)
  public import Foundation

  // What Objective-C calls class methods, Swift calls initialisers.
  extension WLResourceRequest {
    /// Makes a request.
    @available(swift, obsoleted: 1)
    @objc(requestWithURL:method:)
    public class func request(url: URL!, method: String!) -> WLResourceRequest! {
      WLResourceRequest(url: url, method: method)
    }

    /// Makes a request for a resource that demands a scope.
    @available(swift, obsoleted: 1)
    @objc(requestWithURL:method:scope:)
    public class func request(url: URL!, method: String!, scope: String!) -> WLResourceRequest! {
      WLResourceRequest(url: url, method: method, scope: scope)
    }

    /// Makes a request.
    /// - Parameter timeout: in seconds; 0 and less mean the client's default.
    @available(swift, obsoleted: 1)
    @objc(requestWithURL:method:timeout:)
    public class func request(url: URL!, method: String!, timeout: TimeInterval) -> WLResourceRequest! {
      WLResourceRequest(url: url, method: method, timeout: timeout)
    }

    /// Makes a request for a resource that demands a scope.
    /// - Parameter timeout: in seconds; 0 and less mean the client's default.
    @available(swift, obsoleted: 1)
    @objc(requestWithURL:method:timeout:scope:)
    public class func request(
      url: URL!, method: String!, timeout: TimeInterval, scope: String!
    ) -> WLResourceRequest! {
      WLResourceRequest(url: url, method: method, timeout: timeout, scope: scope)
    }
  }
#endif
