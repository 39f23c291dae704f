/** The web application: health, metrics, reloads, and the limits of the HTTP port. Spring is configured here. */
@NullMarked
package catbox.server.web;

import org.jspecify.annotations.NullMarked;
