package catbox.devservices;

import java.nio.file.Path;

/** MySQL's server from Debian's packages, unpacked with everything that it depends on and never installed. */
final class MySqlBinaries {

    /** No stable suite of Debian has MySQL, so the version changes; an existing folder stays as it is. */
    private static final DebianPackages MYSQL = new DebianPackages("sid", "mysql-server-core");

    private MySqlBinaries() {}

    /** Whether MySQL is available. Its absence is expected, hence a value. */
    sealed interface Provision {}

    record Ready(Path root) implements Provision {}

    record Unavailable(String reason) implements Provision {}

    /** Evaluated once for each JVM: without a network each further attempt would wait just as long. */
    private static final class Once {
        static final Provision PROVISION = provide(Platform.current(), BinaryCache.standard());
    }

    static Provision provided() {
        return Once.PROVISION;
    }

    private static Provision provide(Platform platform, BinaryCache cache) {
        if (!platform.supported()) {
            return new Unavailable(platform.unsupportedReason());
        }
        try {
            return new Ready(cache.folder("mysql-debian-" + MYSQL.suite(), MYSQL::unpackInto));
        } catch (DevServerException e) {
            return new Unavailable("MySQL is not available here: " + e.getMessage());
        }
    }
}
