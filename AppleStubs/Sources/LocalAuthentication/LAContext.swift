/// LAContext.h
public final class LAContext {
  public init() {}
  public var localizedReason = ""
}
