package catbox.server.engine;

import catbox.server.config.MongoPlan;
import com.mongodb.MongoConfigurationException;
import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import org.jspecify.annotations.Nullable;
import outbox.OutboxException;

/** Describes what is wrong with MongoDB, and how to correct it. The driver's own messages name no password. */
final class MongoProblem {

    private static final int UNAUTHORIZED = 13;
    private static final int AUTHENTICATION_FAILED = 18;
    private static final int DEPTH_MAX = 20;

    private MongoProblem() {}

    /** Runs some work, and translates the driver's exceptions. */
    static void translated(MongoPlan plan, Runnable work) {
        try {
            work.run();
        } catch (MongoException e) {
            throw new OutboxException(describe(plan, e), e);
        } catch (OutboxException e) {
            MongoException cause = cause(e);
            throw cause == null ? e : new OutboxException(describe(plan, cause), e);
        }
    }

    private static @Nullable MongoException cause(OutboxException e) {
        return e.getCause() instanceof MongoException mongo ? mongo : null;
    }

    static String describe(MongoPlan plan, MongoException failure) {
        String original = " (" + failure.getMessage() + ")";
        if (isRefusal(failure)) {
            return plan.place() + " refuses the user \"" + plan.user() + "\" or the password: check both, and"
                    + " authSource in the url" + original;
        }
        if (failure.getCode() == UNAUTHORIZED) {
            return plan.place() + " does not let "
                    + (plan.user().isEmpty() ? "a client without login" : "the user \"" + plan.user() + "\"")
                    + " use database "
                    + plan.databaseName() + ": grant the role readWrite on it" + original;
        }
        if (failure instanceof MongoTimeoutException
                || failure instanceof MongoSocketException
                || failure instanceof MongoConfigurationException) {
            return plan.place()
                    + " cannot be reached: see whether it runs, whether host and port are right, and whether"
                    + " replicaSet in the url is the name of its set" + original;
        }
        return plan.place() + " cannot be used" + original;
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
