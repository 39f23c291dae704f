package outbox.rabbitmq;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.SocketConfigurator;
import com.rabbitmq.client.SocketConfigurators;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import outbox.spi.Settings;

/** Creates connections, one at a time, and can cut the latest one. */
final class Connector {

    /** Limits how long closing a TLS connection waits for a thread that is blocked writing to it. */
    private static final int LINGER_SECONDS = 1;

    private final RabbitMqConfig config;
    private final ConnectionFactory factory = new ConnectionFactory();

    /** The latest connection's socket. Written by the publisher's thread, read by the thread that cuts it. */
    private volatile @Nullable Socket socket;

    /**
     * Opens no connection yet.
     *
     * @throws IllegalArgumentException when the trust store cannot be read
     */
    Connector(RabbitMqConfig config) {
        this.config = config;
        RabbitMqConfig.Access access = config.access();
        RabbitMqConfig.Limits limits = config.limits();
        int connectMillis =
                (int) Math.min(Integer.MAX_VALUE, limits.connectTimeout().toMillis());
        factory.setHost(access.host());
        factory.setPort(access.port());
        factory.setVirtualHost(access.virtualHost());
        factory.setUsername(access.login().user());
        factory.setPassword(access.login().password().reveal());
        factory.setAutomaticRecoveryEnabled(false);
        factory.setTopologyRecoveryEnabled(false);
        factory.setConnectionTimeout(connectMillis);
        factory.setHandshakeTimeout(connectMillis);
        factory.setChannelRpcTimeout(connectMillis);
        factory.setShutdownTimeout(connectMillis);
        factory.setRequestedHeartbeat((int) limits.heartbeat().toSeconds());
        factory.setThreadFactory(Thread.ofPlatform()
                .daemon()
                .name("outbox-rabbitmq-" + config.name() + "-connection-", 0)
                .factory());
        SocketConfigurator sockets = SocketConfigurators.defaultConfigurator().andThen(this::adopt);
        RabbitMqConfig.Tls tls = access.tls();
        if (tls != null) {
            secure(tls);
            sockets =
                    tls.verifyHostName() ? sockets.andThen(SocketConfigurators.enableHostnameVerification()) : sockets;
        }
        factory.setSocketConfigurator(sockets); // Set last, because TLS would add its own.
    }

    private void adopt(Socket opened) throws IOException {
        opened.setSoLinger(true, LINGER_SECONDS);
        socket = opened;
    }

    private void secure(RabbitMqConfig.Tls tls) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    null,
                    tls.trustStore() == null
                            ? null
                            : trust(tls, tls.trustStore()).getTrustManagers(),
                    null);
            factory.useSslProtocol(context);
        } catch (IOException | GeneralSecurityException e) {
            throw new Settings.WrongSettingException(
                    "trust-store",
                    "destination " + config.name() + ": setting trust-store cannot be used: " + e.getMessage(),
                    e);
        }
    }

    private static TrustManagerFactory trust(RabbitMqConfig.Tls tls, Path file)
            throws IOException, GeneralSecurityException {
        char[] password = tls.trustStorePassword() == null
                ? null
                : tls.trustStorePassword().reveal().toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(file)) {
            store.load(in, password);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        return trust;
    }

    Connection connect() throws IOException, TimeoutException {
        return factory.newConnection("outbox destination " + config.name());
    }

    /** Ends the connection from outside, also while it is being opened or its writer is blocked. */
    void cut() {
        Socket last = socket;
        if (last != null) {
            try {
                last.close();
            } catch (IOException alreadyGone) {
                // The socket is closed already.
            }
        }
    }

    @Override
    public String toString() {
        return config.access().host() + ":" + config.access().port();
    }
}
