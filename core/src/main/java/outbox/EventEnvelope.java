package outbox;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import outbox.internal.KeyHash;
import outbox.internal.TextField;
import outbox.internal.Ulids;
import outbox.internal.Utf8;
import outbox.spi.TimeSource;
import outbox.util.JsonCodec;

/**
 * An event as it is published and as listeners receive it: immutable, checked when it is built, and the same to
 * the last byte whether it was handed over in memory or read back from the store.
 */
public final class EventEnvelope {

    /** The largest payload, in bytes of its UTF-8 or binary form. */
    public static final int PAYLOAD_BYTES_MAX = 1_048_576;

    /** The largest sum of header names and values, in bytes of their UTF-8 form. */
    public static final int HEADERS_BYTES_MAX = 65_536;

    // Every database can store these times.
    private static final Instant TIME_MIN = Instant.parse("1000-01-01T00:00:00Z");
    private static final Instant TIME_MAX = Instant.parse("9999-12-31T23:59:59Z");

    private final String eventId;
    private final String eventType;
    private final Instant occurredAt;
    private final @Nullable String aggregateType;
    private final @Nullable String aggregateId;
    private final @Nullable String tenantId;
    private final @Nullable String orderingKey;
    private final @Nullable Instant availableAt;
    private final int maxAttempts; // 0: the dispatcher's default
    private final Map<String, String> headers;
    private final @Nullable String payloadJson;
    private final byte @Nullable [] payloadBytes;
    /** Zero until it is known: a payload that comes from the store is measured when its size is first needed. */
    private int payloadSize;

    private EventEnvelope(Builder builder) {
        this.eventId = builder.eventId == null ? Ulids.SYSTEM.next() : TextField.EVENT_ID.require(builder.eventId);
        this.eventType = TextField.EVENT_TYPE.require(builder.eventType);
        this.occurredAt = checkedTime(
                "occurredAt", builder.occurredAt == null ? TimeSource.SYSTEM.instant() : builder.occurredAt);
        this.aggregateType = TextField.AGGREGATE_TYPE.optional(builder.aggregateType);
        this.aggregateId = TextField.AGGREGATE_ID.optional(builder.aggregateId);
        this.tenantId = TextField.TENANT_ID.optional(builder.tenantId);
        this.orderingKey =
                TextField.ORDERING_KEY.optional(builder.orderingKeySet ? builder.orderingKey : builder.aggregateId);
        this.availableAt = builder.availableAt == null ? null : checkedTime("availableAt", builder.availableAt);
        this.maxAttempts = builder.maxAttempts;
        this.headers = copyOf(builder.headers);
        this.payloadJson = builder.payloadJson;
        this.payloadBytes = builder.payloadBytes == null ? null : builder.payloadBytes.clone();
        if (payloadJson != null && payloadBytes != null) {
            throw new InvalidEventException("payload", "is set twice: give payloadJson or payloadBytes, not both");
        }
        this.payloadSize = builder.payloadIsStored ? 0 : checkedPayloadSize();
    }

    private EventEnvelope(EventEnvelope original, Map<String, String> headers) {
        this.eventId = original.eventId;
        this.eventType = original.eventType;
        this.occurredAt = original.occurredAt;
        this.aggregateType = original.aggregateType;
        this.aggregateId = original.aggregateId;
        this.tenantId = original.tenantId;
        this.orderingKey = original.orderingKey;
        this.availableAt = original.availableAt;
        this.maxAttempts = original.maxAttempts;
        this.headers = copyOf(headers);
        this.payloadJson = original.payloadJson;
        this.payloadBytes = original.payloadBytes;
        this.payloadSize = original.payloadSize;
    }

    public static Builder builder(EventType type) {
        return new Builder(type == null ? null : type.name());
    }

    public static Builder builder(String type) {
        return new Builder(type);
    }

    public static EventEnvelope ofJson(EventType type, String payloadJson) {
        return builder(type).payloadJson(payloadJson).build();
    }

    public static EventEnvelope ofJson(String type, String payloadJson) {
        return builder(type).payloadJson(payloadJson).build();
    }

    public static EventEnvelope ofBytes(EventType type, byte[] payload) {
        return builder(type).payloadBytes(payload).build();
    }

    public static EventEnvelope ofBytes(String type, byte[] payload) {
        return builder(type).payloadBytes(payload).build();
    }

    public String eventId() {
        return eventId;
    }

    public String eventType() {
        return eventType;
    }

