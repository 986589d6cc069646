public import Foundation
internal import Logging
internal import Ostiary
internal import OstiaryPega
internal import PMAuthentication

/// Takes the events of an app's life that its delegate hands on.
///
/// Ostiary needs none of them but the first, in which the settings of the Info.plist are read, so that a mistake there is in the log
/// before the first call. The others are here so that an app's delegate need not change.
@preconcurrency @MainActor
open class PMApplicationDelegate: NSObject {
  /// Makes one.
  public nonisolated override init() { super.init() }

  /// The app is about to have been launched.
  /// - Returns: `true`.
  open func application(
    _ application: AnyObject, willFinishLaunchingWithOptions launchOptions: [AnyHashable: Any]? = nil
  ) -> Bool {
    if case .failure(let error) = PMPegaConfiguration.current {
      PMLog.logger.error("\(error.message) \(error.advice)")
    }
    return true
  }

  /// The app has been launched.
  /// - Returns: `true`.
  open func application(
    _ application: AnyObject, didFinishLaunchingWithOptions launchOptions: [AnyHashable: Any]? = nil
  ) -> Bool { true }

  /// The app is about to become inactive.
  open func applicationWillResignActive(_ application: AnyObject) {}
  /// The app is in the background.
  open func applicationDidEnterBackground(_ application: AnyObject) {}
  /// The app is about to come to the foreground.
  open func applicationWillEnterForeground(_ application: AnyObject) {}
  /// The app is active.
  open func applicationDidBecomeActive(_ application: AnyObject) {}
  /// The app is about to end.
  open func applicationWillTerminate(_ application: AnyObject) {}
}
