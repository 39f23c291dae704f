/** Orders and coupons: a business service that stores an event with everything it changes. */
@NullMarked
package catbox.orders;

import org.jspecify.annotations.NullMarked;
