package catbox.devservices;

import java.nio.file.Path;

/** MySQL's server from Debian's packages, unpacked with everything that it depends on and never installed. */
final class MySqlBinaries {

    /** No stable suite of Debian has MySQL, so the version changes; an existing folder stays as it is. */
    private static final DebianPackages MYSQL = new DebianPackages("sid", "mysql-server-core");

    private MySqlBinaries() {}

    /** Evaluated once for each JVM: without a network each further attempt would wait just as long. */
    private static final class Once {
        static final Provision<Path> PROVISION =
                Provision.of("MySQL", cache -> cache.folder("mysql-debian-" + MYSQL.suite(), MYSQL::unpackInto));
    }

    static Provision<Path> provided() {
        return Once.PROVISION;
    }
}
