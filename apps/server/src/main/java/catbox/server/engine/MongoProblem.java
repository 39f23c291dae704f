package catbox.server.engine;

import catbox.server.config.MongoPlan;
import com.mongodb.MongoConfigurationException;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/** Says what is wrong with MongoDB, and what to do about it. The driver's own words name no password. */
final class MongoProblem {

    private static final int UNAUTHORIZED = 13;
    private static final int AUTHENTICATION_FAILED = 18;
    private static final int DEPTH_MAX = 20;

    private MongoProblem() {}

    /** Does something, and translates what the driver has to say about it. */
    static void translated(MongoPlan plan, Runnable work) {
        try {
            work.run();
        } catch (MongoException e) {
            throw new OutboxException(words(plan, e), e);
        } catch (OutboxException e) {
            MongoException cause = cause(e);
            throw cause == null ? e : new OutboxException(words(plan, cause), e);
        }
    }

    private static @Nullable MongoException cause(OutboxException e) {
        return e.getCause() instanceof MongoException mongo ? mongo : null;
    }

    static String words(MongoPlan plan, MongoException failure) {
        String said = " (" + failure.getMessage() + ")";
        if (isRefusal(failure)) {
            return plan.place() + " refuses the user \"" + plan.user() + "\" or the password: check both, and"
                    + " authSource in the url" + said;
        }
        if (failure.getCode() == UNAUTHORIZED) {
            return plan.place() + " does not let "
                    + (plan.user().isEmpty() ? "anybody" : "the user \"" + plan.user() + "\"") + " work on database "
                    + plan.databaseName() + ": grant the role readWrite on it" + said;
        }
        if (failure instanceof MongoTimeoutException
                || failure instanceof MongoSocketException
                || failure instanceof MongoConfigurationException) {
            return plan.place()
                    + " cannot be reached: see whether it runs, whether host and port are right, and whether"
                    + " replicaSet in the url is the name of its set" + said;
        }
        return plan.place() + " cannot be worked with" + said;
    }

    private static boolean isRefusal(MongoException failure) {
        Throwable cause = failure;
        for (int depth = 0; cause != null && depth < DEPTH_MAX; depth++) {
            if (cause instanceof MongoSecurityException
                    || (cause instanceof MongoException mongo && mongo.getCode() == AUTHENTICATION_FAILED)) {
                return true;
            }
            cause = cause.getCause();
        }
        return false;
    }
}
