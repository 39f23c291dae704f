package outbox;

import outbox.internal.TextField;

/** An aggregate type whose name is only known at run time. */
public record StringAggregateType(String name) implements AggregateType {

    public StringAggregateType {
        TextField.AGGREGATE_TYPE.require(name);
    }

    public static StringAggregateType of(String name) {
        return new StringAggregateType(name);
    }
}
