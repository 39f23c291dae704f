package catbox.devservices;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The server's TLS key, signed by a private authority, and the store with that authority's certificate for clients. */
record KafkaKeys(Path keyStore, Path trustStore) {

    static final String PASSWORD = "catbox-store";
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** Creates the stores with the keytool of the running JDK. */
    static KafkaKeys make(ServerFolder folder) {
        KafkaKeys keys = new KafkaKeys(
                folder.temporary().resolve("server.p12"), folder.temporary().resolve("trusted.p12"));
        Path certificate = folder.temporary().resolve("authority.pem");
        keytool(folder, keys.keyStore, "-genkeypair", "-alias", "authority", "-dname", "CN=catbox", "-ext", "bc:c");
        keytool(
                folder,
                keys.keyStore,
                "-genkeypair",
                "-alias",
                "server",
                "-dname",
                "CN=127.0.0.1",
                "-signer",
                "authority",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost");
        keytool(folder, keys.keyStore, "-exportcert", "-alias", "authority", "-rfc", "-file", certificate.toString());
        keytool(
                folder,
                keys.trustStore,
                "-importcert",
                "-alias",
                "authority",
                "-noprompt",
                "-file",
                certificate.toString());
        return keys;
    }

    private static void keytool(ServerFolder folder, Path store, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString()));
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12", "-storepass", PASSWORD));
        if (command.contains("-genkeypair")) {
            command.addAll(List.of("-keyalg", "EC", "-validity", "30"));
        }
        folder.run(command, LIMIT);
    }
}
