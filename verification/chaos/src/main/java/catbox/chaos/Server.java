package catbox.chaos;

import catbox.devservices.DatabaseServer;
import catbox.devservices.MongoDb;
import catbox.devservices.MongoDbReplicaSet;
import catbox.devservices.MongoDbServer;
import catbox.devservices.PostgresServer;
import org.jspecify.annotations.Nullable;

/** The database server of a run, which can be killed and started again. */
interface Server extends AutoCloseable {

    /** The kinds of server. */
    enum Kind {
        POSTGRES {
            @Override
            Server start() {
                return new Postgres(PostgresServer.start());
            }
        },
        /** A replica set of one member. */
        MONGODB {
            @Override
            Server start() {
                return new OneMember(MongoDbServer.start());
            }
        },
        /** A replica set of three members, of which the primary is killed. */
        MONGODB_THREE {
            @Override
            Server start() {
                return new ThreeMembers(MongoDbServer.startThree());
            }
        };

        abstract Server start();
    }

    /** Returns the address for {@link Database#open}. */
    String address();

    void kill();

    /** Restarts the killed server. */
    void restart();

    @Override
    void close();

    /** PostgreSQL. */
    record Postgres(DatabaseServer server) implements Server {

        @Override
        public String address() {
            return server.jdbcUrl() + (server.jdbcUrl().contains("?") ? "&" : "?") + "user=" + server.user();
        }

        @Override
        public void kill() {
            server.kill();
        }

        @Override
        public void restart() {
            server.start();
        }

        @Override
        public void close() {
            server.close();
        }
    }

    /** MongoDB, which is down while its only member is. */
    record OneMember(MongoDb member) implements Server {

        @Override
        public String address() {
            return member.uri();
        }

        @Override
        public void kill() {
            member.kill();
        }

        @Override
        public void restart() {
            member.start();
        }

        @Override
        public void close() {
            member.close();
        }
    }

    /** MongoDB, in which the other members elect a new primary. */
    final class ThreeMembers implements Server {

        private final MongoDbReplicaSet set;
        private @Nullable MongoDb killed;

        ThreeMembers(MongoDbReplicaSet set) {
            this.set = set;
        }

        @Override
        public String address() {
            return set.uri();
        }

        @Override
        public void kill() {
            MongoDb primary = set.primary();
            primary.kill();
            killed = primary;
        }

        @Override
        public void restart() {
            if (killed != null) {
                killed.start();
            }
        }

        @Override
        public void close() {
            set.close();
        }
    }
}
