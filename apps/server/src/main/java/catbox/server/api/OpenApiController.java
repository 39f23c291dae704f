package catbox.server.api;

import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Describes the API to programs. */
@RestController
final class OpenApiController {

    @GetMapping("/api/openapi.json")
    Map<String, Object> document() {
        return new OpenApi().document();
    }
}
