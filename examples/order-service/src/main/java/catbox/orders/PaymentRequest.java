package catbox.orders;

import jakarta.validation.constraints.NotNull;

/** The order to pay. */
record PaymentRequest(@NotNull Long orderId) {}
