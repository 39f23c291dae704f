/** What operators are shown: records that become JSON, tables and pages alike. */
@NullMarked
package outbox.admin.view;

import org.jspecify.annotations.NullMarked;
