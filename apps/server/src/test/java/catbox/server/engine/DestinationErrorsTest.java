package catbox.server.engine;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import outbox.spi.operations.Finding;

/** Uses errors of the transports and their brokers, word for word. */
class DestinationErrorsTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "CREDENTIALS | Kafka c at h:1: the broker refuses the user or password: SaslAuthenticationException: no",
                "CREDENTIALS | Kafka c at h:1, topic t: this user may not write to the topic: no",
                "CREDENTIALS | exchange x: the broker refuses the user or the password",
                "CREDENTIALS | exchange x: ACCESS_REFUSED - write access to exchange 'x' in vhost '/' refused for user 'u'",
                "CREDENTIALS | queue q: InvalidClientTokenId (the credentials are refused)",
                "CREDENTIALS | queue q: KmsAccessDenied (not authorized)",
                "CREDENTIALS | http://h/p answered 401",
                "CREDENTIALS | http://h/p answered 403: not for you",
                "PLACE       | Kafka c at h:1, topic t: the topic does not exist; an operator can create it",
                "PLACE       | exchange x: NOT_FOUND - no exchange 'x' in vhost '/'",
                "PLACE       | exchange x: 312 NO_ROUTE",
                "PLACE       | queue q: NonExistentQueue (no such queue)",
                "PLACE       | queue q: QueueDoesNotExist",
                "PLACE       | http://h/p answered 404: nothing here",
                "OTHER       | http://h/p answered 503",
                "OTHER       | http://h/p answered 4040",
                "OTHER       | http://h/p answered 503: the service behind it answered 401",
                "OTHER       | http://h/p answered 500: ACCESS_REFUSED",
                "OTHER       | http://h/p answered retry for this event: the topic does not exist",
                "CREDENTIALS | http://h/p answered 401: the service behind it answered 404",
                "PLACE       | http://h/p answered 404 for this event: credentials are refused",
                "OTHER       | exchange x, key k: the broker took no responsibility for the message (basic.nack)",
                "OTHER       | Kafka c at h:1, topic t: NotEnoughReplicasException: fewer in-sync replicas than required",
                "OTHER       | Kafka c at h:1, topic t: LeaderNotAvailableException: there is no leader",
                "OTHER       | queue q: OverLimit (too many messages are in flight)",
                "OTHER       | http://h/p answered 301",
                "OTHER       | http://h/p answered 429 for this event",
                "OTHER       | http://h/p: the connection was refused",
                "OTHER       | Kafka c at h:1: no answer in time, the broker may be down or out of reach"
            })
    void classifiesErrorsByTheirText(DestinationErrors kind, String error) {
        assertThat(DestinationErrors.of(error)).isEqualTo(kind);
    }

    @Test
    void deadEventsAreNotDeliveredByTheRepairAlone() {
        Finding waiting = DestinationErrors.PLACE.finding("e");
        Finding dead = DestinationErrors.PLACE.findingForDeadEvents("e");

        assertThat(waiting.severity()).isEqualTo(Finding.Severity.ERROR);
        assertThat(waiting.advice()).contains("Waiting events are delivered");
        assertThat(dead.severity()).isEqualTo(Finding.Severity.WARNING);
        assertThat(dead.advice()).isEqualTo("Repair it, then replay the dead events.");
    }
}
