import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryGateway
import OstiaryHTML
import OstiaryTesting

extension FuzzTarget {
  /// A page whose forms are sent: one byte for the character set, one for the encoding, and the page.
  static let form = FuzzTarget(name: "form") { bytes in
    guard bytes.count >= 2, let url = URL(string: "https://gate.example/a/b?c") else { return }
    let types = ["text/html", "text/html; charset=iso-8859-1", "text/html; charset=shift_jis", "text/html; charset=x"]
    var head = HTTPResponse(status: .ok)
    head.headerFields[.contentType] = types[Int(bytes[0]) % types.count]
    let page = HTMLPage(TransportResponse(head, body: Data(bytes.dropFirst(2)), url: url))
    for var form in page.forms {
      let encodings: [HTMLForm.Encoding] = [.urlEncoded, .multipart, .plainText]
      form.encoding = encodings[Int(bytes[1]) % encodings.count]
      let entries = form.entries(pressing: form.defaultButton)
      try require(entries.count <= 5 * HTMLPage.maximumFields, "what is sent is bounded")
      guard let request = try? form.submission(on: page) else { continue }
      try require(request.head.path?.utf8.first == UInt8(ascii: "/"), "a form goes to a path")
      try require(Origin(request.head) != nil, "a form goes to an origin")
      let type = request.head.headerFields[.contentType] ?? ""
      guard let body = request.body, request.head.method == .post else { continue }
      if type == FormEncoding.mediaType {
        let sent = FormEncoding.parse(String(decoding: body, as: UTF8.self))
        try require(sent.count == entries.count || entries.contains { $0.name.isEmpty }, "each field is sent once")
      }
      if let boundary = type.split(separator: "boundary=").last, type.hasPrefix("multipart/") {
        let marks = String(decoding: body, as: UTF8.self).components(separatedBy: "--\(boundary)").count
        try require(marks >= 2 && marks <= 5 * HTMLPage.maximumFields + 2, "no part holds the boundary")
      }
    }
  }

  /// A gateway's answer to everything: one byte for the status, one for the media type, and the body.
  static let gatewayAnswer = FuzzTarget(name: "gateway-answer") { bytes in
    guard bytes.count >= 2, let url = URL(string: "https://gate.example/api") else { return }
    let statuses: [HTTPResponse.Status] = [.ok, .unauthorized, .forbidden, .found, .badRequest, .badGateway]
    let types = ["text/html", "application/json", "text/html; charset=windows-1252", GatewayDemand.mediaType]
    var head = HTTPResponse(status: statuses[Int(bytes[0]) % statuses.count])
    head.headerFields[.contentType] = types[Int(bytes[1]) % types.count]
    head.headerFields[.wwwAuthenticate] = "Ostiary-Gateway realm=\"fuzz\""
    if let location = String(bytes: bytes.dropFirst(2).prefix(200), encoding: .utf8), HTTPField.isValidValue(location) {
      head.headerFields[.location] = location
    }
    let response = TransportResponse(head, body: Data(bytes.dropFirst(2)), url: url)
    let network = ScriptedTransport(handler: { _ in response })
    var login = try FormLogin(at: url)
    login.recogniser = .any(of: [login.recogniser, .redirect(toPath: "/login")])
    login.oneTimeCode = { _ in "123456" }
    let authenticator = try GatewayAuthenticator(server: url, handlers: [login])
    if case .rejected = authenticator.judge(response, to: try .get(url)) {
      try require(head.status.code < 500, "an error of the server is no challenge")
    }
    do {
      let credential = Credential.password(username: "fuzz", password: "fuzzing")
      _ = try await authenticator.signIn(with: credential, in: AuthenticationContext(transport: network))
    } catch let error as OstiaryError {
      try require(!"\(error) \(error.underlying as Any)".contains("fuzzing"), "an error holds no password")
    }
    for request in network.requests {
      try require(Origin(request.head) == Origin(url), "nothing goes to another server")
      try require(request.head.path?.contains("fuzzing") == false, "no password is in an address")
    }
    try require(network.count <= 60, "a sign-in ends")
  }
}
