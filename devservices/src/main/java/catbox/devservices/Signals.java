package catbox.devservices;

/**
 * What ends a kind of server.
 *
 * @param stop asks it to end in its own orderly way
 * @param hardStop ends it at once, as a crash would
 */
record Signals(String stop, String hardStop) {}
