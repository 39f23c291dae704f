package catbox.server.web;

import catbox.server.access.Principal;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import org.springframework.http.HttpStatus;
import outbox.spi.TimeSource;

/**
 * Limits request bodies before anything reads them. A body that is not expected, or whose announced length is too large
 * for its sender, is refused before it is read, because Tomcat allocates memory for a whole form at once, however
 * little of it arrives. The bodies of all unauthenticated senders share a limit. After the answer, the rest of a body
 * is read for a moment, so that a client that is still sending gets the answer; then the connection is closed.
 */
final class BodyValve extends ValveBase {

    private static final Duration REST_MAX = Duration.ofSeconds(1);
    private static final long REST_BYTES_MAX = 4 << 20;

    /** The least that Tomcat allocates for a form. */
    private static final int BODY_BYTES_MIN = 8 << 10;

    private static final StaticAnswer NOT_TAKEN = StaticAnswer.problem(
            HttpStatus.CONTENT_TOO_LARGE, "body-not-taken", "this address and method take no body");
    private static final StaticAnswer BUSY = StaticAnswer.problem(
            HttpStatus.SERVICE_UNAVAILABLE, "busy", "too many bodies are being sent at the same time");

    private final TimeSource time;
    private final Semaphore anonymousBytes;

    /**
     * Makes the only valve of a server.
     *
     * @param anonymousBytesMax the limit for the bodies of all unauthenticated senders together
     */
    BodyValve(TimeSource time, int anonymousBytesMax) {
        super(true);
        this.time = time;
        this.anonymousBytes = new Semaphore(anonymousBytesMax);
    }

    @Override
    public void invoke(Request request, Response response) throws IOException, ServletException {
        if (!hasBody(request)) {
            getNext().invoke(request, response);
            return;
        }
        org.apache.coyote.Request body = request.getCoyoteRequest();
        InputBuffer connection = body.getInputBuffer();
        body.setInputBuffer(new BoundedInput(connection, time));
        try {
            if (takesBody(request)) {
                admit(request, response);
            } else {
                refuse(response, NOT_TAKEN);
            }
        } finally {
            body.setInputBuffer(connection); // Tomcat uses this object again, for the next request.
        }
        if (!request.isAsync() && !body.isFinished()) {
            response.finishResponse();
            readRest(body);
        }
    }

    private static boolean hasBody(Request request) {
        return request.getCoyoteRequest().getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    private static boolean takesBody(Request request) {
        String path = request.getRequestURI();
        return request.getMethod().equals("POST") && !path.equals("/reload") && !path.startsWith("/actuator");
    }

    private void admit(Request request, Response response) throws IOException, ServletException {
        long announced = request.getCoyoteRequest().getContentLengthLong(); // Negative for a chunked body.
        boolean mayBeKnown = mayBeKnown(request);
        int bytesMax = mayBeKnown ? BoundedInput.KNOWN_BYTES_MAX : BoundedInput.ANONYMOUS_BYTES_MAX;
        if (announced > bytesMax) {
            String detail = "the body may have at most " + bytesMax + " bytes";
            refuse(response, StaticAnswer.problem(HttpStatus.CONTENT_TOO_LARGE, "too-large", detail));
            return;
        }
        int needed = mayBeKnown ? 0 : announced < 0 ? bytesMax : Math.max((int) announced, BODY_BYTES_MIN);
        if (!anonymousBytes.tryAcquire(needed)) {
            refuse(response, BUSY);
            return;
        }
        try {
            getNext().invoke(request, response);
        } finally {
            anonymousBytes.release(needed);
        }
    }

    // Forms are read before a token is checked, and other bodies after it. A session is already authenticated.
    private static boolean mayBeKnown(Request request) {
        boolean form = String.valueOf(request.getContentType())
                .toLowerCase(Locale.ROOT)
                .contains("form");
        return (!form && request.getHeader("Authorization") != null) || Principal.isKnown(request.getSession(false));
    }

    private static void refuse(Response response, StaticAnswer answer) throws IOException {
        response.setStatus(answer.status());
        response.setContentType(answer.contentType());
        response.getOutputStream().write(answer.body().getBytes(StandardCharsets.UTF_8));
    }

    private void readRest(org.apache.coyote.Request body) {
        long from = time.nanoTime();
        Discarding discarding = new Discarding();
        try {
            long read = 0;
            int more = 0;
            while (more >= 0 && read < REST_BYTES_MAX && time.nanoTime() - from < REST_MAX.toNanos()) {
                more = body.doRead(discarding);
                read += more;
            }
        } catch (IOException gone) {
            // The client sends nothing more; it already has the answer.
        }
        if (!body.isFinished()) {
            body.action(ActionCode.DISABLE_SWALLOW_INPUT, null); // Closes the connection.
        }
    }

    private static final class Discarding implements ApplicationBufferHandler {

        private ByteBuffer last = ApplicationBufferHandler.EMPTY_BUFFER;

        @Override
        public void setByteBuffer(ByteBuffer buffer) {
            last = buffer;
        }

        @Override
        public ByteBuffer getByteBuffer() {
            return last;
        }

        @Override
        public void expand(int size) {
            // Nothing is kept.
        }
    }
}
