/**
 * The relays behind the server, one for each source. Takes plans; keeps trying until a source's database can be worked
 * on; follows changed routes, destinations and pauses while it runs. Knows nothing of files and of the web.
 */
@NullMarked
package catbox.server.engine;

import org.jspecify.annotations.NullMarked;
