package catbox.server.web;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.apache.coyote.ActionCode;
import org.apache.coyote.InputBuffer;
import org.apache.tomcat.util.net.ApplicationBufferHandler;
import outbox.util.TimeSource;

/**
 * Bounds bodies before anything reads them: forms, the API and Spring Security alike. Where none is taken, the request is
 * refused before its body is read. What is left of a body after the answer is read for a moment at most, so that a client
 * that is still sending gets the answer, and then the connection ends.
 */
final class BodyValve extends ValveBase {

    private static final Duration REST_MAX = Duration.ofSeconds(1);
    private static final long REST_BYTES_MAX = 4 << 20;

    private static final String REFUSAL = "{\"type\":\"/problems/body-not-taken\",\"title\":\"Content Too Large\","
            + "\"status\":413,\"detail\":\"this address and method take no body\"}";

    private final TimeSource time;

    BodyValve(TimeSource time) {
        super(true);
        this.time = time;
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
                getNext().invoke(request, response);
            } else {
                refuse(response);
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

    private static void refuse(Response response) throws IOException {
        response.setStatus(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
        response.setContentType("application/problem+json");
        response.getOutputStream().write(REFUSAL.getBytes(StandardCharsets.UTF_8));
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
