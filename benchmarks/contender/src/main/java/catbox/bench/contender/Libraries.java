package catbox.bench.contender;

import java.nio.file.Path;

/** Identifies the versions of the contenders' libraries. */
public final class Libraries {

    private Libraries() {}

    /** Returns the file name of a class's jar, which contains its name and version. */
    public static String jarOf(Class<?> type) {
        String location =
                type.getProtectionDomain().getCodeSource().getLocation().getPath();
        return Path.of(location).getFileName().toString().replaceFirst("\\.jar$", "");
    }
}
