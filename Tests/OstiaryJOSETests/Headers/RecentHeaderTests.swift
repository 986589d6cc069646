import Foundation
import OstiaryCore
import Testing

@testable import OstiaryJOSE

/// What a key set remembers of the last token makes no other token good.
@Suite("The recent header", .timeLimit(.minutes(20)))
struct RecentHeaderTests {
  private let key: SigningKey
  private let keys: KeySet
  private let verifier = Sample.verifier()

  init() throws {
    key = try SigningKey.make(.es256)
    keys = try Sample.keys(key)
  }

  private func text(of header: String) -> ArraySlice<UInt8> { Array(Sample.part(header).utf8)[...] }

  @Test("JOSE-21: after a token, one whose header differs in one byte is judged by its own header")
  func others() throws {
    let good = try Sample.token(header: #"{"alg":"ES256"}"#, key)
    for (header, code) in [
      (#"{"alg":"ES255"}"#, JOSEError.Code.algorithmNotAllowed), (#"{"alg":"es256"}"#, .algorithmNotAllowed),
      (#"{"alG":"ES256"}"#, .malformed), (#"{"alg":"ES256"} "#, nil), (#"["alg","ES256"]"#, .malformed),
      (#"{"alg":"none" }"#, .unsigned), (#"{"alg":"ES256","typ":"at+jwt"}"#, .wrongType),
    ] as [(String, JOSEError.Code?)] {
      for _ in 0..<2 {
        #expect(try verifier.verify(good, with: keys, at: Sample.now).header.algorithmName == "ES256")
      }
      #expect(keys.recentHeader?.header(text(of: #"{"alg":"ES256"}"#)) != nil)
      let other = try Sample.token(header: header, key)
      let refused = refusal { () throws(JOSEError) in try verifier.verify(other, with: keys, at: Sample.now) }
      #expect(refused == code, "\(header)")
    }
  }

  @Test("JOSE-21: of a token whose signature is wrong nothing is remembered, and of one with a long header neither")
  func notKept() throws {
    let header = #"{"alg":"ES256","x":1}"#
    let forged = try Sample.token(header: header, SigningKey.make(.es256))
    for _ in 0..<2 {
      let code = refusal { () throws(JOSEError) in try verifier.verify(forged, with: keys, at: Sample.now) }
      #expect(code == .wrongSignature)
      #expect(keys.recentHeader?.header(text(of: header)) == nil)
    }
    let long = #"{"alg":"ES256","x":"\#(String(repeating: "x", count: RecentHeader.maximumBytes))"}"#
    for _ in 0..<2 { _ = try verifier.verify(Sample.token(header: long, key), with: keys, at: Sample.now) }
    #expect(keys.recentHeader?.header(text(of: long)) == nil)
  }

  @Test("JOSE-21: many tasks with tokens of two headers each get the header of their own token")
  func concurrent() async throws {
    let headers = [#"{"alg":"ES256","x":1}"#, #"{"alg":"ES256","y":2}"#]
    let tokens = try headers.map { try Sample.token(header: $0, key) }
    let (verifier, keys) = (verifier, keys)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          let token = try verifier.verify(tokens[number % 2], with: keys, at: Sample.now)
          #expect(token.header.members[number % 2 == 0 ? "x" : "y"] != nil)
        }
      }
      try await group.waitForAll()
    }
  }
}
