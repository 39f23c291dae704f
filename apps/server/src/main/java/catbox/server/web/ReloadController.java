package catbox.server.web;

import catbox.server.access.Principal;
import catbox.server.config.ConfigFile;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import outbox.admin.Role;

/**
 * Reads the file again when asked from this machine, and neither by a page in somebody's browser nor through a proxy that
 * happens to run here. A proxy need not show itself: where the file says that there is one, nobody is taken to be here. Who
 * shows a token with the role admin may ask from anywhere.
 */
@RestController
final class ReloadController {

    /** Proxies send at least one of them. */
    private static final List<String> OF_PROXIES = List.of(
            "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", HttpHeaders.VIA);

    private final Reload reload;
    private final boolean behindProxy;

    /** What is said in JSON. */
    record Answer(boolean reloaded, List<String> complaints) {}

    ReloadController(Reload reload, ConfigFile file) {
        this.reload = reload;
        this.behindProxy = file.started().access().isBehindProxy();
    }

    @PostMapping("/reload")
    ResponseEntity<Answer> reload(HttpServletRequest request) throws UnknownHostException {
        if (!isFromHere(request) && Principal.current().rights().role() != Role.ADMIN) {
            return answer(
                    HttpStatus.FORBIDDEN,
                    List.of("a reload is for who shows a token with the role admin, or asks from this machine and"
                            + " through no proxy, where neither public-url nor trusted-proxies is set"));
        }
        Reload.Result result = reload.run();
        return answer(result.isDone() ? HttpStatus.OK : HttpStatus.UNPROCESSABLE_CONTENT, result.complaints());
    }

    private boolean isFromHere(HttpServletRequest request) throws UnknownHostException {
        return !behindProxy
                && InetAddress.getByName(request.getRemoteAddr()).isLoopbackAddress()
                && request.getHeader(HttpHeaders.ORIGIN) == null
                && OF_PROXIES.stream().allMatch(name -> request.getHeader(name) == null);
    }

    private static ResponseEntity<Answer> answer(HttpStatus status, List<String> complaints) {
        return ResponseEntity.status(status).body(new Answer(status == HttpStatus.OK, complaints));
    }
}
