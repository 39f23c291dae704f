package catbox.server.api;

import catbox.server.access.Principal;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.NoSuchElementException;
import org.springframework.http.HttpMethod;
import org.springframework.util.MultiValueMap;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import outbox.admin.Operation;
import tools.jackson.databind.json.JsonMapper;

/** Every operation, by its word. Who may not do it is refused before his request is read. */
@RestController
final class OperationController {

    /** Of the largest payload there may be, in quotes, each character of it escaped, and more than its rest needs. */
    private static final int BODY_BYTES_MAX = 4 << 20;

    private final SourceAdmins sources;
    private final JsonMapper mapper;

    OperationController(SourceAdmins sources, JsonMapper mapper) {
        this.sources = sources;
        this.mapper = mapper;
    }

    @GetMapping("/api/sources")
    List<SourceAdmins.SourceView> sources() {
        return sources.all();
    }

    @GetMapping("/api/sources/{source}/{word}")
    Object see(
            @PathVariable String source,
            @PathVariable String word,
            @RequestParam MultiValueMap<String, String> parameters)
            throws HttpRequestMethodNotSupportedException {
        Operation operation = operation(word, HttpMethod.GET);
        Principal person = Principal.current();
        person.require(operation);
        Query query = new Query(operation, parameters);
        return Call.see(operation, sources.of(source, person), query);
    }

    @PostMapping("/api/sources/{source}/{word}")
    Object act(@PathVariable String source, @PathVariable String word, HttpServletRequest request)
            throws HttpRequestMethodNotSupportedException {
        Operation operation = operation(word, HttpMethod.POST);
        Principal person = Principal.current();
        person.require(operation);
        Body body = new Body(mapper, read(request));
        return Call.act(operation, sources.of(source, person), body);
    }

    private static byte[] read(HttpServletRequest request) {
        byte[] body;
        try {
            body = request.getInputStream().readNBytes(BODY_BYTES_MAX + 1);
        } catch (IOException e) {
            throw new BadRequestException("the body cannot be read: " + e.getMessage());
        }
        if (body.length > BODY_BYTES_MAX) {
            throw new TooLargeException(BODY_BYTES_MAX);
        }
        return body;
    }

    private static Operation operation(String word, HttpMethod method) throws HttpRequestMethodNotSupportedException {
        Operation operation = Operation.of(word)
                .orElseThrow(() -> new NoSuchElementException("there is no operation \"" + word + "\""));
        HttpMethod needed = operation.kind() == Operation.Kind.SEE ? HttpMethod.GET : HttpMethod.POST;
        if (!needed.equals(method)) {
            throw new HttpRequestMethodNotSupportedException(method.name(), List.of(needed.name()));
        }
        return operation;
    }
}
