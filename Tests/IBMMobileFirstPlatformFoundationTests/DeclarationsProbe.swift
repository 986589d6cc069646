// Uses every declaration of the article "The vendor's declarations" as an app would, and is never run. It is compiled in Swift 6 mode
// and, by a link in IBMMobileFirstSamplesTests, in Swift 5 mode.

import Dispatch
import Foundation
import IBMMobileFirstPlatformFoundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A handler of a gateway with every override that the vendor's headers offer.
class ProbeGatewayHandler: GatewayChallengeHandler {
  override init() { super.init(gatewayName: "probe") }
  override init!(name: String!) { super.init(name: name) }
  override init!(gatewayName: String!) { super.init(gatewayName: gatewayName) }
  override init!(realm: String!) { super.init(realm: realm) }
  override func canHandleResponse(_ response: WLResponse!) -> Bool { canHandle(response) }
  override func canHandle(_ response: WLResponse!) -> Bool { response.responseText != nil }
  override func handleChallenge(_ response: WLResponse!) { cancel() }
  override func onSuccess(_ response: WLResponse!) { submitSuccess(response) }
  override func onFailure(_ response: WLFailResponse!) { cancel() }
  override func submitSuccess(_ response: WLResponse!) { super.submitSuccess(response) }
  override func submitLoginForm(
    _ requestUrl: String!, requestParameters parameters: [AnyHashable: Any]!,
    requestHeaders headers: [AnyHashable: Any]!,
    requestTimeoutInMilliSeconds timeout: Int32, requestMethod method: String!
  ) {
    super.submitLoginForm(
      requestUrl, requestParameters: parameters, requestHeaders: headers, requestTimeoutInMilliSeconds: timeout,
      requestMethod: method)
  }
  override func cancel() { super.cancel() }
  override func submitFailure(_ challenge: WLResponse!) { super.submitFailure(challenge) }
  func probe(_ delegate: any WLDelegate) {
    submitLoginFormDelegate = delegate
    handlerName = realm
    realm = handlerName
  }
}

/// A handler of version 7.1.
class ProbeRealmHandler: ChallengeHandler {
  override init!(realm: String!) { super.init(realm: realm) }
  override func isCustomResponse(_ response: WLResponse!) -> Bool { super.isCustomResponse(response) }
  override func isCustom(_ response: WLResponse!) -> Bool { super.isCustom(response) }
  override func handleChallenge(_ response: WLResponse!) {
    submitAdapterAuthentication(
      WLProcedureInvocationData(adapterName: "a", procedureName: "p"), options: ["timeout": 1])
  }
  override func onSuccess(_ response: WLResponse!) { submitSuccess(response) }
  override func onFailure(_ response: WLFailResponse!) { submitFailure(response) }
}

/// A handler of a security check.
class ProbeCheckHandler: SecurityCheckChallengeHandler {
  override init() { super.init(securityCheck: "check") }
  override init!(name: String!) { super.init(name: name) }
  override init!(realm: String!) { super.init(realm: realm) }
  override init!(securityCheck: String!) { super.init(securityCheck: securityCheck) }
  override func handleChallenge(_ challenge: [AnyHashable: Any]!) { submitChallengeAnswer(["pin": "1"]) }
  override func handleSuccess(_ success: [AnyHashable: Any]!) { super.handleSuccess(success) }
  override func handleFailure(_ failure: [AnyHashable: Any]!) { super.handleFailure(failure) }
  override func submitChallengeAnswer(_ answer: [AnyHashable: Any]!) { super.submitChallengeAnswer(answer) }
  func logIn() {
    WLAuthorizationManager.sharedInstance().login(
      self.securityCheck, withCredentials: ["username": "u", "password": "p"]
    ) {
      (error) -> Void in
      if error != nil { NSLog("%@", String(describing: error)) }
    }
  }
}

/// The same as versions before 8.0 named it.
class ProbeEarlierCheckHandler: WLChallengeHandler {
  override func handleChallenge(_ challenge: [AnyHashable: Any]!) {}
}

/// A delegate that is no handler.
class ProbeDelegate: WLDelegate {
  func onSuccess(_ response: WLResponse!) {}
  func onFailure(_ response: WLFailResponse!) {}
}

@available(*, deprecated, message: "Uses what is deprecated, as old apps do.")
@MainActor
enum DeclarationsProbe {
  static func handlers(_ base: BaseChallengeHandler) {
    base.handlerName = "name"
    base.cancel()
    base.handleChallenge(["a": 1])
    base.releaseWaitingList()
    base.clearWaitingList()
    _ = BaseChallengeHandler(name: "name")
    _ = BaseChallengeHandler(realm: "realm")
  }

