package catbox.devservices;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;

/** A Java key store's contents as files that other servers read. */
record PemFiles(Path certificates, Path key) {

    private static final int LINE_CHARS = 64;

    /** Writes the chain and the key of an alias. */
    static PemFiles write(Path store, String password, String alias, ServerFolder folder) {
        try (InputStream in = Files.newInputStream(store)) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password.toCharArray());
            StringBuilder chain = new StringBuilder();
            for (Certificate certificate : keys.getCertificateChain(alias)) {
                chain.append(pem("CERTIFICATE", certificate.getEncoded()));
            }
            byte[] key = keys.getKey(alias, password.toCharArray()).getEncoded();
            return new PemFiles(
                    folder.write(alias + "-chain.pem", chain.toString()),
                    folder.write(alias + "-key.pem", pem("PRIVATE KEY", key)));
        } catch (IOException | GeneralSecurityException e) {
            throw new DevServerException("Cannot read " + store, e);
        }
    }

    private static String pem(String kind, byte[] bytes) {
        Base64.Encoder lines = Base64.getMimeEncoder(LINE_CHARS, "\n".getBytes(StandardCharsets.US_ASCII));
        return "-----BEGIN " + kind + "-----\n" + lines.encodeToString(bytes) + "\n-----END " + kind + "-----\n";
    }
}
