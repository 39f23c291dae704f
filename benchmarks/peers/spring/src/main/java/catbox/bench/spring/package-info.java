/** The Spring Boot application around a peer that requires one. */
@NullMarked
package catbox.bench.spring;

import org.jspecify.annotations.NullMarked;
