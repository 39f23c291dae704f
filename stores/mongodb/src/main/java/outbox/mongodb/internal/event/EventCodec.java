package outbox.mongodb.internal.event;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.bson.BsonBinaryReader;
import org.bson.BsonNull;
import org.bson.BsonReader;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.bson.BsonWriter;
import org.bson.codecs.BsonValueCodec;
import org.bson.codecs.Codec;
import org.bson.codecs.DecoderContext;
import org.bson.codecs.EncoderContext;
import org.bson.io.BsonInput;
import org.jspecify.annotations.Nullable;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.model.OutboxEvent;

/**
 * Decodes an event in one pass over the server's bytes, without a map in between. A missing field or one of a wrong
 * type is recorded as a fault of the event, and the other fields are decoded all the same.
 */
public final class EventCodec implements Codec<StoredEvent> {

    private static final BsonValueCodec ANY = new BsonValueCodec();
    /** The bytes that BSON adds to a text: its length, and a zero. */
    private static final int STRING_OVERHEAD = 5;

    @Override
    public StoredEvent decode(BsonReader reader, DecoderContext context) {
        // The driver always decodes the server's answers with this reader, which knows a text's length without
        // counting.
        Draft draft = new Draft((BsonBinaryReader) reader, context);
        reader.readStartDocument();
        while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
            draft.readField(reader.readName());
        }
        reader.readEndDocument();
        return draft.finished();
    }

    /** Unsupported, because events are inserted by updates. */
    @Override
    public void encode(BsonWriter writer, StoredEvent event, EncoderContext context) {
        throw new UnsupportedOperationException("events are read only");
    }

    @Override
    public Class<StoredEvent> getEncoderClass() {
        return StoredEvent.class;
    }

    /** The fields decoded so far. */
    private static final class Draft {

        private final BsonBinaryReader reader;
        private final BsonInput input;
        private final DecoderContext context;
        private final List<String> faults = new ArrayList<>(0);
        private BsonValue id = BsonNull.VALUE;
        private @Nullable String type;
        private @Nullable String aggregateType;
        private @Nullable String aggregateId;
        private @Nullable String tenantId;
        private @Nullable String messageGroup;
        private @Nullable String text;
        private byte @Nullable [] binary;
        private long payloadBytes;
        private @Nullable String headers;
        private @Nullable String status;
        private @Nullable String errorMessage;
        private @Nullable Integer retryCount;
        private @Nullable Integer maxAttempts;
        private @Nullable Integer replays;
        private @Nullable Integer keyHash;
        private @Nullable Integer deaths;
        private @Nullable Integer occurredMicros;
        private boolean delayed;
        private @Nullable Long seq;
        private @Nullable Instant occurredAt;
        private @Nullable Instant createdAt;
        private @Nullable Instant dueAt;
        private @Nullable Instant lastAttemptAt;
        private @Nullable Instant processedAt;

        Draft(BsonBinaryReader reader, DecoderContext context) {
            this.reader = reader;
            this.input = reader.getBsonInput();
            this.context = context;
        }

        void readField(String name) {
            switch (name) {
                case Field.ID -> id = ANY.decode(reader, context);
                case Field.TYPE -> type = string(name);
                case Field.AGGREGATE_TYPE -> aggregateType = string(name);
                case Field.AGGREGATE_ID -> aggregateId = string(name);
                case Field.TENANT_ID -> tenantId = string(name);
                case Field.MESSAGE_GROUP -> messageGroup = string(name);
                case Field.PAYLOAD -> payload(name);
                case Field.HEADERS -> headers = string(name);
                case Field.STATUS -> status = string(name);
                case Field.ERROR_MESSAGE -> errorMessage = string(name);
                case Field.RETRY_COUNT -> retryCount = number(name);
                case Field.MAX_ATTEMPTS -> maxAttempts = number(name);
                case Field.REPLAYS -> replays = number(name);
                case Field.KEY_HASH -> keyHash = number(name);
                case Field.DEATHS -> deaths = number(name);
                case Field.OCCURRED_MICROS -> occurredMicros = number(name);
                case Field.SEQ -> seq = tick(name);
                case Field.OCCURRED_AT -> occurredAt = date(name);
                case Field.CREATED_AT -> createdAt = date(name);
                case Field.DUE_AT -> dueAt = date(name);
                case Field.DELAYED -> delayed = !lacks(BsonType.BOOLEAN, name) && reader.readBoolean();
                case Field.LAST_ATTEMPT_AT -> lastAttemptAt = date(name);
                case Field.PROCESSED_AT -> processedAt = date(name);
                default -> reader.skipValue();
            }
        }

        private @Nullable String string(String name) {
            return lacks(BsonType.STRING, name) ? null : reader.readString();
        }

        private @Nullable Integer number(String name) {
            return lacks(BsonType.INT32, name) ? null : (Integer) reader.readInt32();
        }

        private @Nullable Long tick(String name) {
            if (lacks(BsonType.TIMESTAMP, name)) {
                return null;
            }
            long tick = Seq.of(reader.readTimestamp());
            if (tick <= 0) {
                faults.add(name + " must be left to the server, as Timestamp(0, 0)");
            }
            return tick;
        }

        private @Nullable Instant date(String name) {
            return lacks(BsonType.DATE_TIME, name) ? null : Instant.ofEpochMilli(reader.readDateTime());
        }

        private void payload(String name) {
            if (reader.getCurrentBsonType() == BsonType.BINARY) {
                binary = reader.readBinaryData().getData();
                payloadBytes = binary.length;
            } else {
                int begin = input.getPosition();
                text = string(name);
                payloadBytes = text == null ? 0 : (long) input.getPosition() - begin - STRING_OVERHEAD;
            }
        }

        /** Whether the value is not of this type; if so, it is skipped. */
        private boolean lacks(BsonType wanted, String name) {
            BsonType found = reader.getCurrentBsonType();
            if (found == wanted) {
                return false;
            }
            if (found != BsonType.NULL) {
                faults.add(name + " must be " + nameOf(wanted) + ", was " + nameOf(found));
            }
            reader.skipValue();
            return true;
        }

        private static String nameOf(BsonType type) {
            return type.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }

        private <T> T required(String name, @Nullable T value, T otherwise) {
            if (value != null) {
                return value;
            }
            if (faults.stream().noneMatch(fault -> fault.startsWith(name + " "))) {
                faults.add(name + " is missing");
            }
            return otherwise;
        }

        StoredEvent finished() {
            String eventId = id instanceof BsonString known ? known.getValue() : id.toString();
            if (!id.isString()) {
                faults.add("_id must be string, was " + nameOf(id.getBsonType()));
            }
            if (binary == null) {
                required(Field.PAYLOAD, text, "");
            }
            OutboxEvent event = new OutboxEvent(
                    eventId,
                    required(Field.TYPE, type, "?"),
                    aggregateType,
                    aggregateId,
                    tenantId,
                    messageGroup,
                    text,
                    binary,
                    headers,
                    occurredAt(),
                    maxAttempts,
                    state());
            return new StoredEvent(
                    id,
                    event,
                    payloadBytes,
                    required(Field.SEQ, seq, 0L),
                    required(Field.KEY_HASH, keyHash, 0),
                    faults);
        }

        private Instant occurredAt() {
            Instant millis = required(Field.OCCURRED_AT, occurredAt, Instant.EPOCH);
            return occurredMicros == null ? millis : millis.plus(occurredMicros, ChronoUnit.MICROS);
        }

        private EventState state() {
            int retries = required(Field.RETRY_COUNT, retryCount, 0);
            Instant created = required(Field.CREATED_AT, createdAt, Instant.EPOCH);
            return new EventState(
                    status(retries),
                    retries,
                    created,
                    required(Field.DUE_AT, dueAt, created),
                    lastAttemptAt,
                    processedAt,
                    errorMessage,
                    Objects.requireNonNullElse(replays, 0),
                    Objects.requireNonNullElse(deaths, 0));
        }

        // Whether an attempt was made and not counted. A replayed event is delayed until its next attempt, so it
        // differs.
        private boolean isPostponed() {
            return lastAttemptAt != null && !delayed;
        }

        private EventStatus status(int retries) {
            return switch (Objects.requireNonNullElse(status, "")) {
                case Field.PENDING -> retries > 0 || isPostponed() ? EventStatus.RETRY : EventStatus.NEW;
                case Field.COMPLETED -> EventStatus.DONE;
                case Field.FAILED -> EventStatus.DEAD;
                default -> {
                    faults.add("status must be PENDING, COMPLETED or FAILED, was " + status);
                    yield EventStatus.DEAD;
                }
            };
        }
    }
}
