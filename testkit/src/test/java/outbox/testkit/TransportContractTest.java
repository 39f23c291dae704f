package outbox.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import outbox.testkit.InMemoryTransport.Flaw;

/** The contract accepts a transport that is right, and each that is wrong in one way fails it. */
class TransportContractTest {

    interface WholeContract extends TransportContract, TransportUnavailableContract {}

    @Nested
    class RightTransport implements WholeContract {
        @Override
        public TransportFixture fixture() {
            return new InMemoryTransportFixture(Flaw.NONE);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
    void everyFlawIsFound(Flaw flaw) throws ReflectiveOperationException {
        List<String> failed = new ArrayList<>();
        for (Method test : suspects(flaw)) {
            try {
                test.invoke((WholeContract) () -> new InMemoryTransportFixture(flaw));
            } catch (InvocationTargetException e) {
                assertThat(e.getCause()).isInstanceOf(AssertionError.class);
                failed.add(test.getName());
            }
        }

        assertThat(failed).contains(expected(flaw));
    }

    /** Those that may fail, and a few; the whole contract for each flaw would take minutes. */
    private static List<Method> suspects(Flaw flaw) {
        List<Method> tests = new ArrayList<>();
        for (Method method : WholeContract.class.getMethods()) {
            if (method.isAnnotationPresent(Test.class) && method.getName().equals(expected(flaw))) {
                method.setAccessible(true);
                tests.add(method);
            }
        }
        assertThat(tests).hasSize(1);
        return tests;
    }

    private static String expected(Flaw flaw) {
        return switch (flaw) {
            case NONE, REPORTS_ANOTHER_INDEX, DELIVERS_TWICE, SWALLOWS_AN_OUTCOME -> "deliversEveryEventOfACallOnce";
            case REPORTS_WITHOUT_DELIVERING, REORDERS_A_KEY -> "keepsTheOrderOfEachKeyWithinCalls";
            case SWALLOWS_OUTCOMES_AT_CLOSE -> "closeReportsEverythingThatIsInFlight";
            case SHOWS_ITS_SECRET, REJECTS_CREDENTIALS, IGNORES_REFUSED_CREDENTIALS ->
                "refusedCredentialsMayBeRepairedAndAreNotShown";
            case LEAVES_A_THREAD -> "leavesNoThreadBehind";
            case BLOCKS_IN_DELIVER -> "returnsSoonWhileItCannotConnect";
            case LOSES_HEADERS, SENDS_THE_FIRST_ATTEMPT_ALWAYS -> "carriesWhatTheEventIsInHeaders";
            case REWRITES_JSON -> "deliversJsonByteForByte";
            case SPOILS_BINARY -> "deliversBinaryByteForByteOrRejectsIt";
            case SWAPS_KEYS -> "carriesTheKeyWhereItCarriesOne";
            case FAILS_ALL_FOR_ONE -> "oneRefusedEventLeavesTheOthersAlone";
            case OVERTAKES_THE_REFUSED -> "nothingOvertakesARefusedEventOfItsKey";
            case REJECTS_WHEN_DOWN -> "doesNotDeliverToAServerThatIsDown";
            case REPORTS_DELIVERED_WHEN_DOWN -> "survivesAServerThatIsStoppedInTheMiddle";
            case WAITS_FOR_EVER -> "answersInTimeWhileTheServerIsFrozen";
            case RETRIES_THE_OVERSIZED -> "anOversizedEventStopsNoOtherEvent";
            case DELIVERS_AFTER_CLOSE -> "takesNothingOnceItIsClosed";
            case BLAMES_THE_EVENT_FOR_AN_OUTAGE -> "aServerThatWasNeverThereIsUnavailable";
            case BLAMES_THE_EVENT_FOR_SILENCE -> "aServerThatDoesNotAnswerIsNoFaultOfTheEvent";
            case BLAMES_THE_EVENT_FOR_A_REFUSED_LOGIN -> "aRefusedLoginIsAnOutage";
            case CHECKS_NOTHING -> "aCheckSaysWhetherTheServerIsThere";
            case LEAVES_A_THREAD_PER_CHECK -> "checksLeaveNothingBehind";
            case NEEDS_A_KEY -> "deliversEventsWithoutKey";
        };
    }
}
