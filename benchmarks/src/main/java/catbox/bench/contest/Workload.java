package catbox.bench.contest;

import java.util.List;
import java.util.Map;

/** One question to the contenders, asked in several cases. */
interface Workload {

    /** Returns the short name, such as {@code w1}. */
    String name();

    List<Case> cases(boolean quick);

    /** One case, with a name for reports and files. */
    interface Case {
        String name();

        /** Returns whether the case applies to this contender. */
        boolean suits(Entrant entrant);

        /** Runs once without counting, long enough to warm the contender up. */
        void warmUp(Stage stage, Stage.Actor actor) throws Exception;

        /** Runs once, and returns the measurements. */
        Map<String, Object> run(Stage stage, Stage.Actor actor) throws Exception;
    }
}
