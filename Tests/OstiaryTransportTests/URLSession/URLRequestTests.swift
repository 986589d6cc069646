import Foundation
import HTTPTypes
import OstiaryCore
import Testing

@testable import OstiaryURLSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite("URLRequest")
struct URLRequestTests {
  private let url = URL(string: "https://app.example/a?b=c") ?? URL(fileURLWithPath: "/")

  @Test("A transport's request becomes a URLRequest that adds nothing and waits for the transport's own time-out")
  func conversion() throws {
    var head = try HTTPRequest(
      .put, to: url, headerFields: [.accept: "a/b", .host: "evil.example", .contentLength: "9"])
    head.headerFields.append(HTTPField(name: try #require(.init("X-A")), value: "1"))
    head.headerFields.append(HTTPField(name: try #require(.init("x-a")), value: "2"))
    head.headerFields.append(HTTPField(name: .cookie, value: "a=1"))
    head.headerFields.append(HTTPField(name: .cookie, value: "b=2"))
    let request = try URLRequest(TransportRequest(head, body: Data("body".utf8)))
    #expect(request.url == url)
    #expect(request.httpMethod == "PUT")
    #expect(request.httpBody == Data("body".utf8))
    #expect(!request.httpShouldHandleCookies)
    #expect(
      request.allHTTPHeaderFields == [
        "Accept": "a/b", "X-A": "1, 2", "Cookie": "a=1; b=2", "Accept-Encoding": "identity",
      ])
    #expect(throws: OstiaryError(.invalidRequest, "")) {
      try URLRequest(TransportRequest(HTTPRequest(method: .get, scheme: "ftp", authority: "a", path: "/")))
    }
  }

  @Test("A response's joined Set-Cookie comes apart, other fields stay joined")
  func response() throws {
    let response = try #require(
      HTTPURLResponse(
        url: url, statusCode: 200, httpVersion: "HTTP/1.1",
        headerFields: [
          "Set-Cookie": "a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT, b=2", "Vary": "a, b", "X-Empty": "",
        ]))
    let head = try #require(HTTPResponse(response))
    #expect(head.status.code == 200)
    #expect(head.headerFields[values: .setCookie] == ["a=1; Expires=Wed, 09 Jun 2032 10:18:14 GMT", "b=2"])
    #expect(head.headerFields[values: .vary] == ["a, b"])
  }

  @Test("Merging replaces a field in any spelling and leaves the others")
  func merge() throws {
    var request = URLRequest(url: url)
    request.allHTTPHeaderFields = ["authorization": "old", "Accept": "a/b", "X-Other": "1"]
    request.merge([HTTPField(name: .authorization, value: "Bearer new"), HTTPField(name: .accept, value: "c/d")])
    #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer new")
    #expect(request.value(forHTTPHeaderField: "Accept") == "c/d")
    #expect(request.value(forHTTPHeaderField: "X-Other") == "1")
    #expect(request.allHTTPHeaderFields?.count == 3)
    let before = request
    request.merge([])
    #expect(request == before)
    var bare = URLRequest(url: url)
    bare.merge([HTTPField(name: .authorization, value: "x")])
    #expect(bare.allHTTPHeaderFields == ["Authorization": "x"])
  }
}

extension HTTPField.Name {
  fileprivate static var host: HTTPField.Name { HTTPField.Name("Host") ?? .via }
}
