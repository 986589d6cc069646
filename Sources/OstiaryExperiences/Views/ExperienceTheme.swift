/// How the screens of an experience look in the platform's own controls. What is `nil` is the platform's.
///
/// ```swift
/// ExperienceView(runner, theme: ExperienceTheme(light: .init(accent: ThemeColor("#1d4f91"))))
/// ```
public struct ExperienceTheme: Sendable, Hashable {
  /// The colours where the system's appearance is light.
  public var light: Palette
  /// The colours where it is dark; `nil` for the same.
  public var dark: Palette?
  /// The radius of the corners of buttons, in points.
  public var cornerRadius: Double

  /// Makes a theme. Without colours it is the platform's.
  public init(light: Palette = Palette(), dark: Palette? = nil, cornerRadius: Double = 8) {
    self.light = light
    self.dark = dark
    self.cornerRadius = cornerRadius
  }

  /// The platform's own colours.
  public static let system = ExperienceTheme()

  /// The colours of ``ExperiencePage``, so that an app and its pages look alike.
  public static let page = ExperienceTheme(
    light: Palette(
      accent: ThemeColor("#1d4f91"), ground: ThemeColor("#f3f4f6"), text: ThemeColor("#16202c"),
      quietText: ThemeColor("#55606e"), problem: ThemeColor("#a3171d")),
    dark: Palette(
      accent: ThemeColor("#8db8f2"), ground: ThemeColor("#11161d"), text: ThemeColor("#e8edf3"),
      quietText: ThemeColor("#a7b1be"), problem: ThemeColor("#ffb4ae")))

  /// The colours of one appearance.
  public struct Palette: Sendable, Hashable {
    /// The colour of buttons and of what is chosen.
    public var accent: ThemeColor?
    /// What lies behind everything.
    public var ground: ThemeColor?
    /// Texts.
    public var text: ThemeColor?
    /// Explanations.
    public var quietText: ThemeColor?
    /// What is wrong.
    public var problem: ThemeColor?

    /// Makes a palette.
    public init(
      accent: ThemeColor? = nil, ground: ThemeColor? = nil, text: ThemeColor? = nil, quietText: ThemeColor? = nil,
      problem: ThemeColor? = nil
    ) {
      self.accent = accent
      self.ground = ground
      self.text = text
      self.quietText = quietText
      self.problem = problem
    }
  }

  /// The colours for an appearance.
  public func palette(isDark: Bool) -> Palette { isDark ? dark ?? light : light }

  /// How a button looks.
  public struct ButtonLook: Sendable, Hashable {
    /// Whether the accent fills it. Otherwise the accent is the colour of its text.
    public var isFilled: Bool
    /// Whether a line of the accent surrounds it.
    public var hasBorder: Bool
    /// Whether its text is underlined.
    public var isUnderlined: Bool
    /// The colour of its text on the accent; `nil` for the platform's.
    public var ink: ThemeColor?
  }

  /// How the button of an action looks: the styles of ``ExperiencePage``, with a text that can be read on the accent.
  public func button(_ style: Experience.Action.Style, isDark: Bool) -> ButtonLook {
    switch style {
    case .primary:
      ButtonLook(
        isFilled: true, hasBorder: false, isUnderlined: false, ink: palette(isDark: isDark).accent.map(\.ink))
    case .secondary: ButtonLook(isFilled: false, hasBorder: true, isUnderlined: false)
    case .link: ButtonLook(isFilled: false, hasBorder: false, isUnderlined: true)
    }
  }
}
