import Foundation
import OstiaryCore
import OstiaryJOSE
import OstiaryTesting
import PythonTestSupport
import Testing

/// Libraries that know nothing of Ostiary: each verifies what this one signs, and the other way round.
@Suite("Tokens of other people's libraries", .timeLimit(.minutes(20)))
struct InteropTests {
  private static let python = PythonEnvironment(
    name: "python-jose", packages: ["joserfc>=1.1,<2", "jwcrypto>=1.5.6,<2"])
  private static let secretAlgorithms: [SignatureAlgorithm] = [.insecureHS256, .insecureHS384, .insecureHS512]
  private static let secret = Secret(String(repeating: "one secret of two sides ", count: 4))
  private static let claims: [String: JSONValue] = [
    "iss": "https://as.example", "sub": "ann", "aud": .array(["https://api.example", "é"]), "exp": 1_800_000_300,
  ]

  @Test(
    "JOSE-18: joserfc and jwcrypto verify what is signed here, and the other way round, for every algorithm",
    .enabled("There is no Python 3 with venv, or its package registry can't be reached.") {
      await Self.python.interpreter() != nil
    })
  func everyAlgorithm() async throws {
    let python = try #require(await Self.python.interpreter())
    let algorithms = SignatureAlgorithm.allPublic.sorted { $0.name < $1.name } + Self.secretAlgorithms
    let given = try algorithms.map { algorithm -> JSONValue in
      let key = try Self.signingKey(algorithm)
      let jwk = key.publicKey?.members ?? Self.secretMembers
      let token = try key.sign(Self.claims).reveal()
      return .object(["algorithm": .string(algorithm.name), "jwk": .object(jwk), "token": .string(token)])
    }
    let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/interop.py")
    let input = String(decoding: try JSONEncoder().encode(JSONValue.array(given)), as: UTF8.self)
    let result = try await ChildProcess.run(python, [script.path(percentEncoded: false)], input: input)
    try #require(result.status == 0, "\(result.error)")
    let told = try #require(JSONValue(json: Data(result.output.utf8))?.object)

    let names = algorithms.map(\.name)
    let expected = names.map { "\($0) joserfc" } + names.filter { $0 != "Ed25519" }.map { "\($0) jwcrypto" }
    #expect(Set(told["verified"]?.array?.compactMap(\.string) ?? []) == Set(expected))
    let signed = told["signed"]?.array ?? []
    #expect(signed.count == expected.count)
    for value in signed {
      let name = try #require(value["algorithm"]?.string)
      let algorithm = try #require(algorithms.first { $0.name == name })
      let key = try Self.verificationKey(algorithm, members: #require(value["jwk"]?.object))
      let verifier = TokenVerifier(
        algorithms: [algorithm], type: .jwtOrAbsent,
        rules: [.issuer("https://as.example"), .audience("https://api.example"), .unexpired()])
      let token = try verifier.verify(
        #require(value["token"]?.string), with: KeySet([key]), at: Date(timeIntervalSince1970: 1_800_000_000))
      #expect(try token.text("sub") == "ann", "\(name) of \(value["library"]?.string ?? "-")")
    }
  }

  private static let secretMembers: [String: JSONValue] = [
    "kty": "oct",
    "k": .string(
      Data(secret.reveal().utf8).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")),
  ]

  private static func signingKey(_ algorithm: SignatureAlgorithm) throws -> SigningKey {
    guard !secretAlgorithms.contains(algorithm) else {
      return try SigningKey(insecureSharedSecret: secret, algorithm: algorithm)
    }
    return try SigningKey.make(algorithm)
  }

  private static func verificationKey(
    _ algorithm: SignatureAlgorithm, members: [String: JSONValue]
  ) throws -> VerificationKey {
    guard !secretAlgorithms.contains(algorithm) else {
      return try VerificationKey(insecureSharedSecret: secret, algorithm: algorithm)
    }
    return try VerificationKey(PublicJWK(members: members))
  }
}
