package outbox.spring;

import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.Objects;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;

class JpaTransactionIT extends TransactionContract {

    /** A row of the business data. */
    @Entity
    @Table(name = "business")
    static class Business {

        @Id
        private long id;

        Business() {}

        Business(long id) {
            this.id = id;
        }

        long id() {
            return id;
        }
    }

    @Override
    TestStore openStore() {
        TestDatabase database = new TestDatabase();
        LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
        factory.setDataSource(database.dataSource);
        factory.setPackagesToScan("outbox.spring");
        factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
        factory.afterPropertiesSet();
        EntityManagerFactory entities = Objects.requireNonNull(factory.getObject());
        return new TableStore(
                database,
                new JpaTransactionManager(entities),
                id -> Objects.requireNonNull(EntityManagerFactoryUtils.getTransactionalEntityManager(entities))
                        .persist(new Business(id)),
                entities::close);
    }
}
