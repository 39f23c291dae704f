package outbox.spi;

import outbox.model.Outcome;

/** Found as a service by the tests of this module. */
public final class FakeDestinationFactory implements DestinationFactory {

    /** The last one that was made. */
    static FakeDestination made;

    @Override
    public String kind() {
        return "fake";
    }

    @Override
    public Destination create(Settings settings) {
        settings.number("size", 1, 1, 10);
        made = new FakeDestination(new Outcome.Delivered(settings.name(), -1, -1));
        return made;
    }
}
