/** The Spring Boot application around a peer that lives in one. */
@NullMarked
package catbox.bench.spring;

import org.jspecify.annotations.NullMarked;
