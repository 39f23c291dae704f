package outbox;

import outbox.internal.TextField;

/** An event type whose name is only known at run time. */
public record StringEventType(String name) implements EventType {

    public StringEventType {
        TextField.EVENT_TYPE.require(name);
    }

    public static StringEventType of(String name) {
        return new StringEventType(name);
    }
}
