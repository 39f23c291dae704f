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
 * Reloads the server's file for a token with the role admin, or for a local request that comes neither from a web page
 * nor through a local proxy. A proxy need not add a header, so if the file mentions one, no request counts as local.
 */
@RestController
final class ReloadController {

    /** Most proxies add at least one of these. */
    private static final List<String> PROXY_HEADERS = List.of(
            "Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", HttpHeaders.VIA);

    private final Reload reload;
    private final boolean behindProxy;

    /** The answer in JSON. */
    record Answer(boolean reloaded, List<String> complaints) {}

    ReloadController(Reload reload, ConfigFile file) {
        this.reload = reload;
        this.behindProxy = file.started().access().isBehindProxy();
    }

    @PostMapping("/reload")
    ResponseEntity<Answer> reload(HttpServletRequest request) throws UnknownHostException {
        if (!isLocal(request) && Principal.current().rights().role() != Role.ADMIN) {
            return answer(
                    HttpStatus.FORBIDDEN,
                    List.of("permission denied: a reload needs a token with the role admin, or a request from this"
                            + " machine through no proxy while neither public-url nor trusted-proxies is set"));
        }
        Reload.Result result = reload.run();
        return answer(result.isDone() ? HttpStatus.OK : HttpStatus.UNPROCESSABLE_CONTENT, result.complaints());
    }

    private boolean isLocal(HttpServletRequest request) throws UnknownHostException {
        return !behindProxy
                && InetAddress.getByName(request.getRemoteAddr()).isLoopbackAddress()
                && request.getHeader(HttpHeaders.ORIGIN) == null
                && PROXY_HEADERS.stream().allMatch(name -> request.getHeader(name) == null);
    }

    private static ResponseEntity<Answer> answer(HttpStatus status, List<String> complaints) {
        return ResponseEntity.status(status).body(new Answer(status == HttpStatus.OK, complaints));
    }
}
