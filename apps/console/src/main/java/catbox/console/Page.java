package catbox.console;

/** A controller of the console's pages. */
interface Page {}
