package catbox.demo;

/** A downstream system that can fail. Written by the demo's thread, read by the dispatcher's workers. */
final class MailServer {

    private volatile boolean down;

    void breakDown() {
        down = true;
    }

    void repair() {
        down = false;
    }

    void send(String eventId) {
        if (down) {
            throw new IllegalStateException("the mail server is down");
        }
    }
}
