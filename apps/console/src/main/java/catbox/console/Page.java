package catbox.console;

/** A controller whose answers are pages of the console. */
interface Page {}