    /** When the event happened, by the publisher's clock, in microseconds. */
    public Instant occurredAt() {
        return occurredAt;
    }

    public @Nullable String aggregateType() {
        return aggregateType;
    }

    public @Nullable String aggregateId() {
        return aggregateId;
    }

    public @Nullable String tenantId() {
        return tenantId;
    }

    /** A relay delivers events of one key in order; null: no order. Default: the aggregate id. */
    public @Nullable String orderingKey() {
        return orderingKey;
    }

    /** The hash of its lane: that of its ordering key, or of its id if it has no key. */
    public int laneHash() {
        return KeyHash.ofLane(orderingKey, eventId);
    }

    /**
     * The earliest time of delivery, or null for at once. An instruction to the store and no part of the event: it
     * is null on what listeners receive, and two envelopes that differ only here are equal.
     */
    public @Nullable Instant availableAt() {
        return availableAt;
    }

    /** The number of attempts before this event is dead; empty: the dispatcher's setting. */
    public OptionalInt maxAttempts() {
        return maxAttempts == 0 ? OptionalInt.empty() : OptionalInt.of(maxAttempts);
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** The same event with other headers. */
    public EventEnvelope withHeaders(Map<String, String> otherHeaders) {
        return new EventEnvelope(this, otherHeaders);
    }

    /** The payload as it was published, or null when it is binary. */
    public @Nullable String payloadJson() {
        return payloadJson;
    }

    /** A copy of the binary payload, or null when it is JSON. */
    public byte @Nullable [] payloadBytes() {
        return payloadBytes == null ? null : payloadBytes.clone();
    }

    /** The payload's size in bytes, of its UTF-8 form when it is JSON. */
    public int payloadSize() {
        int size = payloadSize;
        if (size == 0 && payloadJson != null) {
            size = (int) Utf8.length(payloadJson);
            payloadSize = size; // No lock: every thread computes the same value.
        }
        return size;
    }

    // Databases keep microseconds; finer times would differ between the hot and the cold path.
    private static Instant checkedTime(String field, Instant time) {
        if (time.isBefore(TIME_MIN) || time.isAfter(TIME_MAX)) {
            throw new InvalidEventException(field, "must be from " + TIME_MIN + " to " + TIME_MAX + ", was " + time);
        }
        return time.truncatedTo(ChronoUnit.MICROS);
    }

    private int checkedPayloadSize() {
        if (payloadBytes != null) {
            return checkedSize(payloadBytes.length);
        }
        if (payloadJson == null) {
            throw new InvalidEventException("payload", "is missing: give payloadJson or payloadBytes");
        }
        if (payloadJson.length() > PAYLOAD_BYTES_MAX) {
            return checkedSize(Utf8.length(payloadJson)); // Not worth parsing.
        }
        return isAsciiJson(payloadJson) ? checkedSize(payloadJson.length()) : checkedSizeOfText(payloadJson);
    }

    private static boolean isAsciiJson(String payloadJson) {
        try {
            return JsonCodec.validate(payloadJson);
        } catch (IllegalArgumentException e) {
            throw new InvalidEventException("payloadJson", Objects.requireNonNull(e.getMessage()));
        }
    }

    private static int checkedSizeOfText(String payloadJson) {
        int broken = Utf8.firstUnpairedSurrogate(payloadJson);
        if (broken >= 0) {
            throw new InvalidEventException("payloadJson", "has an unpaired surrogate at index " + broken);
        }
        return checkedSize(Utf8.length(payloadJson));
    }

    private static int checkedSize(long bytes) {
        if (bytes > PAYLOAD_BYTES_MAX) {
            throw new InvalidEventException(
                    "payload",
                    "has " + bytes + " bytes, allowed are " + PAYLOAD_BYTES_MAX
                            + ". Store large content elsewhere and publish a reference to it.");
        }
        return (int) bytes;
    }

    private static Map<String, String> copyOf(@Nullable Map<String, String> headers) {
        if (headers == null || headers.isEmpty()) {
            return Map.of();
        }
        headers.forEach((name, value) -> {
            if (name == null) {
                throw new InvalidEventException("headers", "must not contain null, but one has no name");
            }
            if (value == null) {
                throw new InvalidEventException("headers", "must not contain null, but \"" + name + "\" has no value");
            }
        });
        long size = headers.entrySet().stream()
                .mapToLong(header -> Utf8.length(header.getKey()) + Utf8.length(header.getValue()))
                .sum();
        if (size > HEADERS_BYTES_MAX) {
            throw new InvalidEventException("headers", "have " + size + " bytes, allowed are " + HEADERS_BYTES_MAX);
        }
        return Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof EventEnvelope that
                && eventId.equals(that.eventId)
                && eventType.equals(that.eventType)
                && occurredAt.equals(that.occurredAt)
                && Objects.equals(aggregateType, that.aggregateType)
                && Objects.equals(aggregateId, that.aggregateId)
                && Objects.equals(tenantId, that.tenantId)
                && Objects.equals(orderingKey, that.orderingKey)
                && maxAttempts == that.maxAttempts
                && headers.equals(that.headers)
                && Objects.equals(payloadJson, that.payloadJson)
                && Arrays.equals(payloadBytes, that.payloadBytes);
    }

    @Override
    public int hashCode() {
        return eventId.hashCode();
    }

    /** Names the event; the payload and the headers are never shown. */
    @Override
    public String toString() {
        return "EventEnvelope[" + eventId + ", " + eventType + ", key " + orderingKey + ", " + payloadSize()
                + " bytes]";
    }

    /** Collects the fields of an event; {@link #build()} checks them. */
    public static final class Builder {

        private final @Nullable String eventType;
        private @Nullable String eventId;
        private @Nullable Instant occurredAt;
        private @Nullable String aggregateType;
        private @Nullable String aggregateId;
        private @Nullable String tenantId;
        private @Nullable String orderingKey;
        private boolean orderingKeySet;
        private @Nullable Instant availableAt;
        private int maxAttempts;
        private @Nullable Map<String, String> headers;
        private @Nullable String payloadJson;
        private byte @Nullable [] payloadBytes;
        private boolean payloadIsStored;

        private Builder(@Nullable String eventType) {
            this.eventType = eventType;
        }

        /** Default: a new ULID. Any id of up to 36 characters is accepted. */
        public Builder eventId(@Nullable String eventId) {
            this.eventId = eventId;
            return this;
        }

        /** Default: now. */
        public Builder occurredAt(@Nullable Instant occurredAt) {
            this.occurredAt = occurredAt;
            return this;
        }

        public Builder aggregateType(@Nullable AggregateType aggregateType) {
            return aggregateType(aggregateType == null ? null : aggregateType.name());
        }

        public Builder aggregateType(@Nullable String aggregateType) {
            this.aggregateType = aggregateType;
            return this;
        }

        public Builder aggregateId(@Nullable String aggregateId) {
            this.aggregateId = aggregateId;
            return this;
        }

        public Builder tenantId(@Nullable String tenantId) {
            this.tenantId = tenantId;
            return this;
        }

        /** Default: the aggregate id. Null asks for no order, also when there is an aggregate id. */
        public Builder orderingKey(@Nullable String orderingKey) {
            this.orderingKey = orderingKey;
            this.orderingKeySet = true;
            return this;
        }

        /** Delays the event: it joins its key's order, and is delivered, when this time has come. */
        public Builder availableAt(@Nullable Instant availableAt) {
            this.availableAt = availableAt;
            return this;
        }

        /** The number of attempts before this event is dead, instead of the dispatcher's setting. */
        public Builder maxAttempts(int maxAttempts) {
            if (maxAttempts < 1) {
                throw new InvalidEventException("maxAttempts", "must be at least 1, was " + maxAttempts);
            }
            this.maxAttempts = maxAttempts;
            return this;
        }

        public Builder header(String name, String value) {
            Map<String, String> all = headers == null ? new LinkedHashMap<>() : new LinkedHashMap<>(headers);
            all.put(name, value);
            this.headers = all;
            return this;
        }

        public Builder headers(@Nullable Map<String, String> headers) {
            this.headers = headers;
            return this;
        }

        public Builder payloadJson(@Nullable String payloadJson) {
            this.payloadJson = payloadJson;
            return this;
        }

        /**
         * A payload that is read back from the store. It was checked when it was published, and is not parsed again:
         * that would cost a relay a quarter of its time.
         */
        public Builder storedPayloadJson(String payloadJson) {
            this.payloadJson = payloadJson;
            this.payloadIsStored = true;
            return this;
        }

        public Builder payloadBytes(byte @Nullable [] payloadBytes) {
            this.payloadBytes = payloadBytes;
            return this;
        }

        /**
         * The event.
         *
         * @throws InvalidEventException naming the field that is wrong and what is allowed
         */
        public EventEnvelope build() {
            return new EventEnvelope(this);
        }
    }
}
