package catbox.devservices;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Starts Keycloak servers, each with one realm from a file and everything in memory. The system property {@code
 * catbox.devservices.keycloak} has to name Keycloak's archive.
 */
public final class KeycloakServer {

    private static final Signals SIGNALS = new Signals("TERM", "KILL");

    private KeycloakServer() {}

    /**
     * Starts a separate server; the caller closes it. The very first start takes an additional minute.
     *
     * @param realmFile whose name is the realm's and {@code -realm.json}
     * @throws DevServerException if there is no archive, or the server does not start
     */
    public static OpenIdServer start(Path realmFile) {
        Platform.current().requireSupported();
        Path binaries = KeycloakBinaries.unpacked(BinaryCache.standard());
        String realm = String.valueOf(realmFile.getFileName()).replace("-realm.json", "");
        return ChildServer.launch("keycloak", SIGNALS, folder -> {
            Path home = home(binaries, folder, realmFile);
            int port = FreePort.find();
            List<String> command = KeycloakBinaries.program(home);
            command.addAll(List.of(
                    "start",
                    "--optimized",
                    "--import-realm",
                    "--cache=local",
                    "--http-enabled=true",
                    "--http-host=127.0.0.1",
                    "--http-port=" + port,
                    "--http-management-port=" + FreePort.find(),
                    "--hostname-strict=false",
                    "--log-level=warn"));
            String page = "/realms/" + realm + "/.well-known/openid-configuration";
            Blueprint blueprint = new Blueprint("Keycloak", port, new Probe(port, new HttpGreeting(page)), command);
            return new ChildKeycloak(blueprint, folder, realm);
        });
    }

    /** Creates a home with separate data and everything else shared. */
    private static Path home(Path binaries, ServerFolder folder, Path realmFile) {
        Path home = folder.root();
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(binaries)) {
            for (Path part : parts) {
                Path link = home.resolve(String.valueOf(part.getFileName()));
                if (!Files.exists(link)) {
                    Files.createSymbolicLink(link, part);
                }
            }
            Path imports = Files.createDirectory(folder.data().resolve("import"));
            Files.copy(realmFile, imports.resolve(String.valueOf(realmFile.getFileName())));
            return home;
        } catch (IOException e) {
            throw new DevServerException("Cannot make a home for Keycloak in " + home, e);
        }
    }
}
