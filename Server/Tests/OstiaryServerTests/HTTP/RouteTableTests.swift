import HTTPTypes
import Testing

@testable import OstiaryServer

@Suite("Route table")
struct RouteTableTests {
  private let table = RouteTable([
    Route("/a", [.get: { _ in DoorResponse(status: .ok) }]),
    Route("/a/b", [.get: { _ in DoorResponse(status: .ok) }, .post: { _ in DoorResponse(status: .ok) }]),
    Route("/a/:x", [.put: { _ in DoorResponse(status: .ok) }]),
    Route("/a/b/:y/end", [.get: { _ in DoorResponse(status: .ok) }]),
    Route("/a/:x/:y/other", [.get: { _ in DoorResponse(status: .ok) }]),
  ])

  private func match(_ method: HTTPRequest.Method, _ path: String) -> String {
    switch table.match(method, path) {
    case .found(_, let parameters, let pattern):
      ([pattern] + parameters.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
    case .otherMethods(let allowed): "405 " + allowed.joined(separator: ",")
    case .unknown: "404"
    }
  }

  @Test(
    "Finds routes",
    arguments: [
      ("/a", "/a"), ("/a/", "/a"), ("/a/b", "/a/b"), ("/%61/b", "/a/b"), ("/a/b/1/end", "/a/b/:y/end y=1"),
      ("/a/b/1/other", "/a/:x/:y/other x=b y=1"), ("/a/%C3%A9/%21/other", "/a/:x/:y/other x=é y=!"),
      ("/a/c", "405 PUT"), ("/", "404"), ("", "404"), ("a", "404"), ("//a", "404"), ("/a//b", "404"), ("/a//", "404"),
      ("/a/b/c", "404"), ("/x/../a", "404"), ("/a/%2F", "404"), ("/a/%zz", "404"), ("/a/%FF", "404"),
      ("/a/b/:y/end", "/a/b/:y/end y=:y"), ("/A", "404"), ("/a/b?", "405 PUT"),
    ])
  func paths(path: String, expected: String) {
    #expect(match(.get, path) == expected)
  }

  @Test("A path of thousands of segments is found nowhere")
  func longPath() {
    #expect(match(.get, String(repeating: "/a", count: 20_000)) == "404")
  }

  @Test("HEAD goes where GET does; other methods are told which there are")
  func methods() {
    #expect(match(.head, "/a") == "/a")
    #expect(match(.post, "/a") == "405 GET,HEAD")
    #expect(match(.delete, "/a/b") == "405 GET,HEAD,POST")
    #expect(match(.head, "/a/c") == "405 PUT")
    #expect(match(.put, "/a/c") == "/a/:x x=c")
  }
}
