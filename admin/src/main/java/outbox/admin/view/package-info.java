/** The results of operations: records that become JSON, tables and pages. */
@NullMarked
package outbox.admin.view;

import org.jspecify.annotations.NullMarked;
