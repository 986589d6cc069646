#if os(iOS) || os(visionOS)
  internal import Foundation
  internal import Ostiary
  internal import OstiaryPega
  internal import PMAuthentication
  public import UIKit
  public import WebKit

  /// Shows a Pega server's work in a web view.
  ///
  /// It uses the cookies of `HTTPCookieStorage.shared`, where a login leaves them. This file has not been run on a
  /// device: it holds only the web view's wiring.
  @preconcurrency @MainActor
  open class PMSnapStartViewController: UIViewController {
    /// The name of the view; each of several views needs its own.
    public var webViewName: String?
    /// Hears what becomes of the actions. Not kept alive by the controller.
    public weak var delegate: (any PMSnapStartControllerDelegate)?

    var turns = SnapStartTurns<PMSnapStartAction>()
    private lazy var webView = WKWebView(frame: .zero, configuration: WKWebViewConfiguration())
    /// The actions that navigations belong to: one that ends late says nothing of a newer action.
    private let turnsOfNavigations = NSMapTable<WKNavigation, NSNumber>.weakToStrongObjects()
    /// Whether the web view loads the newest action's page, and no older one's.
    private var loadsNewest = false
    private let environment = PegaEnvironment.shared

    open override func loadView() {
      webView.navigationDelegate = self
      webView.accessibilityIdentifier = webViewName
      view = webView
    }

    /// Performs an action. The delegate hears of its start, then of its finish or failure, once each. An action that is under
    /// way has failed then, and its late page counts for nothing.
    public func performAction(_ action: PMSnapStartAction) {
      // The vendor's own sample calls this on URLSession's queue.
      MainActorDelivery.post { self.perform(action) }
    }

    private func perform(_ action: PMSnapStartAction) {
      webView.stopLoading()
      loadsNewest = false
      let turn = begin(action)
      do {
        let server = try action.address(environment.configuration)
        let url = try action.action.url(at: server, configuration: environment.configuration)
        _ = OneTimer(after: Self.timeout, clock: environment.clock) { [weak self] in await self?.giveUp(turn) }
        MainActorDelivery.deliver { [self] in
          for cookie in HTTPCookieStorage.shared.cookies(for: url) ?? [] {
            await webView.configuration.websiteDataStore.httpCookieStore.setCookie(cookie)
          }
          guard turns.isUnderWay(turn) else { return }
          loadsNewest = true
          note(webView.load(URLRequest(url: url)), turn)
        }
      } catch {
        end(turn, with: error)
      }
    }

    private func giveUp(_ turn: Int) {
      guard turns.isUnderWay(turn) else { return }
      webView.stopLoading()
      end(turn, with: OstiaryError(.timedOut, "The page did not come within \(Self.timeout)."))
    }

    private func note(_ navigation: WKNavigation?, _ turn: Int) {
      if let navigation { turnsOfNavigations.setObject(NSNumber(value: turn), forKey: navigation) }
    }

    /// The action that a navigation belongs to: the one that loaded it or, when a page leads on by itself, the one that was
    /// loaded when it began.
    private func turn(of navigation: WKNavigation?) -> Int {
      navigation.flatMap { turnsOfNavigations.object(forKey: $0)?.intValue } ?? (loadsNewest ? turns.newest : 0)
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
      guard loadsNewest else { return }
      let code: OstiaryError.Code = status == 401 ? .interactionRequired : .unexpectedResponse
      end(turns.newest, with: OstiaryError(code, "The server answered \(status) in place of a page."))
    }

    public func webView(_ webView: WKWebView, didStartProvisionalNavigation navigation: WKNavigation?) {
      note(navigation, turn(of: navigation))
    }

    public func webView(_ webView: WKWebView, didFinish navigation: WKNavigation?) {
      let turn = turn(of: navigation)
      webView.evaluateJavaScript("document.documentElement.outerHTML") { [weak self] html, _ in
        guard let self else { return }
        let isLoginForm = PegaPage.isLoginForm(html as? String ?? "", configuration: environment.configuration)
        let error = OstiaryError(.interactionRequired, "No user is signed in: the server asks for a user name.")
        end(turn, with: isLoginForm ? error : nil)
      }
    }

    public func webView(_ webView: WKWebView, didFail navigation: WKNavigation?, withError error: any Error) {
      end(turn(of: navigation), with: Self.failure(error))
    }

    public func webView(
      _ webView: WKWebView, didFailProvisionalNavigation navigation: WKNavigation?, withError error: any Error
    ) {
      end(turn(of: navigation), with: Self.failure(error))
    }

    public func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
      end(turns.newest, with: OstiaryError(.connectionLost, "The web view's process died."))
      delegate?.snapStartControllerWebContentProcessDidTerminate?(self)
    }

    private static func failure(_ error: any Error) -> OstiaryError {
      OstiaryError(.cannotConnect, "The page could not be loaded.", underlying: error)
    }
  }
#endif