  static func client(_ delegate: any WLDelegate, _ listener: any URLSessionDataDelegate) {
    let client: WLClient = WLClient.sharedInstance()
    client.setServerUrl(URL(string: "https://host/mfp"))
    let url: URL = WLClient.sharedInstance().serverUrl()
    client.registerChallengeHandler(ProbeGatewayHandler())
    client.register(ProbeRealmHandler(realm: "realm"))
    _ = client.getChallengeHandler(bySecurityCheck: "probe") as? ProbeGatewayHandler
    _ = client.getChallengeHandler(byRealm: "realm")
    _ = client.getAllChallengeHandlers()
    client.addGlobalHeader("X-A", headerValue: "1")
    client.removeGlobalHeader("X-A")
    _ = client.getGlobalHeaders()
    let storage: HTTPCookieStorage = client.httpCookieStorage()
    client.defaultRequestTimeoutInterval = 10
    client.setHeartBeatInterval(420)
    client.setDeviceID("id")
    client.setDeviceDisplayName("name") { error in _ = error }
    client.getDeviceDisplayName { name, error in _ = (name, error) }
    client.getDeviceDisplayName(completionHandler: { name, error in _ = (name, error) })
    client.pinTrustedCertificatePublicKey(fromFile: "cert.der")
    client.pinTrustedCertificatePublicKey(fromFiles: ["cert.der"])
    client.wlConnect(with: delegate)
    client.wlConnect(with: delegate, options: ["timeout": 1000])
    client.login("realm", with: delegate)
    client.login("realm", with: delegate, options: ["timeout": 1000])
    client.logout("realm", with: delegate)
    client.logout("realm", with: delegate, options: ["timeout": 1000])
    client.obtainAccessToken(forScope: "scope", with: delegate)
    client.obtainAccessToken(forScope: "scope", with: delegate, options: nil)
    _ = (client.lastAccessToken(), client.lastAccessToken(forScope: "scope"))
    _ = client.getRequiredAccessTokenScope(fromStatus: 403, authenticationHeader: "Bearer scope=a")
    let data: WLProcedureInvocationData = WLProcedureInvocationData(
      adapterName: "a", procedureName: "p", compressResponse: true)
    data.parameters = [1, "two"]
    data.compressResponse = false
    client.invokeProcedure(data, with: delegate)
    client.invokeProcedure(data, with: delegate, options: ["timeout": 1000])
    client.initWLChallengeHandlers()
    let request = URLRequest(url: url)
    client.sendUrlRequest(request, delegate: listener)
    client.sendUrlRequest(request, delegate: listener, responseQueue: DispatchQueue.main)
    client.send(request, delegate: listener)
    client.send(request, delegate: listener, responseQueue: DispatchQueue.main)
    _ = (storage, WLClient().serverUrl() as URL?)
    let version: String = IBMMobileFirstPlatformFoundationHelper.version()
    _ = (
      version, WL_DEFAULT_ACCESS_TOKEN_SCOPE, ERROR_OAUTH_PREVENT_REDIRECT, ERROR_OAUTH_CANCELED, WLClientErrorDomain
    )
    _ = [
      WLClientErrorInternalError, WLClientErrorUnresponsiveHost, WLClientErrorRequestTimeout, WLClientErrorServerError,
      WLClientErrorAuthenticationFailure,
    ]
  }

  static func authorization(_ response: WLResponse, _ urlResponse: URLResponse) {
    let manager: WLAuthorizationManager = WLAuthorizationManager.sharedInstance()
    manager.login(
      "check", withCredentials: ["username": "u"], withCompletionHandler: { error in _ = error?.localizedDescription })
    manager.logout("check") { (error) -> Void in
      if error != nil { NSLog("%@", String(describing: error)) }
    }
    manager.logout("check", withCompletionHandler: { error in _ = error })
    WLAuthorizationManager.sharedInstance()?.obtainAccessToken(forScope: nil) { (token, error) -> Void in
      guard let token = token else { return }
      _ = [token.value, token.scope, token.asAuthorizationRequestHeaderField, token.asFormEncodedBodyParameter]
    }
    manager.obtainAccessToken(forScope: "", withCompletionHandler: { (token, error) in _ = (token?.value, error) })
    let token = AccessToken(token: "t", withExpiration: 0, forScope: "s")
    manager.clear(token)
    manager.clearAccessToken(token)
    manager.authorizationServerURL = URL(string: "https://az/")
    manager.timeOut = 10
    manager.setLoginTimeOut(NSNumber(value: 10))
    _ = manager.isGatewayResponse(response) || manager.isGateway(response)
    _ = manager.isAuthorizationRequired(for: urlResponse)
    _ = manager.isAuthorizationRequiredForResponse(withStatus: 401, headers: ["WWW-Authenticate": "Bearer"])
    _ = manager.resourceScope(from: urlResponse)
    _ = manager.resourceScope(fromResponseHeaders: [:])
    manager.obtainAuthorizationHeader(
      forScope: "s", completionHandler: { response, error in _ = (response?.status, error) })
    _ = [manager.cachedAuthorizationHeader]
    _ = [manager.userIdentity, manager.deviceIdentity, manager.appIdentity]
    manager.addCachedAuthorizationHeader(to: NSMutableURLRequest(url: URL(fileURLWithPath: "/")))
    manager.setAuthorizationPersistencePolicy(.always)
    manager.setAuthorizationPersistencePolicy(WLAuthorizationPerisistencePolicy.never)
    _ = manager.isAuthorizationRequiredForResponse(withStatus: 401, authorizationHeader: "Bearer")
    _ = manager.authorizationScope(for: urlResponse)
    _ = manager.authorizationScopeForResponse(withAuthorizationHeader: "Bearer scope=a")
  }

