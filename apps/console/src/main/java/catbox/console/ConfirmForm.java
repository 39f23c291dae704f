package catbox.console;

import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import outbox.admin.view.OperationResult;

/**
 * What a person has answered to what he is asked before something is done.
 *
 * @param confirm set by the confirm page
 * @param back the page to go to afterwards
 * @param after where it goes on, when a part of it is done already
 */
public record ConfirmForm(
        @Nullable String reason,
        @Nullable String confirm,
        @Nullable String back,
        @Nullable String after) {

    String why() {
        return reason == null ? "" : reason.strip();
    }

    /** Where it goes on; null begins with the first. */
    @Nullable
    String behind() {
        return after == null || after.isEmpty() ? null : after;
    }

    /** The same, with another page to go to. */
    ConfirmForm to(String page) {
        return new ConfirmForm(reason, confirm, page, after);
    }

    /** Who gets here without it has sent a form of his own making. */
    void requireConfirmed(String what) {
        if (!"true".equals(confirm)) {
            throw new IllegalArgumentException(what + " has to be confirmed on its own page first.");
        }
    }

    /** Goes back, and says there what was done. */
    String with(OperationResult done, RedirectAttributes redirect) {
        redirect.addFlashAttribute("said", done.says());
        if (done.more()) {
            redirect.addFlashAttribute("more", "There is more of it: do it again for the rest.");
        }
        return "redirect:" + Links.back(back == null ? "/" : back);
    }

    /** As {@link #with}; what is not finished goes on where it was confirmed. */
    String with(OperationResult done, String confirmPage, RedirectAttributes redirect) {
        if (done.next() == null) {
            return with(done, redirect);
        }
        redirect.addFlashAttribute("said", done.says());
        String more = Links.query(
                new String[] {"after", done.next(), "reason", why(), "back", back == null ? "" : back},
                confirmPage.contains("?") ? "&" : "?");
        return "redirect:" + confirmPage + more;
    }
}
