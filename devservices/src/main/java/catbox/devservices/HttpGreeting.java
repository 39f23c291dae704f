package catbox.devservices;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Requests a page, and the server is ready when it returns one. */
record HttpGreeting(String path) implements Probe.Greeting {

    private static final int STATUS_LINE_BYTES = "HTTP/1.1 200".length();

    @Override
    public boolean welcomes(DataInputStream in, DataOutputStream out) throws IOException {
        String request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
        out.write(request.getBytes(StandardCharsets.US_ASCII));
        out.flush();
        byte[] statusLine = in.readNBytes(STATUS_LINE_BYTES);
        return new String(statusLine, StandardCharsets.US_ASCII).endsWith(" 200");
    }
}
