public import OstiaryCore

extension SalesforceConnection {
  /// The way for requests with whole addresses: the session's proof is added, renewed and sent again with as for
  /// ``send(_:)``, and answers may be streamed. A request to a server that doesn't take the session is refused.
  public var transport: any Transport {
    AuthenticatedTransport(manager, over: InstanceTransport(manager.transport))
  }
}
