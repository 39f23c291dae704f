package outbox.http;

import java.net.InetAddress;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import outbox.util.TimeSource;

/**
 * What a destination takes from outside, so that tests can bring their own.
 *
 * @param tls whom to trust; null: whom the JVM trusts
 */
record Surroundings(
        TimeSource time,
        AddressGuard.Resolver resolver,
        @Nullable SSLContext tls) {

    static Surroundings system() {
        return new Surroundings(TimeSource.SYSTEM, InetAddress::getAllByName, null);
    }
}
