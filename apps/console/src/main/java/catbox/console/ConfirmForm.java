package catbox.console;

import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import outbox.admin.Operation;
import outbox.admin.view.OperationResult;

/**
 * The fields of a form next to those of its request.
 *
 * @param confirm set by the confirm page
 * @param back the page to return to
 */
public record ConfirmForm(
        @Nullable String reason,
        @Nullable String confirm,
        @Nullable String back) {

    String why() {
        return reason == null ? "" : reason.strip();
    }

    String back(String otherwise) {
        return Links.back(back == null ? otherwise : back);
    }

    /** The console's own forms that destroy have this field. */
    void requireConfirmed(Operation operation) {
        if (operation.kind() == Operation.Kind.DESTROY && !"true".equals(confirm)) {
            throw new IllegalArgumentException("\"" + operation.id() + "\" must be confirmed on its own page first");
        }
    }

    /**
     * Redirects to a page that shows the result: the confirm page if a part is left, and back otherwise.
     *
     * @param confirmPage of the same request
     */
    String done(OperationResult done, String confirmPage, RedirectAttributes redirect) {
        redirect.addFlashAttribute("message", done.message());
        redirect.addFlashAttribute("incomplete", done.incomplete());
        if (done.next() == null) {
            if (done.more()) {
                redirect.addFlashAttribute("more", "There is more to do: repeat it for the rest.");
            }
            return "redirect:" + back("/");
        }
        String[] rest = {"after", done.next(), "reason", why(), "back", back == null ? "" : back};
        return "redirect:" + confirmPage + Links.query(rest, confirmPage.contains("?") ? "&" : "?");
    }
}
