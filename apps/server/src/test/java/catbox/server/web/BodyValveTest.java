package catbox.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import catbox.server.Eventually;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.util.TimeSource;

/** The valve in a real Tomcat, with room for one body of 100 KiB. */
class BodyValveTest {

    @TempDir
    static Path folder;

    private final Tomcat tomcat = new Tomcat();

    private static final class Form extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().print(String.valueOf(request.getParameter("a")).length());
        }
    }

    @BeforeEach
    void start() throws Exception {
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        tomcat.getConnector();
        tomcat.getEngine().getPipeline().addValve(new BodyValve(TimeSource.SYSTEM, 100 << 10));
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "form", new Form());
        context.addServletMappingDecoded("/", "form");
        tomcat.start();
    }

    @AfterEach
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }

    @Test
    void takesNoMoreBodiesOfUnknownSendersAtOnceThanThereIsRoomFor() throws Exception {
        try (Socket slow = send(60_000, "a=")) {
            Eventually.happens(
                    "there is no room beside a slow one",
                    () -> status(60_000, "a=").contains(" 503"));
            assertThat(status(10, "a=12345678")).as("a small one").contains(" 200");
            slow.getOutputStream().write("1".repeat(59_998).getBytes(StandardCharsets.US_ASCII));
            assertThat(statusOf(slow)).as("the slow one").contains(" 200");
        }

        assertThat(status(60_000, "a=" + "1".repeat(59_998)))
                .as("when it is done")
                .contains(" 200");
    }

    private String status(int bytes, String begin) throws IOException {
        try (Socket socket = send(bytes, begin)) {
            return statusOf(socket);
        }
    }

    private Socket send(int bytes, String begin) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
        socket.setSoTimeout(20_000);
        socket.getOutputStream()
                .write(("POST / HTTP/1.1\r\nHost: catbox\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                                + "Content-Length: " + bytes + "\r\n\r\n" + begin)
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    private static String statusOf(Socket socket) throws IOException {
        return String.valueOf(
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))
                        .readLine());
    }
}
