package catbox.server.web;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import outbox.spi.TimeSource;

/** The valve in a real Tomcat, with a limit of 100 KiB. */
class BodyValveTest {

    @TempDir
    static Path folder;

    private final Tomcat tomcat = new Tomcat();

    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** Makes the first request wait. */
    private final class Form extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            boolean first = entered.getCount() > 0;
            entered.countDown();
            try {
                if (first && !released.await(1, TimeUnit.MINUTES)) {
                    throw new IOException("never released");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
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
    void refusesBodiesOfUnknownSendersAboveTheirCommonLimit() throws Exception {
        String large = "a=" + "1".repeat(59_998);
        try (Socket first = send(60_000, large)) {
            assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
            assertThat(status(60_000, "a=")).as("above the limit").contains(" 503");
            assertThat(status(10, "a=12345678")).as("a small one").contains(" 200");
            released.countDown();
            assertThat(statusOf(first)).contains(" 200");
        }

        assertThat(status(60_000, large)).as("below the limit again").contains(" 200");
    }

    private String status(int bytes, String begin) throws IOException {
        try (Socket socket = send(bytes, begin)) {
            return statusOf(socket);
        }
    }

    private Socket send(int bytes, String begin) throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), tomcat.getConnector().getLocalPort());
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
