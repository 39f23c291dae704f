package outbox.spi.relay;

/**
 * The run of numbers that a seq belongs to. Numbers that go back begin another run, in which a seq of the former one means
 * nothing. A reader only compares: whether numbers went back is for the store to find out.
 *
 * @param source what gives the numbers out, such as one file of a sequence during one run of a server
 * @param resets how often its numbers were seen to go back
 */
public record Numbering(long source, long resets) {}
