package catbox.bench.contest;

import java.util.List;
import java.util.Map;

/** One question to the contenders, asked in several cases. */
interface Workload {

    /** Such as {@code w1}. */
    String name();

    List<Case> cases(boolean quick);

    /** One case, with a name for people and files. */
    interface Case {
        String name();

        /** Whether this contender can be asked it at all. */
        boolean suits(Entrant entrant);

        /** One run that is not counted, long enough to warm the contender up. */
        void warmUp(Stage stage, Stage.Actor actor) throws Exception;

        /** One run, and what was measured. */
        Map<String, Object> run(Stage stage, Stage.Actor actor) throws Exception;
    }
}
