#if os(iOS) || os(visionOS)
  public import Foundation
  internal import Ostiary
  internal import OstiaryPega
  internal import PMAuthentication
  public import UIKit
  internal import WebKit

  /// Shows a Pega server's work in a web view.
  ///
  /// It uses the cookies of `HTTPCookieStorage.shared`, where a login leaves them. This file has not been run on a
  /// device: it holds only the web view's wiring.
  @objc(PMSnapStartViewController)
  @preconcurrency @MainActor
  open class PMSnapStartViewController: UIViewController {
    /// The name of the view; each of several views needs its own.
    @objc public var webViewName: String?
    /// Hears what becomes of the actions. Not kept alive by the controller.
    @objc public weak var delegate: (any PMSnapStartControllerDelegate)?

    private lazy var webView = WKWebView(frame: .zero, configuration: WKWebViewConfiguration())
    private var current: PMSnapStartAction?
    private var watchdog: Task<Void, Never>?
    private let environment = PegaEnvironment.shared

    open override func loadView() {
      webView.navigationDelegate = self
      webView.accessibilityIdentifier = webViewName
      view = webView
    }

    /// Performs an action. The delegate hears of its start, then of its finish or failure, once each.
    @objc public func performAction(_ action: PMSnapStartAction) {
      // The vendor's own sample calls this on URLSession's queue.
      Task { perform(action) }
    }

    private func perform(_ action: PMSnapStartAction) {
      end(with: CancellationError())
      current = action
      tell(.started, of: action)
      do {
        let server = try action.address(environment.configuration)
        let url = try action.action.url(at: server, configuration: environment.configuration)
        watchdog = Task { [weak self] in
          try? await Task.sleep(for: SnapStartRun.timeout)
          guard !Task.isCancelled else { return }
          self?.webView.stopLoading()
          self?.end(with: OstiaryError(.timedOut, "The page did not come within \(SnapStartRun.timeout)."))
        }
        Task {
          for cookie in HTTPCookieStorage.shared.cookies(for: url) ?? [] {
            await webView.configuration.websiteDataStore.httpCookieStore.setCookie(cookie)
          }
          guard current === action else { return }
          webView.load(URLRequest(url: url))
        }
      } catch {
        end(with: error)
      }
    }

    /// Tells the delegate the end of the action under way, if there is one.
    private func end(with error: (any Error)?) {
      guard let action = current else { return }
      current = nil
      watchdog?.cancel()
      watchdog = nil
      tell(error.map { .failed(PMAuthenticationError.nsError($0)) } ?? .finished, of: action)
    }
  }

  extension PMSnapStartViewController: WKNavigationDelegate {
    public func webView(
      _ webView: WKWebView, decidePolicyFor navigationResponse: WKNavigationResponse,
      decisionHandler: @escaping @MainActor (WKNavigationResponsePolicy) -> Void
    ) {
      let status = (navigationResponse.response as? HTTPURLResponse)?.statusCode ?? 200
      guard navigationResponse.isForMainFrame, !(200..<400).contains(status) else { return decisionHandler(.allow) }
      decisionHandler(.cancel)
      let code: OstiaryError.Code = status == 401 ? .interactionRequired : .unexpectedResponse
      end(with: OstiaryError(code, "The server answered \(status) in place of a page."))
    }

    public func webView(_ webView: WKWebView, didFinish navigation: WKNavigation?) {
      webView.evaluateJavaScript("document.documentElement.outerHTML") { [weak self] html, _ in
        guard let self, let action = self.current else { return }
        let isLoginForm = SnapStartRun.isLoginForm(html as? String ?? "", self.environment)
        let error = OstiaryError(.interactionRequired, "No user is signed in: the server asks for a user name.")
        if self.current === action { self.end(with: isLoginForm ? error : nil) }
      }
    }

    public func webView(_ webView: WKWebView, didFail navigation: WKNavigation?, withError error: any Error) {
      end(with: Self.failure(error))
    }

    public func webView(
      _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation?, withError error: any Error
    ) {
      end(with: Self.failure(error))
    }

    public func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
      end(with: OstiaryError(.connectionLost, "The web view's process died."))
      delegate?.snapStartControllerWebContentProcessDidTerminate?(self)
    }

    private static func failure(_ error: any Error) -> OstiaryError {
      OstiaryError(.cannotConnect, "The page could not be loaded.", underlying: error)
    }
  }
#endif
