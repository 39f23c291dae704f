package catbox.server.web;

import catbox.server.access.Principal;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
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
import outbox.spi.TimeSource;

/**
 * Bounds bodies before anything reads them: forms, the API and Spring Security alike. Where none is taken, or one is
 * announced that is too large for its sender, the request is refused before its body is read: Tomcat makes room for a
 * whole form at once, however little of it arrives. All bodies of unknown senders together have a room too. What is left of a body after the answer is read for a moment at most, so that a client
 * that is still sending gets the answer, and then the connection ends.
 */
final class BodyValve extends ValveBase {

    private static final Duration REST_MAX = Duration.ofSeconds(1);
    private static final long REST_BYTES_MAX = 4 << 20;

    /** The smallest room that Tomcat makes for a form. */
    private static final int BODY_BYTES_MIN = 8 << 10;

    private static final String NOT_TAKEN = "{\"type\":\"/problems/body-not-taken\",\"title\":\"Content Too Large\","
            + "\"status\":413,\"detail\":\"this address and method take no body\"}";
    private static final String BUSY = "{\"type\":\"/problems/busy\",\"title\":\"Service Unavailable\","
            + "\"status\":503,\"detail\":\"too many bodies are being sent\"}";

    private final TimeSource time;
    private final Semaphore room;

    /**
     * The only valve of a server.
     *
     * @param roomBytes of all bodies together whose senders are not known
     */
    BodyValve(TimeSource time, int roomBytes) {
        super(true);
        this.time = time;
        this.room = new Semaphore(roomBytes);
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
                refuse(response, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, NOT_TAKEN);
            }
        } finally {
            body.setInputBuffer(connection); // It is used again, for the next request.
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
        long announced = request.getCoyoteRequest().getContentLengthLong(); // Negative when it comes in chunks.
        boolean mayBeKnown = mayBeKnown(request);
        int bytesMax = mayBeKnown ? BoundedInput.KNOWN_BYTES_MAX : BoundedInput.ANONYMOUS_BYTES_MAX;
        if (announced > bytesMax) {
            refuse(response, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, tooLarge(bytesMax));
            return;
        }
        int needed = mayBeKnown ? 0 : announced < 0 ? bytesMax : Math.max((int) announced, BODY_BYTES_MIN);
        if (!room.tryAcquire(needed)) {
            refuse(response, HttpServletResponse.SC_SERVICE_UNAVAILABLE, BUSY);
            return;
        }
        try {
            getNext().invoke(request, response);
        } finally {
            room.release(needed);
        }
    }

    // A form is read before a token is checked, and other bodies after it. A session is known now.
    private static boolean mayBeKnown(Request request) {
        boolean form = String.valueOf(request.getContentType())
                .toLowerCase(Locale.ROOT)
                .contains("form");
        return (!form && request.getHeader("Authorization") != null) || Principal.isKnown(request.getSession(false));
    }

    private static String tooLarge(int bytesMax) {
        return "{\"type\":\"/problems/too-large\",\"title\":\"Content Too Large\",\"status\":413,"
                + "\"detail\":\"the body may have " + bytesMax + " bytes at most\"}";
    }

    private static void refuse(Response response, int status, String problem) throws IOException {
        response.setStatus(status);
        response.setContentType("application/problem+json");
        response.getOutputStream().write(problem.getBytes(StandardCharsets.UTF_8));
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
            // The client sends nothing more, and has had its answer.
        }
        if (!body.isFinished()) {
            body.action(ActionCode.DISABLE_SWALLOW_INPUT, null); // Ends the connection.
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
            // There is nothing to keep.
        }
    }
}
