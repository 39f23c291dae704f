package catbox.console;

import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import outbox.admin.Operation;
import outbox.admin.view.OperationResult;

/**
 * What a form says besides its request.
 *
 * @param confirm set by the confirm page
 * @param back the page to go to afterwards
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

    /** A form without the mark does not come from the console. */
    void requireConfirmed(Operation operation) {
        if (operation.kind() == Operation.Kind.DESTROY && !"true".equals(confirm)) {
            throw new IllegalArgumentException(
                    "\"" + operation.word() + "\" has to be confirmed on its own page first");
        }
    }

    /**
     * Goes to the page that says what was done: the confirm page if a part is left, and back otherwise.
     *
     * @param confirmPage of the same request
     */
    String done(OperationResult done, String confirmPage, RedirectAttributes redirect) {
        redirect.addFlashAttribute("said", done.message());
        redirect.addFlashAttribute("incomplete", done.incomplete());
        if (done.next() == null) {
            if (done.more()) {
                redirect.addFlashAttribute("more", "There is more of it: do it again for the rest.");
            }
            return "redirect:" + back("/");
        }
        String[] rest = {"after", done.next(), "reason", why(), "back", back == null ? "" : back};
        return "redirect:" + confirmPage + Links.query(rest, confirmPage.contains("?") ? "&" : "?");
    }
}
