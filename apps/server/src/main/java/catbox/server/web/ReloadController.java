package catbox.server.web;

import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Reads the file again when asked from this machine, and not by a page in somebody's browser. */
@RestController
final class ReloadController {

    private final Reload reload;

    /** What is said in JSON. */
    record Answer(boolean reloaded, List<String> complaints) {}

    ReloadController(Reload reload) {
        this.reload = reload;
    }

    @PostMapping("/reload")
    ResponseEntity<Answer> reload(HttpServletRequest request) throws UnknownHostException {
        if (!InetAddress.getByName(request.getRemoteAddr()).isLoopbackAddress()
                || request.getHeader(HttpHeaders.ORIGIN) != null) {
            return answer(HttpStatus.FORBIDDEN, List.of("a reload can only be asked for from this machine"));
        }
        Reload.Result result = reload.run();
        return answer(result.isDone() ? HttpStatus.OK : HttpStatus.UNPROCESSABLE_CONTENT, result.complaints());
    }

    private static ResponseEntity<Answer> answer(HttpStatus status, List<String> complaints) {
        return ResponseEntity.status(status).body(new Answer(status == HttpStatus.OK, complaints));
    }
}
