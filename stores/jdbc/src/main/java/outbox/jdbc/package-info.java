/**
 * Store, claim and settle on PostgreSQL, MySQL, MariaDB and H2.
 *
 * <p>Takes connections from the application and gives them back as they were. One dialect class and one folder of
 * migrations know a database; everything else is the same for all. Promises that leases and due times follow the
 * database's clock, that a batch is one statement, and that every mark names its claim. Never commits a connection
 * that it was handed, and never changes the schema unless asked.
 */
@NullMarked
package outbox.jdbc;

import org.jspecify.annotations.NullMarked;
