package catbox.mutations;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** Runs the tests of a class, or one method of it. The exit code says whether any has failed. */
final class TestMain {

    static final int PASSED = 0;
    static final int FAILED = 10;
    static final int NOT_RUN = 11;
    static final String FAILURE = "FAILURE ";

    private TestMain() {}

    public static void main(String[] args) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(args[0]))
                .filters(
                        (PostDiscoveryFilter) found -> FilterResult.includedIf(args.length < 2 || isOf(args[1], found)))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        for (TestExecutionSummary.Failure failure : summary.getFailures()) {
            System.out.println(FAILURE + failure.getTestIdentifier().getDisplayName() + ": "
                    + String.valueOf(failure.getException()).replaceAll("\\s+", " "));
        }
        boolean failed = !summary.getFailures().isEmpty();
        // Not all threads of servers and clients end with the tests.
        System.exit(failed ? FAILED : summary.getTestsSucceededCount() > 0 ? PASSED : NOT_RUN);
    }

    private static boolean isOf(String method, TestDescriptor found) {
        return found.getSource()
                .filter(source -> source instanceof MethodSource named
                        && named.getMethodName().equals(method))
                .isPresent();
    }
}
