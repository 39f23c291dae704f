package outbox.http;

import java.net.InetAddress;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import outbox.spi.TimeSource;

/**
 * The environment of a destination, which tests replace.
 *
 * @param tls trusted certificates; null: the JVM's default
 */
record HttpContext(
        TimeSource time,
        AddressGuard.Resolver resolver,
        @Nullable SSLContext tls) {

    static HttpContext system() {
        return new HttpContext(TimeSource.SYSTEM, InetAddress::getAllByName, null);
    }
}
