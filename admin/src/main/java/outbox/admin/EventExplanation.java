package outbox.admin;

import java.util.List;
import outbox.model.EventState;
import outbox.model.EventStatus;
import outbox.spi.operations.EventHistory;
import outbox.spi.operations.EventSummary;
import outbox.spi.relay.Pause;

/**
 * Where an event that is not done stands and what it waits for, in a few sentences.
 *
 * @param lane the pending events of its lane, in their order; as far as they were looked at
 * @param reasons why that lane does not move
 */
record EventExplanation(
        EventSummary event,
        EventHistory history,
        List<EventSummary> lane,
        List<String> reasons,
        ClusterPicture picture) {

    String text() {
        return event.state().status() == EventStatus.DEAD ? dead() : pending();
    }

    private String dead() {
        EventState state = event.state();
        StringBuilder text = new StringBuilder("It was given up");
        if (state.lastAttemptAt() != null) {
            text.append(" at ").append(Phrases.at(state.lastAttemptAt(), picture.now()));
        }
        text.append(" after ").append(state.attempts()).append(state.attempts() == 1 ? " attempt. " : " attempts. ");
        text.append("Last error: ").append(Phrases.error(state.lastError())).append(". ");
        text.append(
                "Nothing more happens by itself: repair the cause and replay it, change and replay it, or discard it.");
        String key = event.key();
        if (key != null) {
            picture.hold(Pause.Kind.KEY, key).ifPresent(hold -> text.append(' ').append(PauseText.sentence(hold)));
        }
        return text.append(alreadyAt()).toString();
    }

    private String pending() {
        StringBuilder text = new StringBuilder();
        EventState state = event.state();
        if (state.status() == EventStatus.RETRY) {
            text.append("It has failed ").append(Phrases.times(state.attempts()));
            text.append(" and is tried again at ").append(Phrases.at(state.availableAt(), picture.now()));
            text.append(". Last error: ")
                    .append(Phrases.error(state.lastError()))
                    .append('.');
        } else if (state.availableAt().isAfter(picture.now())) {
            text.append("It is to be delivered not before ").append(Phrases.at(state.availableAt(), picture.now()));
            text.append('.');
        } else {
            text.append("It waits to be delivered since ").append(Phrases.at(state.availableAt(), picture.now()));
            text.append('.');
        }
        int before = before();
        if (before > 0) {
            boolean isAll = before < lane.size();
            text.append(isAll ? " " : " At least ").append(Phrases.events(before));
            text.append(before == 1 ? " is" : " are");
            text.append(" before it in its lane, first ")
                    .append(lane.get(0).eventId())
                    .append('.');
        }
        for (String reason : reasons) {
            boolean saidAlready = before == 0 && reason.startsWith("Event " + event.eventId() + " ");
            if (!saidAlready) {
                text.append(' ').append(reason);
            }
        }
        return text.append(alreadyAt()).toString();
    }

    private int before() {
        for (int place = 0; place < lane.size(); place++) {
            if (lane.get(place).eventId().equals(event.eventId())) {
                return place;
            }
        }
        return lane.size();
    }

    private String alreadyAt() {
        List<String> targets = history.acknowledged().stream()
                .map(EventHistory.Acknowledged::target)
                .toList();
        return targets.isEmpty()
                ? ""
                : " It has arrived at " + String.join(", ", targets) + " already, and goes there no more.";
    }
}
