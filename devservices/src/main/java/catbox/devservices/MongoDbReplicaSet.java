package catbox.devservices;

import java.time.Duration;
import java.util.List;

/** A MongoDB replica set of several members, each of which can be killed, frozen and restarted. */
public final class MongoDbReplicaSet implements AutoCloseable {

    private static final Duration ELECTION_LIMIT = Duration.ofMinutes(1);

    private final List<MongoDb> members;

    MongoDbReplicaSet(List<? extends MongoDb> members) {
        this.members = List.copyOf(members);
    }

    /** Returns the connection string of the whole set, without a database. */
    public String uri() {
        return members.getFirst().uri();
    }

    public List<MongoDb> members() {
        return members;
    }

    /**
     * Returns the member that accepts writes; waits for an election if there is none.
     *
     * @throws DevServerException if no member is elected within a minute
     */
    public MongoDb primary() {
        Deadline deadline = Deadline.in(ELECTION_LIMIT);
        while (!deadline.passed()) {
            for (MongoDb member : members) {
                if (MongoDbGreeting.isPrimary(member.port())) {
                    return member;
                }
            }
            deadline.rest();
        }
        throw new DevServerException("No member of " + uri() + " became primary within " + ELECTION_LIMIT);
    }

    @Override
    public void close() {
        members.forEach(MongoDb::close);
    }
}
