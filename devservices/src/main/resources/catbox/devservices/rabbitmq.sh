# Runs a RabbitMQ node and the name service that it needs, and ends both together.
# $1 is the folder with the unpacked Erlang. TERM is the orderly end, QUIT the hard one.

trap 'kill -s TERM "$server"' TERM
trap 'kill -s KILL "$server" "$names"' QUIT

ROOTDIR=$1
BINDIR=$(echo "$ROOTDIR"/erts-*/bin)
EMU=beam
PROGNAME=erl
export ROOTDIR BINDIR EMU PROGNAME

# Not as a daemon, which Erlang would start without a parent and leave running. Only this node uses it.
"$BINDIR/epmd" -relaxed_command_check &
names=$!

"$BINDIR/erlexec" -noinput -boot "$ROOTDIR/bin/start_sasl" -s rabbit boot \
    +W w +sbwt none +sbwtdcpu none +sbwtdio none -start_epmd false \
    -setcookie "catbox-$$" -kernel inet_dist_use_interface '{127,0,0,1}' -kernel prevent_overlapping_partitions false \
    -syslog logger '[]' -syslog syslog_error_logger false &
server=$!

# A signal ends a wait early; the second wait then returns at the end of the server.
wait "$server"
wait "$server"
kill -s KILL "$names"
