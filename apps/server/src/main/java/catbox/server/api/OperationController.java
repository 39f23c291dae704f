package catbox.server.api;

import catbox.server.access.Principal;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.List;
import java.util.NoSuchElementException;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.util.MultiValueMap;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import outbox.admin.Operation;
import outbox.admin.Operation.Request;
import outbox.admin.OutboxAdmin;
import outbox.admin.view.OperationResult;
import tools.jackson.databind.json.JsonMapper;

/** Runs operations by their ids. The rights are checked before the request is read. */
@RestController
final class OperationController {

    private final SourceAdmins sources;
    private final RequestBinding binding;

    OperationController(SourceAdmins sources, JsonMapper mapper) {
        this.sources = sources;
        this.binding = new RequestBinding(mapper);
    }

    @GetMapping("/api/sources")
    List<SourceAdmins.SourceView> sources() {
        return sources.all();
    }

    @GetMapping("/api/sources/{source}/{id}")
    Object see(
            @PathVariable String source,
            @PathVariable String id,
            @RequestParam MultiValueMap<String, String> parameters)
            throws HttpRequestMethodNotSupportedException {
        Operation operation = allowed(id, HttpMethod.GET);
        Request<?> request = binding.ofQuery(operation, parameters);
        return sources.of(source, Principal.current()).run(request);
    }

    @PostMapping("/api/sources/{source}/{id}")
    Object act(@PathVariable String source, @PathVariable String id, HttpServletRequest body)
            throws HttpRequestMethodNotSupportedException, IOException {
        Operation operation = allowed(id, HttpMethod.POST);
        RequestBinding.Bound bound = binding.ofBody(operation, body.getInputStream());
        OutboxAdmin admin = sources.of(source, Principal.current());
        if (operation.kind() == Operation.Kind.DESTROY && !bound.confirmed()) {
            requireConfirmation(admin, bound.request());
        }
        return admin.run(bound.request());
    }

    /** Refuses what destroys, and counts what it would change. A dry run destroys nothing. */
    private static void requireConfirmation(OutboxAdmin admin, Request<?> request) {
        switch (request) {
            case Request.Bulk bulk when bulk.dryRun() -> {}
            case Request.Bulk bulk -> {
                OperationResult would = admin.run(bulk.with(true, bulk.after()));
                throw unconfirmed(request, would.changed(), would.more());
            }
            case Request.Edit edit -> {
                admin.run(new Request.Event(edit.eventId())); // An event that is missing needs no confirmation.
                throw unconfirmed(request, 1, false);
            }
            default -> throw unconfirmed(request, 1, false);
        }
    }

    // A count that ended early may have found none.
    private static ProblemException unconfirmed(Request<?> request, long count, boolean more) {
        String events =
                more ? "at least " + count + " events, and maybe more," : count + (count == 1 ? " event" : " events");
        String detail = "\"" + Operation.of(request).id() + "\" would change " + events
                + " for good; repeat the request with \"confirm\": true";
        return new ProblemException(ProblemDocument.of(HttpStatus.CONFLICT, "confirm-needed", detail)
                .withCount(count));
    }

    private static Operation allowed(String id, HttpMethod method) throws HttpRequestMethodNotSupportedException {
        Operation operation = Operation.of(id)
                .orElseThrow(() -> new NoSuchElementException(
                        id.equals("holds")
                                ? "the operation \"holds\" is now called \"pauses\""
                                : "there is no operation \"" + id + "\""));
        HttpMethod needed = operation.kind() == Operation.Kind.SEE ? HttpMethod.GET : HttpMethod.POST;
        if (!needed.equals(method)) {
            throw new HttpRequestMethodNotSupportedException(method.name(), List.of(needed.name()));
        }
        Principal.current().require(operation);
        return operation;
    }
}
