#if canImport(SwiftUI)
  internal import Foundation
  internal import SwiftUI

  extension Color {
    /// The same colour.
    init(_ color: ThemeColor) {
      self.init(.sRGB, red: color.red, green: color.green, blue: color.blue, opacity: 1)
    }
  }

  extension View {
    /// Colours a screen. What the palette leaves out is the platform's.
    @MainActor
    func themed(_ palette: ExperienceTheme.Palette) -> some View {
      let ground = palette.ground.map { AnyShapeStyle(Color($0)) } ?? AnyShapeStyle(.background)
      return withoutOwnGround(palette.ground != nil)
        .foregroundColor(palette.text.map { Color($0) })
        .tint(palette.accent.map { Color($0) })
        .background(ground)
    }

    @MainActor
    private func withoutOwnGround(_ isHidden: Bool) -> some View {
      #if os(tvOS)
        return self
      #else
        return scrollContentBackground(isHidden ? .hidden : .automatic)
      #endif
    }
  }

  /// Draws the button of an action as a theme says.
  struct ActionButtonStyle: ButtonStyle {
    private let look: ExperienceTheme.ButtonLook
    private let accent: Color
    private let cornerRadius: Double

    init(_ style: Experience.Action.Style, theme: ExperienceTheme, isDark: Bool) {
      look = theme.button(style, isDark: isDark)
      accent = theme.palette(isDark: isDark).accent.map { Color($0) } ?? .accentColor
      cornerRadius = theme.cornerRadius
    }

    func makeBody(configuration: Configuration) -> some View {
      let shape = RoundedRectangle(cornerRadius: cornerRadius)
      return configuration.label
        .underline(look.isUnderlined)
        .frame(maxWidth: .infinity, minHeight: 44)
        .foregroundColor(look.isFilled ? look.ink.map { Color($0) } ?? .white : accent)
        .background(look.isFilled ? accent : .clear, in: shape)
        .overlay { if look.hasBorder { shape.stroke(accent) } }
        .opacity(configuration.isPressed ? 0.6 : 1)
    }
  }
#endif
