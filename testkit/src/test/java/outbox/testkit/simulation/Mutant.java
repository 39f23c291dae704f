package outbox.testkit.simulation;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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
import outbox.relay.RelayNode;

/**
 * The engine and the simulator once more, in a class loader of its own, with some of their sources changed. Only what
 * was changed is compiled; everything else is the same class files as outside.
 */
final class Mutant extends ClassLoader {

    private static final List<String> OWN = List.of("outbox.relay.", "outbox.testkit.");

    private final Map<String, byte[]> changed;

    private Mutant(Map<String, byte[]> changed) {
        super(Mutant.class.getClassLoader());
        this.changed = changed;
    }

    /** Applies the edits, compiles and is ready to run; fails if an edit does not fit. */
    static Mutant of(List<Mutation.Edit> edits) throws IOException {
        Map<String, String> sources = new LinkedHashMap<>();
        for (Mutation.Edit edit : edits) {
            String source = sources.getOrDefault(edit.file(), Files.readString(find(edit.file())));
            sources.put(edit.file(), apply(edit, source));
        }
        return new Mutant(sources.isEmpty() ? Map.of() : compile(sources));
    }

    /** Runs seeds until one is bad; returns how many that took, and what was told. */
    Outcome run(int seedsMax) throws ReflectiveOperationException {
        Object result = loadClass(Simulator.class.getName())
                .getMethod("run", long.class, int.class, int.class)
                .invoke(null, 0L, seedsMax, 1);
        boolean good = (Boolean) result.getClass().getMethod("isGood").invoke(result);
        long runs = (Long) result.getClass().getMethod("runs").invoke(result);
        return new Outcome(good, runs, result.toString());
    }

    /** What came of the seeds. */
    record Outcome(boolean isGood, long runs, String story) {

        /** The first promise that was broken. */
        String firstViolation() {
            return story.lines()
                    .map(String::strip)
                    .filter(line -> line.startsWith("at "))
                    .findFirst()
                    .orElse("nothing");
        }
    }

    // ---- sources -------------------------------------------------------------------------------------------------

    private static Path find(String file) {
        Path module = Path.of(System.getProperty("basedir", ""));
        return Stream.of("../relay/src/main/java", "src/main/java")
                .map(folder -> module.resolve(folder).resolve(file))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new AssertionError("there is no source " + file));
    }

    private static String apply(Mutation.Edit edit, String source) {
        String anyBreaks =
                Arrays.stream(edit.find().split(" ")).map(Pattern::quote).collect(Collectors.joining("\\s+"));
        Pattern pattern = Pattern.compile(anyBreaks);
        List<MatchResult> found = pattern.matcher(source).results().toList();
        if (found.size() != 1) {
            throw new AssertionError(
                    edit.file() + " has " + found.size() + " times what is to be changed: " + edit.find());
        }
        return pattern.matcher(source).replaceFirst(Matcher.quoteReplacement(edit.replacement()));
    }

    // ---- compiler ------------------------------------------------------------------------------------------------

    private static Map<String, byte[]> compile(Map<String, String> sources) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((file, text) -> units.add(new Source(file, text)));
        StringWriter messages = new StringWriter();
        try (JavaFileManager files = compiler.getStandardFileManager(null, null, null);
                InMemory memory = new InMemory(files)) {
            List<String> options = List.of("--release", "21", "-proc:none", "-nowarn", "-classpath", classPath());
            if (!compiler.getTask(messages, memory, null, options, null, units).call()) {
                throw new AssertionError("the mutant does not compile:\n" + messages);
            }
            Map<String, byte[]> classes = new HashMap<>();
            memory.classes.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
            return classes;
        }
    }

    private static String classPath() {
        return Stream.of(Simulator.class, RelayNode.class, EventEnvelope.class, Nullable.class)
                .map(type -> locationOf(type).toString())
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** The folder or jar that a class came from. */
    static Path locationOf(Class<?> type) {
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
                Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
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

    // ---- class loader --------------------------------------------------------------------------------------------

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        synchronized (getClassLoadingLock(name)) {
            if (OWN.stream().noneMatch(name::startsWith)) {
                return super.loadClass(name, resolve);
            }
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    // Without a place of origin, so that the measuring of coverage leaves it alone.
    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes = changed.get(name);
        if (bytes == null) {
            try (InputStream in = getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                bytes = in.readAllBytes();
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
