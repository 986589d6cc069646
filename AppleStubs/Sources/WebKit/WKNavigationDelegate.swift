public import AppleFoundation

/// https://developer.apple.com/documentation/webkit/wknavigation
@MainActor
open class WKNavigation: NSObject {}

/// https://developer.apple.com/documentation/webkit/wknavigationresponse
@MainActor
open class WKNavigationResponse: NSObject {
  open var response: URLResponse { URLResponse() }
  open var isForMainFrame: Bool { true }
}

/// https://developer.apple.com/documentation/webkit/wknavigationresponsepolicy
public enum WKNavigationResponsePolicy: Int, Sendable {
  case cancel = 0
  case allow = 1
  case download = 2
}

/// https://developer.apple.com/documentation/webkit/wknavigationdelegate
@MainActor
public protocol WKNavigationDelegate: AnyObject {
  func webView(
    _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
    decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void)
  func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!)
  func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!)
  func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error)
  func webView(
    _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error)
  func webViewWebContentProcessDidTerminate(_ webView: WKWebView)
}

/// https://developer.apple.com/documentation/webkit/wkuidelegate
@MainActor
public protocol WKUIDelegate: AnyObject {
  func webViewDidClose(_ webView: WKWebView)
}
