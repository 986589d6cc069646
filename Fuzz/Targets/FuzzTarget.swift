/// One parser, as a function of bytes that must neither trap nor take long for any of them.
///
/// `make fuzz` lets libFuzzer look for bytes that break it; `Fuzz/Corpus/NAME` keeps those it started from and those it
/// found, and the tests run them all.
package struct FuzzTarget: Sendable {
  /// The name of its folder in the corpus.
  package let name: String
  /// Throws ``PropertyBroken`` when the parser does, but answers what it must not.
  package let run: @Sendable ([UInt8]) async throws -> Void

  /// All of them.
  package static let all: [FuzzTarget] = [
    .setCookie, .storedJar, .page, .challenge, .headerScheme, .encodings, .json, .location, .storedSession,
    .sessionFile,
    .sealedRecord, .keyFile, .imported, .pegaAnswer, .newzuluAnswer, .newzuluUpload, .newzuluConfiguration,
    .form, .gatewayAnswer, .salesforceAnswer, .salesforceName, .oauthAnswer, .oauthCallback,
    .serverMetadata, .resourceMetadata, .registrationAnswer, .traceFile, .issuerStatement,
    .dialectDocument, .dialectTemplate, .dialectPointer, .dialectAnswer, .dialectCurl, .dialectHAR,
    .callbackHead, .signedToken, .keySet, .possessionProof, .experience, .pattern,
  ]
}

/// Something that has to hold for all input does not.
package struct PropertyBroken: Error {
  package let property: String

  init(_ property: String) { self.property = property }
}

/// Throws if `condition` is false.
func require(_ condition: Bool, _ property: String) throws {
  guard condition else { throw PropertyBroken(property) }
}
