# Unpacks packages of a Debian suite with their dependencies into a folder. Installs nothing, needs no root and does
# not change the system's own package lists.
# usage: debian-root.sh SUITE FOLDER PACKAGE...
set -euo pipefail
suite=$1 root=$2
shift 2

fail() {
    echo "$*" >&2
    exit 1
}

for tool in apt-config apt-get awk dpkg; do
    command -v "$tool" >/dev/null || fail "$tool is missing: this is no Debian"
done
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || fail "$keyring is missing: install debian-archive-keyring"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Lists the archives of this machine's apt configuration, in both formats that apt reads.
archives() {
    local list parts
    eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
    shopt -s nullglob
    for file in "$list" "$parts"*.list "$parts"*.sources; do
        [ -r "$file" ] || continue
        case "$file" in
            *.sources) deb822_uris "$file" ;;
            *) classic_uris "$file" ;;
        esac
    done
}

# "URIs: one two" in paragraphs of fields; a value may continue in indented lines, and a paragraph may be disabled.
deb822_uris() {
    sed '/^#/d' "$1" | awk -v RS= '
        tolower("\n" $0) ~ /\nenabled:[ \t]*(no|false|off|0)/ { next }
        {
            lines = split($0, line, "\n")
            field = ""
            for (i = 1; i <= lines; i++) {
                if (match(line[i], /^[A-Za-z-]+:/)) {
                    field = tolower(substr(line[i], 1, RLENGTH - 1))
                    line[i] = substr(line[i], RLENGTH + 1)
                }
                words = split(line[i], word, " ")
                for (j = 1; field == "uris" && j <= words; j++) print word[j]
            }
        }'
}

# "deb [options] URI suite component..."
classic_uris() {
    awk '$1 == "deb" { sub(/\[[^]]*\]/, ""); print $2 }' "$1"
}

fetch() {
    mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
    : >"$work/status"
    echo "deb [signed-by=$keyring] $1 $suite main" >"$work/sources.list"
    shift
    local options=(
        -qq
        -o "Dir::Etc::sourcelist=$work/sources.list"
        -o "Dir::Etc::sourceparts=/dev/null"
        -o "Dir::State::lists=$work/lists"
        -o "Dir::Cache=$work/cache"
        -o "Dir::State::status=$work/status"
        -o "APT::Install-Recommends=0"
        -o "APT::Sandbox::User=root"
        -o "Debug::NoLocking=1"
        -o "Acquire::Retries=2"
        -o "Acquire::http::Timeout=20"
        -o "Acquire::https::Timeout=20"
    )
    apt-get "${options[@]}" update && apt-get "${options[@]}" install --yes --download-only "$@" >/dev/null
}

# Tries the archives to find Debian's own: only that one has the suite, signed with its key.
fetched=
while read -r archive; do
    if fetch "$archive" "$@" </dev/null; then
        fetched=yes
        break
    fi
done < <(archives | awk '!seen[$0]++')
[ -n "$fetched" ] || fail "no archive of this machine's apt gives $* of Debian $suite"

for package in "$work"/cache/archives/*.deb; do
    dpkg -x "$package" "$root"
    basename "$package" >>"$root/packages.txt"
done
