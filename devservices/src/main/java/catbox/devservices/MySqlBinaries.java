package catbox.devservices;

import java.nio.file.Path;

/** MySQL's server, out of Debian's packages: unpacked beside the system with all they depend on, never installed. */
final class MySqlBinaries {

    /** No stable suite of Debian has MySQL, so the version moves; a folder once filled stays as it is. */
    private static final DebianPackages MYSQL = new DebianPackages("sid", "mysql-server-core");

    private MySqlBinaries() {}

    /** Whether MySQL can be had. That it cannot is nothing unexpected, hence a value. */
    sealed interface Provision {}

    record Ready(Path root) implements Provision {}

    record Unavailable(String reason) implements Provision {}

    /** Found out once for each JVM: without a network each further try would cost the same long wait. */
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
            return new Unavailable("MySQL cannot be had here: " + e.getMessage());
        }
    }
}
