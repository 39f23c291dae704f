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

    static Assets ofClassPath() {
        CRC32 sum = new CRC32();
        for (String name : new String[] {"console.css", "console.js", "icons.svg", "favicon.svg"}) {
            try (InputStream content = Assets.class.getResourceAsStream("assets/" + name)) {
                sum.update(content == null ? new byte[0] : content.readAllBytes());
            } catch (IOException e) {
                throw new UncheckedIOException("the console's " + name + " cannot be read", e);
            }
        }
        return new Assets(Long.toHexString(sum.getValue()));
    }

    public String of(String name) {
        return "/assets/" + name + "?v=" + version;
    }
}
