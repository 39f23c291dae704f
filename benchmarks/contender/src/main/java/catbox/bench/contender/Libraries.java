package catbox.bench.contender;

import java.nio.file.Path;

/** Which versions take part. */
public final class Libraries {

    private Libraries() {}

    /** The file name of the jar that a class comes from, which tells name and version. */
    public static String jarOf(Class<?> type) {
        String location =
                type.getProtectionDomain().getCodeSource().getLocation().getPath();
        return Path.of(location).getFileName().toString().replaceFirst("\\.jar$", "");
    }
}
