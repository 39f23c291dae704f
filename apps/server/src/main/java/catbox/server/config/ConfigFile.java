package catbox.server.config;

import java.nio.file.Path;

/**
 * The file that the server was started with, which can be read again.
 *
 * @param started its content at the start
 */
public record ConfigFile(Path path, ServerConfigReader reader, ServerConfig started) {

    /**
     * Reads its present content.
     *
     * @throws WrongConfigException with everything that is wrong
     */
    public ServerConfig read() {
        return reader.read(path);
    }
}
