package catbox.server.config;

import java.nio.file.Path;

/**
 * The file that the server was started with, to be read again.
 *
 * @param started what it said then
 */
public record ConfigFile(Path path, ServerConfigReader reader, ServerConfig started) {

    /**
     * What it says now.
     *
     * @throws WrongConfigException with everything that is wrong
     */
    public ServerConfig read() {
        return reader.read(path);
    }
}
