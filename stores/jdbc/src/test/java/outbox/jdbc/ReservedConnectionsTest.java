package outbox.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReservedConnectionsTest {

    private final List<Connection> opened = new ArrayList<>();
    private final ReservedConnections reserved = new ReservedConnections(this::open, 1);

    private Connection open() throws SQLException {
        Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
        opened.add(connection);
        return connection;
    }

    @Test
    void keepsAConnectionForTheNextCaller() throws SQLException {
        reserved.getConnection().close();
        try (Connection again = reserved.getConnection()) {
            assertThat(again.isValid(1)).isTrue();
        }
        assertThat(opened).hasSize(1);
        assertThat(opened.get(0).isClosed()).isFalse();
    }

    @Test
    void opensAnotherForASecondCallerAndKeepsNoMoreThanItMay() throws SQLException {
        Connection one = reserved.getConnection();
        Connection other = reserved.getConnection();
        one.close();
        other.close();
        assertThat(opened).hasSize(2);
        assertThat(opened.get(0).isClosed()).isFalse();
        assertThat(opened.get(1).isClosed()).isTrue();
    }

    @Test
    void replacesABrokenConnection() throws SQLException {
        Connection lent = reserved.getConnection();
        opened.get(0).close();
        lent.close();
        try (Connection next = reserved.getConnection()) {
            assertThat(next.isClosed()).isFalse();
        }
        reserved.getConnection().close();
        opened.get(1).close(); // broken while nobody uses it
        try (Connection next = reserved.getConnection()) {
            assertThat(next.isClosed()).isFalse();
        }
        assertThat(opened).hasSize(3);
    }

    @Test
    void refusesAConnectionThatWasGivenBack() throws SQLException {
        Connection lent = reserved.getConnection();
        lent.close();
        lent.close();
        assertThat(lent.isClosed()).isTrue();
        assertThatThrownBy(lent::createStatement).isInstanceOf(SQLException.class);
        assertThat(reserved.getConnection().isClosed()).isFalse();
        assertThat(opened).hasSize(1);
    }

    @Test
    void passesOnWhatTheConnectionThrows() throws SQLException {
        try (Connection lent = reserved.getConnection()) {
            assertThatThrownBy(() -> lent.prepareStatement("nonsense")).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void closesWhatItKeeps() throws SQLException {
        reserved.getConnection().close();
        Connection lent = reserved.getConnection();
        Connection other = reserved.getConnection();
        other.close();
        reserved.close();
        lent.close();
        assertThat(opened)
                .allSatisfy(connection -> assertThat(connection.isClosed()).isTrue());
    }

    @Test
    void refusesToKeepNone() {
        assertThatThrownBy(() -> new ReservedConnections(this::open, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 1, was 0");
    }
}
