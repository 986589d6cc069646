#if canImport(UIKit) && canImport(WebKit) && !os(tvOS) && !os(watchOS)
  internal import Foundation
  internal import Ostiary
  internal import OstiaryPega
  internal import PMAuthentication
  public import UIKit
  public import WebKit

  /// Shows a Pega server's work in a web view.
  ///
  /// It uses the cookies of `HTTPCookieStorage.shared`, where a login leaves them, and leaves there those that come with the pages. An
  /// action is finished when a page says so: by closing its window, or by the mark of
  /// `PegaConfiguration.SnapStartNames.finishedElementID`. This file has not been run on a device: it holds only the web view's wiring, and
  /// `SnapStartLoads` decides.
  @preconcurrency @MainActor
  open class PMSnapStartViewController: UIViewController {
    /// The name of the view; each of several views needs its own.
    public var webViewName: String? {
      didSet { webView.accessibilityIdentifier = webViewName }
    }
    /// Hears what becomes of the actions. Not kept alive by the controller.
    public weak var delegate: (any PMSnapStartViewControllerDelegate)?
    /// Signs a user in where the server asks for it. Not kept alive by the controller.
    public weak var authenticationDelegate: (any PMSnapStartAuthenticationDelegate)?

    var loads = SnapStartLoads<PMSnapStartAction>()
    var work: PerformedAction?
    /// The server whose page is loaded, and the cookies that the web view had for it.
    private var server: PegaAddress?
    private var cookies = CookieJar()
    private lazy var webView = makeWebView()

    /// The names and cookies of this moment.
    var environment: PegaEnvironment { .shared }

    open override func loadView() { view = webView }

    private func makeWebView() -> WKWebView {
      let webView = WKWebView(frame: .zero, configuration: WKWebViewConfiguration())
      // An action can be performed before the view is shown.
      webView.navigationDelegate = self
      webView.uiDelegate = self
      return webView
    }

    func stopLoading() { webView.stopLoading() }

    func load(_ turn: Int, _ work: PerformedAction) {
      let (environment, timeout) = (environment, environment.configuration.snapStart.pageTimeout)
      _ = OneTimer(after: timeout, clock: environment.clock) { [weak self] in await self?.timeIsOver(turn, timeout) }
      MainActorDelivery.deliver { [self] in
        do {
          let server = try environment.address(of: work.url)
          let url = try work.action.url(at: server, configuration: environment.configuration)
          let store = webView.configuration.websiteDataStore.httpCookieStore
          let change = environment.cookies(forWebViewOf: server, having: await store.allCookies())
          for cookie in change.stale { await store.deleteCookie(cookie) }
          for cookie in change.given { await store.setCookie(cookie) }
          guard loads.isUnderWay(turn) else { return }
          (self.server, cookies) = (server, change.jar)
          loads.loads(turn, webView.load(URLRequest(url: url)))
        } catch {
          carryOut(loads.fail(turn, error))
        }
      }
    }

    private func timeIsOver(_ turn: Int, _ timeout: Duration) {
      carryOut(loads.timeIsOver(turn, after: timeout))
    }

    func read(_ turn: Int) {
      webView.evaluateJavaScript("document.documentElement.outerHTML") { [weak self] html, _ in
        guard let self else { return }
        let sign = SnapStartSign(html: html as? String ?? "", configuration: environment.configuration)
        MainActorDelivery.deliver { [self] in
          let web = await webView.configuration.websiteDataStore.httpCookieStore.allCookies()
          if loads.isUnderWay(turn), let server { cookies = environment.share(web, since: cookies, for: server) }
          carryOut(loads.read(sign, turn))
        }
      }
    }
  }

  // WebKit declares navigations as implicitly unwrapped, and only a method that does so is the protocol's.
  extension PMSnapStartViewController: WKNavigationDelegate, WKUIDelegate {
    public func webView(
      _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
      decisionHandler: @escaping @MainActor @Sendable (WKNavigationResponsePolicy) -> Void
    ) {
      let status = (navigationResponse.response as? HTTPURLResponse)?.statusCode ?? 200
      let (isShown, orders) = loads.answered(status, isForMainFrame: navigationResponse.isForMainFrame)
      decisionHandler(isShown ? .allow : .cancel)
      carryOut(orders)
    }

    public func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation!) {
      loads.began(navigation)
    }

    public func webView(_ webView: WKWebView, didFinish navigation: WKNavigation!) {
      carryOut(loads.finished(navigation))
    }

    public func webView(_ webView: WKWebView, didFail navigation: WKNavigation!, withError error: any Error) {
      carryOut(loads.failed(navigation, error))
    }

    public func webView(
      _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation!, withError error: any Error
    ) {
      carryOut(loads.failed(navigation, error))
    }

    public func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
      carryOut(loads.died())
      delegate?.snapStartControllerWebContentProcessDidTerminate(self)
    }

    public func webViewDidClose(_ webView: WKWebView) {
      carryOut(loads.closed())
    }
  }
#endif
