package outbox.spi.relay;

/**
 * The series of numbers that a seq belongs to. When numbers go back, a new series begins, in which a seq of the former
 * one means nothing. The store detects that; a reader only compares.
 *
 * @param source what assigns the numbers, such as one file of a sequence during one run of a server
 * @param resets how often its numbers went back
 */
public record Numbering(long source, long resets) {}
