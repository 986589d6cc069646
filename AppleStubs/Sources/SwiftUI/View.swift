/// https://developer.apple.com/documentation/swiftui/view
@MainActor @preconcurrency
public protocol View {
  associatedtype Body: View
  @ViewBuilder @MainActor @preconcurrency var body: Body { get }
}

extension Never: View {
  public var body: Never { fatalError() }
}

extension Optional: View where Wrapped: View {
  public var body: Never { fatalError() }
}

/// What the system's own views and modifiers are made of here: their real types are Apple's own business.
public struct Opaque: View {
  nonisolated init() {}
  public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/viewbuilder
@resultBuilder
public struct ViewBuilder {
  public static func buildBlock() -> EmptyView { EmptyView() }
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    TupleView()
  }
  public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
  public static func buildEither<True: View, False: View>(first: True) -> ConditionalContent<True, False> { .init() }
  public static func buildEither<True: View, False: View>(second: False) -> ConditionalContent<True, False> { .init() }
}

/// https://developer.apple.com/documentation/swiftui/tupleview
public struct TupleView<T>: View {
  nonisolated init() {}
  public var body: Never { fatalError() }
}

/// `_ConditionalContent`, which https://developer.apple.com/documentation/swiftui/viewbuilder names.
public struct ConditionalContent<True: View, False: View>: View {
  nonisolated init() {}
  public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/emptyview
public struct EmptyView: View {
  public nonisolated init() {}
  public var body: Never { fatalError() }
}

/// https://developer.apple.com/documentation/swiftui/viewmodifier
@MainActor @preconcurrency
public protocol ViewModifier {
  associatedtype Body: View
  typealias Content = ModifiedView<Self>
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

/// `_ViewModifier_Content`, which https://developer.apple.com/documentation/swiftui/viewmodifier names.
public struct ModifiedView<Modifier: ViewModifier>: View {
  public var body: Never { fatalError() }
}
