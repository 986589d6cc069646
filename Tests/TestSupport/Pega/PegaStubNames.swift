internal import Foundation
internal import HTTPTypes
internal import OstiaryCore
package import OstiaryTesting

/// What a Pega server of a test calls things: at first as ``/OstiaryPega/PegaConfiguration`` has it.
package struct PegaStubNames: Sendable {
  package var context = "/prweb"
  package var servletName = "PRServlet"
  package var activity = "pyActivity"
  package var mobileAppConfiguration = "pzMobileAppConfiguration"
  package var accessGroupDetails = "pzAccessGroupDetails"
  package var formLogin = "Code-Security.Login"
  package var logOff = "Code-Security.LogOff"
  /// The only other activity that there is; with an empty one there are all.
  package var snapStart = ""
  package var user = "UserIdentifier"
  package var password = "Password"
  package var form = "credentialsForm"
  package var error = "error"
  package var realm = "Pega 7"
  package var cookie = "Pega-RULES"
  package var containerCookie = "JSESSIONID"
  package var accessGroup = "accessGroup"
  package var baseURL = "baseURL"
  package var operatorID = "operator"
  package var minimum = "minContainerVersion"
  package var maximum = "maxContainerVersion"
  package var versions = "7.0"..."8.99"

  package init() {}

  package var servlet: String { "\(context)/\(servletName)" }

  /// Whether a path is a servlet's: with nothing behind its name, or with a session's part.
  func isServlet(_ path: String) -> Bool {
    guard path.hasPrefix(servlet) else { return false }
    let rest = path.dropFirst(servlet.count)
    return !rest.hasPrefix("/") || rest.contains("*")
  }

  /// A server on which nothing is called as it is elsewhere.
  package static var renamed: PegaStubNames {
    var names = PegaStubNames()
    names.context = "/acme"
    names.servletName = "Front"
    names.activity = "do"
    names.mobileAppConfiguration = "acmeMobile"
    names.accessGroupDetails = "acmeGroups"
    names.formLogin = "Acme.SignOn"
    names.logOff = "Acme.SignOff"
    names.snapStart = "acmeStart"
    names.user = "uid"
    names.password = "pwd"
    names.form = "signon"
    names.error = "problem"
    names.realm = "Acme"
    names.cookie = "ACME-SID"
    names.containerCookie = "ACMENODE"
    names.accessGroup = "group"
    names.baseURL = "home"
    names.operatorID = "who"
    names.minimum = "from"
    names.maximum = "to"
    names.versions = "20.1"..."20.9"
    return names
  }
}

extension PegaStub {
  /// The server over HTTP, on this machine.
  package func listen() throws -> LoopbackServer {
    try LoopbackServer { [self] request in
      guard let url = URL(string: "http://pega.test:8080" + request.target),
        let method = HTTPRequest.Method(request.method),
        let head = try? HTTPRequest(method, to: url, headerFields: request.fields)
      else { return [.response(400)] }
      let response = respond(to: TransportRequest(head, body: request.body.isEmpty ? nil : request.body))
      return [
        .response(
          response.status.code, response.head.headerFields.map { ($0.name.rawName, $0.value) }, body: response.text)
      ]
    }
  }
}
