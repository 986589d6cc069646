// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

internal import Foundation
package import Ostiary

/// Why a request or a login form failed, with what the server answered, if it did.
///
/// A drop-in for the class of this name in IBM's MobileFirst SDK 8.0.
#if canImport(ObjectiveC)
  @objc(WLFailResponse)
  @objcMembers
#endif
open class WLFailResponse: WLResponse {
  /// Which failure it is: one of ``WLErrorCode``, or the code that the server's JSON names.
  public var errorCode: String!
  /// What happened, for the developer.
  public var errorMsg: String!
  /// Which failure it is, in the fewer words of the vendor's enumeration. (The vendor's header declares a pointer.)
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
  public var clientErrorCode: WLClientErrorCode = WLErrorCodeUnexpectedError

  /// Makes a response without content: for tests of handlers.
  public override init() { super.init() }

  override init(copying other: WLResponse?) { super.init(copying: other) }

  package override init(_ response: TransportResponse?, identity: ResponseIdentity? = nil) {
    super.init(response, identity: identity)
  }

  /// What a code means, for the developer.
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
  open class func getErrorMessage(from code: WLClientErrorCode) -> String! {
    switch code {
    case WLErrorCodeProcedureError: "The procedure failed at the server."
    case WLErrorCodeSubmitFailure: "The answer to the challenge could not be sent."
    default: "Something unexpected happened."
    }
  }

  /// What the server's JSON says about the failure: its `errorMsg`; `nil` when it says nothing.
  #if canImport(ObjectiveC)
    @objc(getErrorMessageFromJSON:)
  #endif
  open class func getErrorMessage(fromJSON json: [AnyHashable: Any]!) -> String! {
    json?["errorMsg"] as? String
  }

  /// Which failure the server's JSON names.
  #if canImport(ObjectiveC)
    @nonobjc
  #endif
  open class func getWLErrorCode(fromJSON json: [AnyHashable: Any]!) -> WLClientErrorCode {
    switch json?["errorCode"] as? String {
    case "PROCEDURE_ERROR": WLErrorCodeProcedureError
    case "SUBMIT_FAILURE": WLErrorCodeSubmitFailure
    default: WLErrorCodeUnexpectedError
    }
  }

  /// A failure with the content of a response.
  #if canImport(ObjectiveC)
    @objc(createFailResponseFromResponse:error:)
  #endif
  open class func createFailResponse(from response: WLResponse!, error: (any Error)!) -> WLFailResponse! {
    let failure = WLFailResponse(copying: response)
    failure.error = error
    failure.errorCode = response?.responseJSON?["errorCode"] as? String ?? WLErrorCode.unexpectedError
    failure.errorMsg =
      getErrorMessage(fromJSON: response?.responseJSON) ?? (error as NSError?)?.localizedDescription
    failure.clientErrorCode = getWLErrorCode(fromJSON: response?.responseJSON)
    return failure
  }
}
