import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import OstiaryURLSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Subjects {
  /// Everything that is measured in nanoseconds, raw parts first.
  func operations() throws -> [Operation] {
    let bearer = "Bearer " + Self.token
    let urlRequest = urlRequest
    let httpRequest = httpRequest
    let bearerManager = bearerManager
    let cookieManager = cookieManager
    var operations = [
      Operation(name: "url-copy", title: "URLRequest: copy and change (raw floor)", batch: 2_000) { count in
        for _ in 0..<count {
          var request = urlRequest
          request.timeoutInterval = 10
          keep(request)
        }
      },
      Operation(name: "url-set", title: "URLRequest: setValue, the obvious way (raw)", batch: 200) { count in
        for _ in 0..<count {
          var request = urlRequest
          request.setValue(bearer, forHTTPHeaderField: "Authorization")
          keep(request)
        }
      },
      Operation(name: "url-attach", title: "URLRequest: SessionManager.attach", batch: 2_000) { count in
        for _ in 0..<count {
          var request = urlRequest
          keep(bearerManager.attach(to: &request))
          keep(request)
        }
      },
      Operation(name: "http-copy", title: "HTTPRequest: copy and change (raw floor)", batch: 10_000) { count in
        for _ in 0..<count {
          var request = httpRequest
          request.headerFields[.accept] = "text/plain"
          keep(request)
        }
      },
      Operation(name: "http-set", title: "HTTPRequest: copy and set the field (raw)", batch: 10_000) { count in
        for _ in 0..<count {
          var request = httpRequest
          request.headerFields[.authorization] = bearer
          keep(request)
        }
      },
      Operation(name: "http-attach", title: "HTTPRequest: SessionManager.attach, token", batch: 10_000) { count in
        for _ in 0..<count {
          var request = httpRequest
          keep(bearerManager.attach(to: &request))
          keep(request)
        }
      },
      Operation(name: "http-attach-cookie", title: "HTTPRequest: SessionManager.attach, cookie", batch: 10_000) {
        count in
        for _ in 0..<count {
          var request = httpRequest
          keep(cookieManager.attach(to: &request))
          keep(request)
        }
      },
      Operation(name: "current", title: "SessionManager.current", batch: 50_000) { count in
        for _ in 0..<count { keep(bearerManager.current) }
      },
    ]
    for size in [10, 100, 1_000] {
      let jar = try Self.jar(others: size - 1)
      let now = Date()
      operations.append(
        Operation(name: "cookie-match-\(size)", title: "CookieJar: match 1 of \(size)", batch: 5_000) { count in
          for _ in 0..<count { keep(jar.header(for: httpRequest, now: now)) }
        })
    }
    let session = try Self.session(Proof(cookies: try Self.jar(others: 3), tokens: ["access": Secret(Self.token)]))
    let encoded = try JSONEncoder().encode(session)
    operations.append(
      Operation(name: "session-encode", title: "Session: encode (\(encoded.count) bytes)", batch: 200) { count in
        for _ in 0..<count { keep(try JSONEncoder().encode(session)) }
      })
    operations.append(
      Operation(name: "session-decode", title: "Session: decode", batch: 200) { count in
        for _ in 0..<count { keep(try JSONDecoder().decode(Session.self, from: encoded)) }
      })
    return operations
  }
}
