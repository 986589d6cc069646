public import AppleFoundation
public import UIKit

/// https://developer.apple.com/documentation/webkit/wkwebview
@MainActor
open class WKWebView: UIView {
  public init(frame: CGRect, configuration: WKWebViewConfiguration) {
    self.configuration = configuration
    super.init(frame: frame)
  }
  public let configuration: WKWebViewConfiguration
  open weak var navigationDelegate: (any WKNavigationDelegate)?
  open weak var uiDelegate: (any WKUIDelegate)?
  @discardableResult
  open func load(_ request: URLRequest) -> WKNavigation? { nil }
  open func stopLoading() {}
  open func evaluateJavaScript(
    _ javaScriptString: String, completionHandler: (@MainActor @Sendable (Any?, (any Error)?) -> Void)? = nil
  ) {}
}

/// https://developer.apple.com/documentation/webkit/wkwebviewconfiguration
@MainActor
open class WKWebViewConfiguration: NSObject {
  public override nonisolated init() {}
  open var websiteDataStore = WKWebsiteDataStore()
}

/// https://developer.apple.com/documentation/webkit/wkwebsitedatastore
@MainActor
open class WKWebsiteDataStore: NSObject {
  public override nonisolated init() {}
  open var httpCookieStore: WKHTTPCookieStore { WKHTTPCookieStore() }
}

/// https://developer.apple.com/documentation/webkit/wkhttpcookiestore
@MainActor
open class WKHTTPCookieStore: NSObject {
  public override nonisolated init() {}
  open func allCookies() async -> [HTTPCookie] { [] }
  open func setCookie(_ cookie: HTTPCookie) async {}
  open func deleteCookie(_ cookie: HTTPCookie) async {}
}
