package catbox.cli.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCredential;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import outbox.spi.Secret;

class MongoConnectionTest {

    @Test
    void looksUpTheUserInTheDatabaseThatTheAddressNames() {
        assertThat(credential("mongodb://host/shop?authSource=people", "anna").getSource())
                .isEqualTo("people");
        assertThat(credential("mongodb://host/shop", "anna").getSource()).isEqualTo("shop");
        assertThat(credential("mongodb://host/?replicaSet=rs0", "anna").getSource())
                .isEqualTo("admin");
        assertThat(credential("mongodb://host", "anna").getSource()).isEqualTo("admin");
    }

    @Test
    void takesEveryCharacterOfUserAndPasswordForItself() {
        MongoCredential credential = credential("mongodb://host/?replicaSet=rs0", "an na@home/:%");

        assertThat(credential.getUserName()).isEqualTo("an na@home/:%");
        assertThat(credential.getPassword()).isEqualTo("a p@ss/+word".toCharArray());
    }

    @Test
    void refusesTwoUsersAndAnAddressThatIsNoneWithoutShowingAPassword() {
        assertThatThrownBy(() -> credential("mongodb://eve:secret@host", "anna"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("leave one of them out")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> credential("mongodb://eve:sec:ret@host@", ""))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mongodb://host:port/database")
                .hasMessageNotContaining("sec");
    }

    private static MongoCredential credential(String url, String user) {
        Target.Database database =
                new Target.Database(url, user, Optional.of(new Secret("a p@ss/+word")), "outbox_event");
        @Nullable
        MongoCredential credential = new MongoConnection(database).settings().getCredential();
        assertThat(credential).isNotNull();
        return credential;
    }
}
