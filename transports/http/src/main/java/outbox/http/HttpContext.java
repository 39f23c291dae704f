package outbox.http;

import java.net.InetAddress;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import outbox.spi.TimeSource;

/**
 * What a destination takes from outside, so that tests can bring their own.
 *
 * @param tls whom to trust; null: whom the JVM trusts
 */
record HttpContext(
        TimeSource time,
        AddressGuard.Resolver resolver,
        @Nullable SSLContext tls) {

    static HttpContext system() {
        return new HttpContext(TimeSource.SYSTEM, InetAddress::getAllByName, null);
    }
}
