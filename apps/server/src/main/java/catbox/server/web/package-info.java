/** What can be asked over HTTP: health, metrics, and a reload. Everything of Spring is here. */
@NullMarked
package catbox.server.web;

import org.jspecify.annotations.NullMarked;
