package outbox.jdbc.internal.sql;

import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;

/** How large a connection pool is. Each pool says it by a getter of its own, and none is a dependency of ours. */
public final class PoolSize {

    /** HikariCP, Commons DBCP, c3p0, Tomcat. */
    private static final List<String> GETTERS =
            List.of("getMaximumPoolSize", "getMaxTotal", "getMaxPoolSize", "getMaxActive");

    private PoolSize() {}

    public static OptionalInt of(DataSource dataSource) {
        return GETTERS.stream()
                .mapToInt(getter -> call(dataSource, getter))
                .filter(size -> size > 0)
                .findFirst();
    }

    /** What the getter says, or 0 where there is none. */
    private static int call(DataSource dataSource, String getter) {
        try {
            return dataSource.getClass().getMethod(getter).invoke(dataSource) instanceof Integer size ? size : 0;
        } catch (ReflectiveOperationException | RuntimeException e) {
            return 0;
        }
    }
}
