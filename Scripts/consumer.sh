# A small package that uses the SDK as an app with `traits: []` does. To be sourced after common.sh.
# shellcheck shell=bash

# Only the documentation needs its plugin; an app never sees it.
unset OSTIARY_DOCS

# TRAITS   what the package enables, as Swift strings: '"SQLite", "PostgreSQL"' (default: nothing)

# make_consumer NAME PRODUCT…: writes a package that imports these products, OstiaryCore among them, and prints its
# folder. What it builds lies beside it and is kept.
make_consumer() {
  local name=$1 folder product products='' imports=''
  shift
  folder=$(scratch_of sdk "$name")
  mkdir -p "$folder/package/Sources/consumer"
  # SwiftPM calls a local package by its folder's name, and a clone may be called otherwise.
  ln -sfn "$root" "$folder/ostiary"
  for product in "$@"; do
    products+="        .product(name: \"$product\", package: \"ostiary\"),"$'\n'
    imports+="import $product"$'\n'
  done
  cat >"$folder/package/Package.swift" <<MANIFEST
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "consumer",
  platforms: [.macOS(.v13)],
  dependencies: [.package(path: "$folder/ostiary", traits: [${TRAITS:-}])],
  targets: [
    .executableTarget(
      name: "consumer",
      dependencies: [
$products      ])
  ]
)
MANIFEST
  cat >"$folder/package/Sources/consumer/Consumer.swift" <<SOURCE
$imports
@main
struct Consumer {
  static func main() {
    print(TransportRequest.defaultTimeout, SessionManager.self)
  }
}
SOURCE
  printf '%s' "$folder"
}
