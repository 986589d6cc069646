public import Foundation

extension View {
  /// https://developer.apple.com/documentation/swiftui/view
  public nonisolated func font(_ font: Font?) -> some View { Opaque() }
  public nonisolated func foregroundColor(_ color: Color?) -> some View { Opaque() }
  public nonisolated func tint(_ tint: Color?) -> some View { Opaque() }
  public nonisolated func underline(
    _ isActive: Bool = true, pattern: Text.LineStyle.Pattern = .solid, color: Color? = nil
  ) -> some View { Opaque() }
  public nonisolated func opacity(_ opacity: Double) -> some View { Opaque() }
  public nonisolated func frame(
    minWidth: CGFloat? = nil, idealWidth: CGFloat? = nil, maxWidth: CGFloat? = nil, minHeight: CGFloat? = nil,
    idealHeight: CGFloat? = nil, maxHeight: CGFloat? = nil, alignment: Alignment = .center
  ) -> some View { Opaque() }
  public nonisolated func background<S: ShapeStyle>(_ style: S, ignoresSafeAreaEdges edges: Edge.Set = .all)
    -> some View
  { Opaque() }
  public nonisolated func background<S: ShapeStyle, T: InsettableShape>(
    _ style: S, in shape: T, fillStyle: FillStyle = FillStyle()
  ) -> some View { Opaque() }
  public nonisolated func overlay<V: View>(alignment: Alignment = .center, @ViewBuilder content: () -> V) -> some View {
    Opaque()
  }
  public nonisolated func scrollContentBackground(_ visibility: Visibility) -> some View { Opaque() }
}

/// https://developer.apple.com/documentation/swiftui/visibility
public enum Visibility: Hashable, CaseIterable, Sendable {
  case automatic
  case visible
  case hidden
}
