package catbox.devservices;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * RabbitMQ, Erlang and the libraries that it needs, from Debian's packages.
 *
 * @param root a folder with {@code erlang}, {@code rabbitmq} and {@code libraries}
 */
record RabbitMqBinaries(Path root) {

    private static final DebianPackages RABBITMQ = new DebianPackages("bookworm", "rabbitmq-server");

    /** The libraries that Erlang is linked with, except the C library, which has to fit the system's loader. */
    private static final List<String> LIBRARIES = List.of(
            "libcap",
            "libcrypto",
            "libgcc_s",
            "libgcrypt",
            "libgpg-error",
            "liblz4",
            "liblzma",
            "libssl",
            "libstdc++",
            "libsystemd",
            "libtinfo",
            "libz",
            "libzstd");

    /** Evaluated once for each JVM: without a network each further attempt would wait just as long. */
    private static final class Once {
        static final Provision<RabbitMqBinaries> PROVISION = Provision.of(
                "RabbitMQ",
                cache -> new RabbitMqBinaries(
                        cache.folder("rabbitmq-debian-" + RABBITMQ.suite(), RabbitMqBinaries::fetch)));
    }

    static Provision<RabbitMqBinaries> provided() {
        return Once.PROVISION;
    }

    /** Unpacks everything, and keeps the quarter of it that is needed. */
    private static void fetch(Path folder) throws IOException {
        Path everything = folder.resolve("everything");
        RABBITMQ.unpackInto(Files.createDirectory(everything));
        Files.move(everything.resolve("usr/lib/erlang"), folder.resolve("erlang"));
        try (DirectoryStream<Path> versions =
                Files.newDirectoryStream(everything.resolve("usr/lib/rabbitmq/lib"), "rabbitmq_server-*")) {
            Files.move(versions.iterator().next(), folder.resolve("rabbitmq"));
        }
        Path libraries = Files.createDirectory(folder.resolve("libraries"));
        for (String place : List.of("lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu")) {
            moveLibraries(everything.resolve(place), libraries);
        }
        FileTree.delete(everything);
    }

    private static void moveLibraries(Path from, Path to) throws IOException {
        if (!Files.isDirectory(from)) {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(from, "lib*.so.*")) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (LIBRARIES.contains(name.substring(0, name.indexOf(".so.")))) {
                    Files.move(file, to.resolve(name)); // Stays a link, because it names its neighbour.
                }
            }
        }
    }

    Path erlang() {
        return root.resolve("erlang");
    }

    Path home() {
        return root.resolve("rabbitmq");
    }

    Path libraries() {
        return root.resolve("libraries");
    }
}
