package catbox.server.engine;

import outbox.SchemaException;

/** The library tells applications what to call; whoever runs the server has a setting for it. */
final class SchemaAdvice {

    private SchemaAdvice() {}

    /** Does the check, and adds to its complaint what to set. */
    static void with(Runnable check) {
        try {
            check.run();
        } catch (SchemaException e) {
            throw new SchemaException(
                    e.getMessage() + " With the setting schema: install the server does so at its start.");
        }
    }
}
