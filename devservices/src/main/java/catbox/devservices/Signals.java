package catbox.devservices;

/**
 * The signals that end a kind of server.
 *
 * @param stop asks it to end in its own orderly manner
 * @param hardStop ends it at once, as a crash would
 */
record Signals(String stop, String hardStop) {}
