// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

internal import Foundation
package import Ostiary

/// Why a request or a login form failed, with what the server answered, if it did.
///
/// A drop-in for the class of this name in IBM's MobileFirst SDK 8.0.
open class WLFailResponse: WLResponse {
  /// Which failure it is: one of ``WLErrorCode``, or the code that the server's JSON names.
  public var errorCode: String!
  /// What happened, for the developer.
  public var errorMsg: String!
  /// Which failure it is, in the fewer words of the vendor's enumeration. (The vendor's header declares a pointer.)
  public var clientErrorCode: WLClientErrorCode = WLErrorCodeUnexpectedError

  /// Makes a response without content: for tests of handlers.
  public override init() { super.init() }

  override init(copying other: WLResponse?) { super.init(copying: other) }

  package override init(_ response: TransportResponse?, identity: ResponseIdentity? = nil) {
    super.init(response, identity: identity)
  }

  /// What a code means, for the developer.
  open class func getErrorMessage(from code: WLClientErrorCode) -> String! {
    switch code {
    case WLErrorCodeProcedureError: "The procedure failed at the server."
    case WLErrorCodeSubmitFailure: "The answer to the challenge could not be sent."
    default: "Something unexpected happened."
    }
  }

  /// What the server's JSON says about the failure: its `errorMsg`; `nil` when it says nothing.
  open class func getErrorMessage(fromJSON json: [AnyHashable: Any]!) -> String! {
    json?["errorMsg"] as? String
  }

  /// Which failure the server's JSON names.
  open class func getWLErrorCode(fromJSON json: [AnyHashable: Any]!) -> WLClientErrorCode {
    switch json?["errorCode"] as? String {
    case "PROCEDURE_ERROR": WLErrorCodeProcedureError
    case "SUBMIT_FAILURE": WLErrorCodeSubmitFailure
    default: WLErrorCodeUnexpectedError
    }
  }

  /// A failure with the content of a response.
  open class func createFailResponse(from response: WLResponse!, error: (any Error)!) -> WLFailResponse! {
    WLFailResponse(copying: response).filled(error, else: WLErrorCode.unexpectedError)
  }

  /// Takes over an error, and what the server's JSON says about the failure; without its code, another.
  func filled(_ error: (any Error)?, else code: String) -> Self {
    let json = responseJSON
    self.error = error
    errorCode = json?["errorCode"] as? String ?? code
    errorMsg = Self.getErrorMessage(fromJSON: json) ?? (error as NSError?)?.localizedDescription
    clientErrorCode = Self.getWLErrorCode(fromJSON: json)
    return self
  }
}
