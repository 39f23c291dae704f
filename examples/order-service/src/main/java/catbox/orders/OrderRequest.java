package catbox.orders;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.Size;

/** What an order is to be. */
record OrderRequest(
        @NotBlank @Size(max = 200) String item,
        @NotNull @Min(1) @Max(1_000) Integer quantity,
        @NotNull @Positive Long amountCents) {}
