/** How the server says over HTTP that something is not possible. Knows neither who asks nor what for. */
@NullMarked
package catbox.server.answer;

import org.jspecify.annotations.NullMarked;
