/**
 * Reads the server's file. Takes YAML and the environment, and gives plans, or all errors at once with their lines.
 * Connects to nothing, except for {@code --check}, and has no defaults of the engine.
 */
@NullMarked
package catbox.server.config;

import org.jspecify.annotations.NullMarked;
