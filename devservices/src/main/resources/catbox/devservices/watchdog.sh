# Ends the processes in a folder and deletes the folder, as soon as the process that holds our standard input has ended.
# $1 is the folder (a real path, without links), $2 the first signal to try.

# A Ctrl-C in the terminal reaches the whole group; the watchdog has to outlive it.
trap '' HUP INT TERM

if read -r word && [ "$word" = stand-down ]; then
    exit 0
fi

# Lists the processes whose working directory is the folder or lies in it. A zombie has none, so it does not count.
inhabitants() {
    for link in /proc/[0-9]*/cwd; do
        case "$(readlink "$link" 2>/dev/null)" in
            "$1" | "$1"/* | "$1 (deleted)") pid=${link#/proc/} && echo "${pid%/cwd}" ;;
        esac
    done
}

# Sends a signal until no process is left, for about three seconds at most.
clear_with() {
    tries=30
    while [ "$tries" -gt 0 ]; do
        pids=$(inhabitants "$2")
        [ -n "$pids" ] || return 0
        # The first signal is sent once, as a repeated one may mean something else; KILL also to who comes late.
        if [ "$tries" -eq 30 ] || [ "$1" = KILL ]; then
            kill -s "$1" $pids
            # A frozen process takes no signal but KILL until it continues.
            kill -s CONT $pids
        fi
        tries=$((tries - 1))
        sleep 0.1
    done
}

clear_with "$2" "$1"
clear_with KILL "$1"
rm -rf "$1"