  static func requests(_ listener: any URLSessionDataDelegate) {
    let url = URL(string: "/adapters/a/b")
    _ = WLResourceRequest(url: url, method: WLHttpMethodPut, scope: "s")
    _ = WLResourceRequest(url: url, method: WLHttpMethodDelete, timeout: 1)
    _ = WLResourceRequest(url: url, method: WLHttpMethodPost, timeout: 1, scope: "s")
    let request: WLResourceRequest = WLResourceRequest(url: url, method: WLHttpMethodGet)
    _ = (request.url, request.scope, request.httpMethod, request.getQueryString(), request.headerNames())
    request.queryParameters = ["a": "b"]
    request.setQueryParameterValue("['a']", forName: "params")
    request.headers = [["X-A": "1"]]
    _ = request.headers
    request.timeoutInterval = 5
    request.stringEncoding = String.Encoding.utf8.rawValue
    request.setHeaderValue(NSString(string: "1"), forName: "X-A")
    request.addHeaderValue(NSString(string: "1"), forName: "X-A")
    _ = (request.headers(forName: "X-A"), request.header(forName: "X-A"))
    request.removeHeaders(forName: "X-A")
    let queue = DispatchQueue.main
    request.send(completionHandler: { response, error in _ = (response?.responseText, error?.localizedDescription) })
    request.send { (response, error) -> Void in _ = response?.responseJSON }
    request.send(completionHandler: queue, completionHandler: { _, _ in })
    request.send(withBody: "b", completionHandler: { _, _ in })
    request.send(withBody: "b", responseQueue: queue, completionHandler: { _, _ in })
    request.send(withFormParameters: ["a": "b"], completionHandler: { _, _ in })
    request.send(withFormParameters: ["a": "b"], responseQueue: queue, completionHandler: { _, _ in })
    request.send(withJSON: ["a": "b"], completionHandler: { _, _ in })
    request.send(withJSON: ["a": "b"], responseQueue: queue, completionHandler: { _, _ in })
    request.send(with: Data(), completionHandler: { _, _ in })
    request.send(with: Data(), responseQueue: queue, completionHandler: { _, _ in })
    request.send(withDelegate: listener)
    request.send(withDelegate: listener, responseQueue: queue)
    request.send(withBody: "b", delegate: listener)
    request.send(withBody: "b", delegate: listener, responseQueue: queue)
    request.send(withFormParameters: ["a": "b"], delegate: listener)
    request.send(withFormParameters: ["a": "b"], delegate: listener, responseQueue: queue)
    request.send(withJSON: ["a": "b"], delegate: listener)
    request.send(withJSON: ["a": "b"], delegate: listener, responseQueue: queue)
    request.send(with: Data(), delegate: listener)
    request.send(with: Data(), delegate: listener, responseQueue: queue)
  }

  static func responses() {
    let response = WLResponse()
    response.status = 200
    response.error = NSError(domain: WLClientErrorDomain, code: WLClientErrorServerError)
    response.responseText = "text"
    response.headers = ["a": "b"]
    response.invocationContext = NSObject()
    response.userInfoDict = [:]
    _ = (response.responseData, response.responseJSON, response.getResponseJson())
    let failure: WLFailResponse = WLFailResponse.createFailResponse(from: response, error: nil)
    failure.errorCode = "c"
    failure.errorMsg = "m"
    failure.clientErrorCode = WLErrorCodeUnexpectedError
    _ = WLFailResponse.getErrorMessage(from: WLErrorCodeProcedureError)
    _ = WLFailResponse.getErrorMessage(fromJSON: [:])
    _ = WLFailResponse.getWLErrorCode(fromJSON: [:]) == WLErrorCodeSubmitFailure
  }
}
