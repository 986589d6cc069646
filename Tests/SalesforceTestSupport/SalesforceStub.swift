internal import OstiaryCore
