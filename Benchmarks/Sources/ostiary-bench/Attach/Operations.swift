import Foundation
import HTTPTypes
import OstiaryCore
import OstiaryTesting
import OstiaryURLSession

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

extension Subjects {
  /// Everything that is measured in nanoseconds, raw parts first.
  /// - Parameter withSignatures: whether those of tokens' signatures are wanted, for which keys are made.
  func operations(withSignatures: Bool) throws -> [Operation] {
    attaching() + looking() + (try cookies()) + (try coding()) + (try proofs.operations())
      + (withSignatures ? try verifying.operations() : []) + (try dialects.operations())
  }

  /// Requests get their proof.
  private func attaching() -> [Operation] {
    let bearer = "Bearer " + Self.token
    let urlRequest = urlRequest
    let httpRequest = httpRequest
    let bearerManager = bearerManager
    let cookieManager = cookieManager
    return [
      Operation(name: "url-copy", title: "raw: copy a URLRequest and change it", batch: 2_000) { count in
        for _ in 0..<count {
          var request = urlRequest
          request.timeoutInterval = 10
          keep(request)
        }
      },
      Operation(name: "url-set", title: "raw: URLRequest.setValue", batch: 200) { count in
        for _ in 0..<count {
          var request = urlRequest
          request.setValue(bearer, forHTTPHeaderField: "Authorization")
          keep(request)
        }
      },
      Operation(
        name: "url-attach", title: "URLRequest: SessionManager.attach", batch: 2_000,
        bar: .times("url-set", atMost: 0.08)
      ) { count in
        for _ in 0..<count {
          var request = urlRequest
          keep(bearerManager.attach(to: &request))
          keep(request)
        }
      },
      Operation(name: "http-copy", title: "raw: copy an HTTPRequest and change it", batch: 10_000) { count in
        for _ in 0..<count {
          var request = httpRequest
          request.headerFields[.accept] = "text/plain"
          keep(request)
        }
      },
      Operation(name: "http-set", title: "raw: copy an HTTPRequest and set the field", batch: 10_000) { count in
        for _ in 0..<count {
          var request = httpRequest
          request.headerFields[.authorization] = bearer
          keep(request)
        }
      },
      attach("http-attach", "HTTPRequest: SessionManager.attach, token", bearerManager),
      attach("http-attach-cookie", "HTTPRequest: SessionManager.attach, cookie", cookieManager),
    ]
  }

  private func attach(_ name: String, _ title: String, _ manager: SessionManager) -> Operation {
    let httpRequest = httpRequest
    return Operation(name: name, title: title, batch: 10_000, bar: .times("http-set", atMost: nil)) { count in
      for _ in 0..<count {
        var request = httpRequest
        keep(manager.attach(to: &request))
        keep(request)
      }
    }
  }

  /// What a request costs that sees whether another process has changed what is stored, and a look that asks no server.
  private func looking() -> [Operation] {
    let path = path
    let bearerManager = bearerManager
    var operations = [
      Operation(name: "current", title: "SessionManager.current", batch: 50_000, bar: .atMost(1_000)) { count in
        for _ in 0..<count { keep(bearerManager.current) }
      },
      Operation(name: "lstat", title: "raw: lstat", batch: 10_000) { count in
        var status = stat()
        for _ in 0..<count where lstat(path, &status) != 0 {
          throw BenchmarkError(message: "\(path) can't be examined.")
        }
      },
      Operation(name: "fstat", title: "raw: fstat", batch: 10_000) { count in
        let descriptor = open(path, O_RDONLY)
        defer { close(descriptor) }
        var status = stat()
        for _ in 0..<count where fstat(descriptor, &status) != 0 {
          throw BenchmarkError(message: "\(path) can't be examined.")
        }
      },
    ]
    for (name, title, manager) in [("memory", "EphemeralStore", bearerManager)] + storeManagers {
      operations.append(
        Operation(name: "stamp-\(name)", title: "\(title).stamp", batch: 10_000, bar: .times("lstat", atMost: 1.2)) {
          count in
          let (store, key) = (manager.store, manager.key)
          for _ in 0..<count { keep(store.stamp(of: key)) }
        })
    }
    for (name, title, manager) in storeManagers {
      let httpRequest = httpRequest
      operations.append(
        Operation(
          name: "attach-\(name)", title: "HTTPRequest: SessionManager.attach, token in \(title)", batch: 10_000,
          bar: .atMost(1_000)
        ) { count in
          for _ in 0..<count {
            var request = httpRequest
            guard case .attached = manager.attach(to: &request) else {
              throw BenchmarkError(message: "\(title) has no session.")
            }
            keep(request)
          }
        })
    }
    return operations
  }

  private func cookies() throws -> [Operation] {
    let httpRequest = httpRequest
    return try [10, 100, 1_000].map { size in
      let jar = try Self.jar(others: size - 1)
      let now = Date()
      return Operation(name: "cookie-match-\(size)", title: "CookieJar: match 1 of \(size)", batch: 5_000) { count in
        for _ in 0..<count { keep(jar.header(for: httpRequest, now: now)) }
      }
    }
  }

  /// Sessions as JSON, beside the parser and the writer of JSON alone.
  private func coding() throws -> [Operation] {
    let session = try Self.session(Proof(cookies: try Self.jar(others: 3), tokens: ["access": Secret(Self.token)]))
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let encoded = try encoder.encode(session)
    let object = try JSONSerialization.jsonObject(with: encoded)
    return [
      Operation(name: "json-encode", title: "raw: write the same JSON", batch: 200) { count in
        for _ in 0..<count { keep(try JSONSerialization.data(withJSONObject: object, options: .sortedKeys)) }
      },
      Operation(
        name: "session-encode", title: "Session: encode (\(encoded.count) bytes)", batch: 200,
        bar: .times("json-encode", atMost: nil)
      ) { count in
        for _ in 0..<count { keep(try encoder.encode(session)) }
      },
      Operation(name: "json-decode", title: "raw: parse the same JSON", batch: 200) { count in
        for _ in 0..<count { keep(try JSONSerialization.jsonObject(with: encoded)) }
      },
      Operation(
        name: "session-decode", title: "Session: decode, as a manager does", batch: 200,
        bar: .times("json-decode", atMost: 1.2)
      ) { count in
        for _ in 0..<count { keep(try JSONValue(json: encoded)?.decode(Session.self)) }
      },
    ]
  }
}
