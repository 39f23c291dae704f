/**
 * The operations of operators, in one registry. Takes the ports of a store and, where there is one, a running relay; gives
 * views for people and programs. Promises that reading is bounded and every change is audited. Knows nothing of HTTP,
 * consoles or command lines, which are built on it.
 */
@NullMarked
package outbox.admin;

import org.jspecify.annotations.NullMarked;
