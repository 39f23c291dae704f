/**
 * The one file that the server is configured by. Takes YAML and the environment, gives plans, or every complaint at once
 * with its line. Connects to nothing and owns no defaults of the engine.
 */
@NullMarked
package catbox.server.config;

import org.jspecify.annotations.NullMarked;
