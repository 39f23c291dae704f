/**
 * Authentication and authorization. Takes users, tokens and an OpenID provider from the server's file; gives a {@link
 * catbox.server.access.Principal} for every request that is let in. Promises that no anonymous request is, and that one
 * method, {@link catbox.server.access.Rights#may}, decides about every operation. Changes nothing in any source.
 */
@NullMarked
package catbox.server.access;

import org.jspecify.annotations.NullMarked;
