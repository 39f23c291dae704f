package catbox.mutations;

import catbox.simulation.Simulator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import outbox.EventEnvelope;
import outbox.relay.internal.node.RelayNode;

/** The classes of changed sources, by name. */
record Compiled(Map<String, byte[]> classes) {

    static Compiled of(Checkout checkout, List<Edit> edits) throws IOException {
        Map<String, String> sources = checkout.apply(edits);
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((file, text) -> units.add(new Source(file, text)));
        String classPath = Checkout.joined(Stream.concat(
                Stream.of(Simulator.class, RelayNode.class, EventEnvelope.class, Nullable.class)
                        .map(type -> locationOf(type).toString()),
                checkout.classPathFor(sources).stream()));
        List<String> options = List.of("--release", "21", "-proc:none", "-nowarn", "-classpath", classPath);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (JavaFileManager files = compiler.getStandardFileManager(null, null, null);
                InMemory memory = new InMemory(files)) {
            if (!compiler.getTask(messages, memory, null, options, null, units).call()) {
                throw new Edit.DoesNotFit("the mutant does not compile:\n" + messages);
            }
            Map<String, byte[]> classes = new HashMap<>();
            memory.classes.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return new Compiled(classes);
        }
    }

    /** Writes the classes to a folder, to be put in front of a class path. */
    void writeTo(Path folder) throws IOException {
        for (Map.Entry<String, byte[]> each : classes.entrySet()) {
            Path file = folder.resolve(each.getKey().replace('.', '/') + ".class");
            Files.createDirectories(file.getParent());
            Files.write(file, each.getValue());
        }
    }

    /** The folder or jar that a class came from. */
    private static Path locationOf(Class<?> type) {
        try {
            return Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String file, String text) {
            super(URI.create("mutant:///" + file), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreEncodingErrors) {
            return text;
        }
    }

    private static final class InMemory extends ForwardingJavaFileManager<JavaFileManager> {
        final Map<String, ByteArrayOutputStream> classes = new HashMap<>();

        InMemory(JavaFileManager files) {
            super(files);
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String className, JavaFileObject.Kind kind, @Nullable FileObject sibling) {
            return new SimpleJavaFileObject(URI.create("mutant:///" + className.replace('.', '/')), kind) {
                @Override
                public OutputStream openOutputStream() {
                    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                    classes.put(className, bytes);
                    return bytes;
                }
            };
        }
    }
}
