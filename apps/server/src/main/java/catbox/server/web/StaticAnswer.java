package catbox.server.web;

import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** An HTTP answer that needs no web application. */
record StaticAnswer(int status, String contentType, String body) {

    static StaticAnswer json(HttpStatus status, String body) {
        return new StaticAnswer(status.value(), MediaType.APPLICATION_JSON_VALUE, body);
    }

    /** Makes a problem document, as the API does. The detail must need no escapes in JSON. */
    static StaticAnswer problem(HttpStatus status, String code, String detail) {
        return new StaticAnswer(
                status.value(),
                MediaType.APPLICATION_PROBLEM_JSON_VALUE,
                "{\"type\":\"/problems/%s\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}"
                        .formatted(code, status.getReasonPhrase(), status.value(), detail));
    }
}
