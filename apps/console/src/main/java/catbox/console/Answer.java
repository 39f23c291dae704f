package catbox.console;

import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;
import outbox.admin.view.Done;

/**
 * What a person has answered to what he is asked before something is done.
 *
 * @param confirm set by the confirm page
 * @param back the page to go to afterwards
 */
public record Answer(
        @Nullable String reason,
        @Nullable String confirm,
        @Nullable String back) {

    String why() {
        return reason == null ? "" : reason.strip();
    }

    /** Who gets here without it has sent a form of his own making. */
    void requireConfirmed(String what) {
        if (!"true".equals(confirm)) {
            throw new IllegalArgumentException(what + " has to be confirmed on its own page first.");
        }
    }

    /** Goes back, and says there what was done. */
    String with(Done done, RedirectAttributes redirect) {
        redirect.addFlashAttribute("said", done.says());
        if (done.more()) {
            redirect.addFlashAttribute("more", "There is more of it: do it again for the rest.");
        }
        return "redirect:" + Links.back(back == null ? "/" : back);
    }
}
