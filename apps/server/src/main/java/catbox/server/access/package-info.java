/**
 * Who asks, and what he may do. Takes what the file says of people, programs and an OpenID provider; gives a
 * {@link catbox.server.access.Principal} for every request that gets in. Promises that nobody anonymous does, and that one
 * place, {@link catbox.server.access.Rights#may}, decides about every operation. Does nothing to any source.
 */
@NullMarked
package catbox.server.access;

import org.jspecify.annotations.NullMarked;
