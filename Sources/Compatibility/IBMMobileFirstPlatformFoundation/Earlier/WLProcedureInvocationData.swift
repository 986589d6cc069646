// The vendor's headers say nothing about nil, and Swift has imported them so.
// swift-format-ignore-file: NeverUseImplicitlyUnwrappedOptionals

public import Foundation
internal import Ostiary

/// The name and the parameters of an adapter's procedure.
///
/// A drop-in for the class of this name in IBM's MobileFirst Platform Foundation 7.1 and before. Procedures are called over the
/// vendor's own session, which this module does not have: calls fail, and the error says what to use instead.
public final class WLProcedureInvocationData: NSObject {
  /// The parameters.
  public var parameters: [Any]!
  /// Whether the server may compress its answer.
  public var compressResponse: Bool
  private let procedure: String

  /// Describes a call.
  public convenience init!(adapterName: String!, procedureName: String!) {
    self.init(adapterName: adapterName, procedureName: procedureName, compressResponse: false)
  }

  /// Describes a call.
  public init!(adapterName: String!, procedureName: String!, compressResponse: Bool) {
    procedure = "\(adapterName ?? "")/\(procedureName ?? "")"
    self.compressResponse = compressResponse
    super.init()
  }

  /// Why a procedure can't be called.
  static func unavailable(_ data: WLProcedureInvocationData?) -> OstiaryError {
    OstiaryError(
      .noTokenService,
      "The procedure \(data?.procedure ?? "") was not called: version 7's procedures go over MobileFirst's own session, which this "
        + "module does not have.",
      advice: "Send a WLResourceRequest to \"/adapters/\(data?.procedure ?? "ADAPTER/PROCEDURE")\".",
      disposition: .misuse,
      requestMayHaveExecuted: false)
  }

  /// Which procedure it is; parameters may be secrets and are not shown.
  public override var description: String { "WLProcedureInvocationData(\(procedure))" }
  public override var debugDescription: String { description }
}
