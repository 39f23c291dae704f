package catbox.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.zip.CRC32;

/**
 * A fingerprint of the static files, which is part of their addresses: browsers keep them until they change.
 *
 * @param version of all of them together
 */
public record Assets(String version) {

    /** The folder of htmx, in a jar of its own. */
    static final String HTMX = "/META-INF/resources/webjars/htmx.org/2.0.10/dist/";

    static Assets ofClassPath() {
        CRC32 sum = new CRC32();
        for (String name : new String[] {"console.css", "console.js", "icons.svg", "favicon.svg"}) {
            add("/catbox/console/assets/" + name, sum);
        }
        add(HTMX + "htmx.min.js", sum);
        return new Assets(Long.toHexString(sum.getValue()));
    }

    private static void add(String path, CRC32 sum) {
        try (InputStream content = Assets.class.getResourceAsStream(path)) {
            if (content == null) {
                throw new IllegalStateException("the console's " + path + " is not on the class path");
            }
            sum.update(content.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("the console's " + path + " cannot be read", e);
        }
    }

    public String of(String name) {
        return "/assets/" + name + "?v=" + version;
    }
}
