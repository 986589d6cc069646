#!/usr/bin/env bash
# Holds Packaging/ostiary.rules.yml to what Prometheus says of it: promtool takes the rules, and each alert fires and stays silent as
# Packaging/ostiary.rules.test.yml says, which has a case of both kinds for each. That the metrics in them exist is a test of the server's
# (AlertRuleTests). Takes a second; skipped where promtool (Debian's package prometheus) is not installed.
#
# SELF_TEST=1  shows that the cases notice an alert that never fires, and one that always does. Half a minute.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

rules=Packaging/ostiary.rules.yml
cases=Packaging/ostiary.rules.test.yml

if ! command -v promtool >/dev/null; then
  say "$rules: not looked at: promtool is not installed"
  exit 0
fi

status=0
# complain TITLE COMMAND…: runs a command that has to end well.
complain() {
  local title=$1 output
  shift
  output=$("$@" 2>&1) && return 0
  say "$title:"
  printf '%s\n' "$output" | sed 's/^/  /'
  status=1
}

complain "$rules: promtool check rules" promtool check rules "$rules"
complain "$cases: promtool test rules" promtool test rules "$cases"

alerts=$(sed -n 's/^ *- alert: *//p' "$rules")
[ -n "$alerts" ] || fail "$rules has no alert"
# The cases of each alert: how many expect it, and how many expect nothing.
counts=$(awk '/^ *alertname:/ { name = $2 } /^ *exp_alerts: *\[\]/ { silent[name]++ } /^ *exp_alerts: *$/ { fires[name]++ }
  END { for (name in silent) if (fires[name]) print name }' "$cases")
for alert in $alerts; do
  grep -qx "$alert" <<<"$counts" || {
    say "$cases: $alert needs a case in which it fires, and one in which it does not"
    status=1
  }
done

# with_expression ALERT EXPRESSION: the rules, with another expression for one alert.
with_expression() {
  awk -v alert="$1" -v expression="$2" '
    /^ *- alert:/ { isIt = $3 == alert }
    # A further line of an expression is indented by more than its name.
    match($0, /[^ ]/) && RSTART <= 9 { isSkipped = 0 }
    isIt && /^        expr:/ { print "        expr: " expression; isSkipped = 1; next }
    isIt && /^        for:/ { next }
    !isSkipped { print }' "$rules"
}

if [ -n "${SELF_TEST:-}" ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  cp "$cases" "$work/"
  for alert in $alerts; do
    for expression in 'vector(0) > 1' 'vector(1)'; do
      with_expression "$alert" "$expression" >"$work/ostiary.rules.yml"
      promtool check rules "$work/ostiary.rules.yml" >/dev/null || fail "the self-test made rules that are none"
      # All else is as before.
      [ "$(grep -c 'alert:' "$work/ostiary.rules.yml")" = "$(grep -c 'alert:' "$rules")" ] &&
        [ "$(grep -c 'expr: vector' "$work/ostiary.rules.yml")" = 1 ] &&
        [ "$(grep -c 'action:' "$work/ostiary.rules.yml")" = "$(grep -c 'action:' "$rules")" ] ||
        fail "the self-test made other rules of $alert's"
      if promtool test rules "$work/ostiary.rules.test.yml" >/dev/null 2>&1; then
        say "$cases: $alert may be '$expression'"
        status=1
      fi
    done
  done
fi

[ "$status" -eq 0 ] && say "$rules: $(wc -w <<<"$alerts" | tr -d ' ') alerts, each fires and stays silent as it should"
exit "$status"
