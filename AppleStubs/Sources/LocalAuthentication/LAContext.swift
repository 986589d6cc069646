/// https://developer.apple.com/documentation/localauthentication/lacontext
public final class LAContext {
  public init() {}
  public var localizedReason = ""
}
