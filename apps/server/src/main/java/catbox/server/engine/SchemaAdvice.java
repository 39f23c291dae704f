package catbox.server.engine;

import outbox.SchemaException;

/** Adds the server's setting to errors of the schema, in which the library names a method for applications. */
final class SchemaAdvice {

    private SchemaAdvice() {}

    /** Runs the check, and adds the setting to its error. */
    static void with(Runnable check) {
        try {
            check.run();
        } catch (SchemaException e) {
            throw new SchemaException(
                    e.getMessage() + " With the setting schema: install the server does so at its start.");
        }
    }
}
