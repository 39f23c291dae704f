package catbox.server.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import outbox.testkit.ManualTime;

class LoginThrottleTest {

    private final ManualTime time = new ManualTime();
    private final LoginThrottle throttle = new LoginThrottle(time);

    @Test
    void blocksAUserFromAnAddressAfterFiveFailuresForFifteenMinutes() {
        fail(5, "anna", "10.0.0.1");

        assertThat(throttle.admits("anna", "10.0.0.1")).isFalse();
        assertThat(throttle.admits("anna", "10.0.0.2")).isTrue();
        assertThat(throttle.admits("bert", "10.0.0.1")).isTrue();

        time.advance(Duration.ofMinutes(15));
        assertThat(throttle.admits("anna", "10.0.0.1")).isTrue();
    }

    @Test
    void concurrentAttemptsGetNoFurther() {
        long admitted = IntStream.range(0, 200)
                .filter(n -> throttle.admits("anna", "10.0.0.1")) // None of them has an answer yet.
                .count();

        assertThat(admitted).isEqualTo(5);
    }

    @Test
    void theRightPasswordIsNoFailureOfItsAddress() {
        for (int n = 0; n < 100; n++) {
            assertThat(throttle.admits("anna", "10.0.0.1")).isTrue();
            throttle.succeeded("anna", "10.0.0.1");
        }
        assertThat(throttle.size()).isZero();
    }

    @Test
    void startsAgainAfterTheRightPassword() {
        fail(4, "anna", "10.0.0.1");
        assertThat(throttle.admits("anna", "10.0.0.1")).isTrue();
        throttle.succeeded("anna", "10.0.0.1");
        fail(4, "anna", "10.0.0.1");

        assertThat(throttle.admits("anna", "10.0.0.1")).isTrue();
    }

    @Test
    void blocksAnAddressThatTriesManyUsers() {
        for (int n = 0; n < 20; n++) {
            fail(1, "user-" + n, "10.0.0.1");
        }

        assertThat(throttle.admits("another-user", "10.0.0.1")).isFalse();
        assertThat(throttle.admits("another-user", "10.0.0.2")).isTrue();
    }

    @Test
    void addressesOfOneNetworkOfIpv6AreOne() {
        for (int n = 0; n < 20; n++) {
            fail(1, "user-" + n, "2001:db8:1:2:0:0:0:" + Integer.toHexString(n));
        }

        assertThat(throttle.admits("another-user", "2001:db8:1:2:ffff:0:0:1")).isFalse();
        assertThat(throttle.admits("another-user", "2001:db8:1:3:0:0:0:1")).isTrue();
    }

    @Test
    void blocksManyAddressesThatTryOneUser() {
        for (int n = 0; n < 50; n++) {
            fail(1, "anna", "10.0.0." + n);
        }

        assertThat(throttle.admits("anna", "10.1.1.1")).isFalse();
    }

    @Test
    void isLoggedOnceInATimeWindow() {
        fail(4, "anna", "10.0.0.1");
        assertThat(throttle.shouldLog("anna", "10.0.0.1")).isFalse();
        fail(2, "anna", "10.0.0.1");
        assertThat(throttle.shouldLog("anna", "10.0.0.1")).isTrue();
        fail(100, "anna", "10.0.0.1");
        assertThat(throttle.shouldLog("anna", "10.0.0.1")).isFalse();

        time.advance(Duration.ofMinutes(15));
        fail(6, "anna", "10.0.0.1");
        assertThat(throttle.shouldLog("anna", "10.0.0.1")).isTrue();
    }

    @Test
    void limitsTheNumberOfItsEntries() {
        for (int n = 0; n < 20_000; n++) {
            fail(1, "user-" + n, "address-" + n);
        }

        assertThat(throttle.size()).isEqualTo(10_000);
    }

    private void fail(int times, String user, String address) {
        for (int n = 0; n < times; n++) {
            throttle.admits(user, address);
        }
    }
}
