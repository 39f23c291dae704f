package outbox.rabbitmq;

/** What has a channel of its own for now, because it may end that. */
sealed interface Apart permits Place, Suspects.Group {}
